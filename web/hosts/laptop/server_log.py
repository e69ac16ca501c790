"""The server's log: at most one line of each kind a minute, and no table's key in any.

So a flood of requests cannot fill the disk with log lines.
"""

import asyncio
import contextlib
import json
import logging
import re
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, TextIO

from web.hosts.laptop.metrics import RequestSummary
from web.limits.quotas import FixedWindow

EVERY_S = 60.0
MOST_KINDS = 200
# Whoever has a table's key is at the table; the short code is a key for some hours.
KEYS = re.compile(r"(/(?:tables|history/forget|history/restore|j)/)[^/\s?\"']+|(\bcode=)[^&\s\"']+")
# What looks like a key of a table or a phone: long, with capitals and small letters.
LIKE_KEYS = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}")
MOST_A_SECOND = 500  # requests

Kind = tuple[str, int, str, str]


class RatedHandler(logging.StreamHandler[TextIO]):
    """Writes the first record of each kind, then counts for a minute; the next one tells how many.

    `logging` calls `emit` with the handler's lock.
    """

    def __init__(self, stream: TextIO | None = None, formatter: logging.Formatter | None = None) -> None:
        super().__init__(stream)
        self.setFormatter(formatter or _RedactingFormatter("%(levelname)s: %(message)s"))
        self._lately: dict[Kind, tuple[float, int]] = {}  # when the last was written; how many were left out since

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
            return  # work that ends with the server is no failure
        kind = _kind(record)
        if len(self._lately) >= MOST_KINDS and kind not in self._lately:
            kind = ("", 0, "others", "")
        now = time.monotonic()
        at, count = self._lately.get(kind, (-EVERY_S, 0))
        if now - at < EVERY_S:
            self._lately[kind] = at, count + 1
            return
        self._lately[kind] = now, 0
        record.more = count
        super().emit(record)

    def close(self) -> None:
        """Writes what was counted and not told yet."""
        with self.lock or contextlib.nullcontext():
            left = {kind: count for kind, (_, count) in self._lately.items() if count}
            self._lately.clear()
        for (_, level, message, _), count in left.items():
            said = logging.LogRecord("", level, "", 0, message, (), None)
            said.more = count
            super().emit(said)
        super().close()


class LineFormatter(logging.Formatter):
    """The log for programs: one line of JSON for each request and each event.

    `secrets`: texts that are left out of every line.
    """

    def __init__(self, stream: TextIO, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        self._stream = stream
        self._secrets = tuple(secrets)
        self._written, self._left_out = FixedWindow(1), 0

    def note(self, seen: RequestSummary) -> None:
        """Writes a request, at most `MOST_A_SECOND`; the next line tells how many were left out."""
        written = self._written.counts(time.monotonic())
        if written["request"] >= MOST_A_SECOND:
            self._left_out += 1
            return
        written["request"] += 1
        more = {"left_out": self._left_out} if self._left_out else {}
        self._left_out = 0
        fields = {"method": seen.method, "path": seen.path, "status": seen.status, "ms": round(1000 * seen.seconds, 1)}
        print(self._line("request", {**fields, **more}), file=self._stream, flush=True)

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {"level": record.levelname.lower(), "where": record.name}
        fields["message"] = self._redact(record.getMessage())
        if record.exc_info:
            fields["error"] = self._redact(self.formatException(record.exc_info))
        if more := getattr(record, "more", 0):
            fields["more"] = more
        return self._line("log", fields)

    def _line(self, event: str, fields: dict[str, Any]) -> str:
        at = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        return json.dumps({"at": at, "event": event, **fields}, ensure_ascii=False)

    def _redact(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "…")
        return LIKE_KEYS.sub("…", KEYS.sub(r"\1\2…", text))


@contextlib.contextmanager
def rated_logging(journal: LineFormatter | None = None) -> Iterator[None]:
    """Writes the log to standard error, limited by `RatedHandler`, until it is left. `journal`: the format, if any."""
    handler = RatedHandler(sys.stderr, journal)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


class _RedactingFormatter(logging.Formatter):
    """Leaves keys out, and tells how many more there were."""

    def format(self, record: logging.LogRecord) -> str:
        text = KEYS.sub(r"\1\2…", super().format(record))
        more = getattr(record, "more", 0)
        return f"{text}\n  and {more} more like this since" if more else text


def _kind(record: logging.LogRecord) -> Kind:
    error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return record.name, record.levelno, str(record.msg).partition("\n")[0][:200], error
