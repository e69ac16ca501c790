"""What a disk does when it is told to sync, changed for one process: slow, failing, or losing what was not synced.

A small library stands before the system's own fsync and fdatasync (LD_PRELOAD); nothing of Rollcall is replaced.
"""

import os
import shutil
import subprocess
import sys
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

static int is_ours(const char *path)
{
    const char *name = strrchr(path, '/');
    return !strncmp(name ? name + 1 : path, "rollcall.", 9);
}

/* Copies a file as it is now to the folder SYNC_KEPT, by its number: what a power cut would leave of it. */
static void keep(int fd)
{
    const char *folder = getenv("SYNC_KEPT");
    char link[64], path[4096] = "", target[4200], part[4300], data[65536];
    struct stat about;
    ssize_t length;
    off_t at = 0;
    int copy;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (!folder || fstat(fd, &about) || readlink(link, path, sizeof path - 1) < 0 || !is_ours(path))
        return;
    snprintf(target, sizeof target, "%s/%ld", folder, (long)about.st_ino);
    snprintf(part, sizeof part, "%s.%d", target, (int)gettid());
    copy = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while ((length = pread(fd, data, sizeof data, at)) > 0)
        at += write(copy, data, length);
    close(copy);
    rename(part, target);
}

/* The number of a file that is gone may be that of the next one. */
int unlink(const char *path)
{
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    const char *folder = getenv("SYNC_KEPT");
    char target[4200];
    struct stat about;
    if (folder && is_ours(path) && !stat(path, &about)) {
        snprintf(target, sizeof target, "%s/%ld", folder, (long)about.st_ino);
        real(target);
    }
    return real(path);
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


def disk(folder: Path, ms: int = 0, fails_if: Path | None = None, kept: Path | None = None) -> dict[str, str]:
    """The environment of a process whose disk takes `ms` longer for each sync and fails it while the file `fails_if` is
    there. Each of Rollcall's files is put into the folder `kept` as it is then.

    `folder`: for the library.
    """
    assert COMPILER is not None, "this needs cc, on Linux"
    library = folder / "syncs.so"
    if not library.exists():
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", os.fspath(library), "-x", "c", "-", "-ldl"]
        subprocess.run(command, input=SOURCE.encode(), check=True)
    files = {"SYNC_FAILS_IF": fails_if, "SYNC_KEPT": kept}
    wanted = {name: os.fspath(path) for name, path in files.items() if path is not None}
    return {"LD_PRELOAD": os.fspath(library), "SYNC_MS": str(ms), **wanted}


def cut_power(data: Path, kept: Path) -> None:
    """Leaves of the files in a data folder what was synced of each, once their process was killed."""
    for path in data.glob("rollcall.*"):
        synced = kept / str(path.stat().st_ino)
        content = synced.read_bytes() if synced.exists() else b""
        synced.unlink(missing_ok=True)
        path.write_bytes(content)  # the same file, with the same number
        (kept / str(path.stat().st_ino)).write_bytes(content)
