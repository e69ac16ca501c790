"""What a disk does when it is told to sync, changed for one process: slow, failing, or losing what was not synced.

A small library stands before the system's own fsync and fdatasync (LD_PRELOAD); nothing of Rollcall is replaced.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

COMPILER = shutil.which("cc") if sys.platform == "linux" else None
compiled = pytest.mark.skipif(COMPILER is None, reason="the library before fsync is compiled with cc, on Linux")

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Copies the file as it is now to the folder SYNC_KEPT: what a power cut leaves of it. */
static void keep(int fd)
{
    const char *folder = getenv("SYNC_KEPT");
    char link[64], path[4096], target[8192], part[8300], data[65536];
    struct stat about;
    ssize_t length;
    off_t at = 0;
    int copy;
    if (!folder || fstat(fd, &about) || !S_ISREG(about.st_mode))
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0 || !strstr((path[length] = 0, path), "/rollcall."))
        return;
    snprintf(target, sizeof target, "%s%s", folder, strrchr(path, '/'));
    snprintf(part, sizeof part, "%s.%d.kept", target, (int)gettid());
    copy = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (copy < 0)
        return;
    while ((length = pread(fd, data, sizeof data, at)) > 0)
        at += write(copy, data, length);
    close(copy);
    rename(part, target);
}

static int synced(const char *name, int fd)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *ms = getenv("SYNC_MS"), *fails = getenv("SYNC_FAILS_IF");
    int done;
    if (ms) {
        struct timespec rest = {atoi(ms) / 1000, atoi(ms) % 1000 * 1000000L};
        nanosleep(&rest, NULL);
    }
    if (fails && !access(fails, F_OK)) {
        errno = EIO;
        return -1;
    }
    done = real(fd);
    if (!done)
        keep(fd);
    return done;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }
"""


def disk(folder: Path | None = None, ms: int = 0, fails_if: Path | None = None, kept: Path | None = None) -> dict[str, str]:
    """The environment of a process whose disk takes `ms` longer for each sync, fails it while the file `fails_if` is
    there, and puts each of Rollcall's files, as it is then, into the folder `kept`. `folder`: for the library."""
    assert COMPILER is not None
    folder = folder or Path(tempfile.mkdtemp(prefix="syncs-"))
    library = folder / "syncs.so"
    if not library.exists():
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", os.fspath(library), "-x", "c", "-", "-ldl"]
        subprocess.run(command, input=SOURCE.encode(), check=True)
    wanted = {
        "SYNC_MS": str(ms) if ms else None,
        "SYNC_FAILS_IF": None if fails_if is None else os.fspath(fails_if),
        "SYNC_KEPT": None if kept is None else os.fspath(kept),
    }
    return {"LD_PRELOAD": os.fspath(library), **{name: value for name, value in wanted.items() if value is not None}}
