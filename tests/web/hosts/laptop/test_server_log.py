"""The log: a rate for each kind of line, and no key in any."""

import asyncio
import io
import logging

import pytest

from web.hosts.laptop import server_log


def record(message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    info = None if error is None else (type(error), error, None)
    return logging.LogRecord("web", logging.WARNING, "", 0, message, args, info)


def test_a_kind_is_told_once_a_minute_with_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(server_log.time, "monotonic", lambda: now[0])
    out = io.StringIO()
    handler = server_log.RatedHandler(out)
    for number in range(500):
        handler.emit(record("phone %d went", number))
    handler.emit(record("something else"))
    assert out.getvalue().splitlines() == ["WARNING: phone 0 went", "WARNING: something else"]
    now[0] += 61
    handler.emit(record("phone %d went", 7))
    handler.emit(record("phone %d went", 8))
    assert out.getvalue().splitlines()[2:] == ["WARNING: phone 7 went", "  and 499 more like this since"]
    handler.close()
    assert out.getvalue().splitlines()[4:] == ["WARNING: phone %d went", "  and 1 more like this since"]


def test_messages_that_differ_each_time_have_a_bound_too() -> None:
    out = io.StringIO()
    handler = server_log.RatedHandler(out)
    for number in range(5000):
        handler.emit(record(f"phone {number} went"))
    assert len(out.getvalue().splitlines()) == server_log.MOST_KINDS + 1


def test_no_key_is_told_and_nothing_of_what_was_broken_off() -> None:
    out = io.StringIO()
    handler = server_log.RatedHandler(out)
    handler.emit(record("%s failed", "/tables/Qx7_-aaaaBBBBccccDDDD1234/actions"))
    handler.emit(record("GET /j/ABCDEF?code=ABCDEF failed"))
    handler.emit(record("Exception in ASGI application", error=asyncio.CancelledError()))
    assert out.getvalue().splitlines() == ["WARNING: /tables/…/actions failed", "WARNING: GET /j/…?code=… failed"]
