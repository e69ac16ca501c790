"""What a server uses, seen from outside: memory, threads, open files, processor time. Linux only: it reads /proc."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path("/proc/self/status").exists()
on_linux = pytest.mark.skipif(not HERE, reason="what a process uses is read from /proc")


@dataclass(frozen=True)
class Use:
    """`rss` and `peak` in MB of resident memory, now and at its most; `cpu` in seconds since the process began.

    `files`: open ones, of which `sockets` are sockets.
    """

    rss: float
    peak: float
    threads: int
    files: int
    sockets: int
    cpu: float

    def __str__(self) -> str:
        return f"{self.rss:.0f} MB (peak {self.peak:.0f}), {self.threads} threads, {self.files} open files"


def use(pid: int) -> Use:
    """What process `pid` uses now."""
    fields = dict(
        line.split(":", 1)
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        if ":" in line
    )
    files = _open_files(pid)
    times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return Use(
        rss=int(fields["VmRSS"].split()[0]) / 1024,
        peak=int(fields["VmHWM"].split()[0]) / 1024,
        threads=int(fields["Threads"]),
        files=len(files),
        sockets=sum(file.startswith("socket:") for file in files),
        cpu=(int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
    )


def _open_files(pid: int) -> list[str]:
    files = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            files.append(os.readlink(file))
    return files


def kept_waiting(pid: int) -> float:
    """Seconds for which the main thread of process `pid` could have run and had no processor, since it began."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="utf-8").split()[1]) / 1e9


def forget_peak(pid: int) -> None:
    """Lets the peak of process `pid` begin anew."""
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="utf-8")
