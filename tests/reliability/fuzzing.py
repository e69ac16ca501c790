"""Requests that go wrong in every way: valid ones, and what mutation makes of them, down to bytes that are no HTTP.

Everything comes from one seed. The routes are those of the application's own map, so that a new one is fuzzed at once.
"""

from __future__ import annotations

import copy
import io
import json
import random
import re
import string
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from PIL import Image
from werkzeug.routing import Map, Rule

from tests.web.phones import any_legal

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")
ARGUMENT = re.compile(r"<(?:[^<>:]+:)?([^<>]+)>")
LANGUAGES = ("cs", "pl", "en")

# What somebody could put where a number, a text, a list or an object is wanted.
NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, 1e308, -0.0, "", " ", "1", "0", "null",
    "\0", "\ud800", "\udfff\ud800", "a" * 5000, "Ada\nBob", "‮evil", "💥" * 50, "../../etc/passwd", "%00", "' OR 1=1 --",
    "<script>alert(1)</script>", "{detail}", "{0.__class__}", "%s%n", [], {}, [[]], [None], {"": None}, {"do": {}},
    [1] * 3000, {"do": "throw"}, {"do": "throw", "dice": "111111"}, {"do": ["throw"]},
    {"do": "throw", "dice": [1.0] * 6},
    {"do": "throw", "dice": [True] * 6}, {"do": "write", "player": 10**30, "cell": [1, 1]}, {"render": 1},
)  # fmt: skip
# JSON that no `json.dumps` writes.
RAW_JSON = (
    b"", b"{", b"[]", b"null", b"NaN", b"nul", b'{"version":NaN}', b'{"version":Infinity}', b'{"version":1e999}',
    b'{"version":0,"version":1,"version":"x"}', b'{"request":"\xff\xfe"}', b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00",
    b"[" * 50_000, b'{"a":' * 8_000, b'{"a":' * 8_000 + b"1" + b"}" * 8_000, b"[" * 30_000 + b"]" * 30_000,
    b'{"version":' + b"9" * 5000 + b"}", b'{"version":-' + b"9" * 4000 + b"}", b'{"version":0.' + b"0" * 9000 + b"}",
    b'"' + b"\\ud800" * 100 + b'"', b'{"\\ud800":"\\udfff"}', b"{}" + b" " * 65_536, b'{"a":"' + b"b" * 70_000 + b'"}',
)  # fmt: skip
NASTY_SEGMENTS = (
    "", "%00", "..", "%2e%2e", "%2f", "..%2f..%2fetc%2fpasswd", "%ff%fe", "%ed%a0%80", "a" * 3000, "%F0%9F%92%A5",
    "null",
    "'%20OR%201=1", "%0d%0aSet-Cookie:%20a=b", "<script>", "{x}", "%25", "*", ";", "-", "0", "%5c..%5c", "con", "%",
)  # fmt: skip
NASTY_HEADERS: tuple[tuple[str, bytes], ...] = (
    ("Host", b"evil.example"), ("Host", b"[::1"), ("Host", b"127.0.0.1:99999"), ("Host", b"\xff"), ("Host", b""),
    ("Host", b"a" * 2000), ("Origin", b"http://["), ("Origin", b"null"), ("Origin", b"http://evil.example"),
    ("Sec-Fetch-Site", b"cross-site"), ("Sec-Fetch-Site", b"\xff"), ("Accept", b"application/json;q=x"),
    ("Accept", b"*/*"),
    ("Accept", b";;;,,,"), ("Accept", b"text/html;q=" + b"9" * 400), ("Accept-Language", b"cs;q=nan, pl;q=inf"),
    ("Accept-Language", b"x" * 3000), ("Accept-Language", b"*;q=0"),
    ("Cookie", b"device=\xff\xfe; device-name=%ff%fe%00"),
    ("Cookie", b"language=../../x; device-name=" + b"%F0%9F%92%A5" * 200), ("Cookie", b"=;=;=" * 100),
    ("Cookie", b'device="\\377\\000"; language=cs'), ("Content-Type", b"application/json; charset=utf-7"),
    ("Content-Type", b"text/plain"), ("Content-Type", b"multipart/form-data"), ("Content-Type", b"\xff/\xff"),
    ("Content-Type", b"multipart/form-data; boundary=" + b"x" * 300),
    ("Content-Type", b'multipart/form-data; boundary="'),
    ("Content-Type", b"application/x-www-form-urlencoded; charset=rot13"), ("Content-Encoding", b"gzip"),
    ("Range", b"bytes=0-,1-,2-,3-"), ("Range", b"bytes=99999999999999999999-"), ("Range", b"bytes=-0"), ("Range", b"x"),
    ("If-Modified-Since", b"Thu, 99 Foo 9999 99:99:99 GMT"), ("If-None-Match", b'W/"' + b"a" * 500), ("If-Range", b"x"),
    ("Expect", b"100-continue"), ("Expect", b"the impossible"), ("Upgrade", b"websocket"), ("Connection", b"upgrade"),
    ("Transfer-Encoding", b"chunked"), ("X-Forwarded-Host", b"evil.example"), ("X-HTTP-Method-Override", b"DELETE"),
    ("User-Agent", b"\xff\x01" * 50), ("Referer", b"http://evil.example/\xff"), ("Authorization", b"Basic \xff"),
    ("If-Unmodified-Since", b"-1"), ("Date", b"\xff"), ("Content_Length", b"5"), ("Content-Disposition", b"\xff"),
)  # fmt: skip
NO_HTTP = (
    b"\r\n\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
    b"GET  /  HTTP/1.1\r\n\r\n",
    b"GET /\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"CONNECT evil.example:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\n Host: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: b\r\n folded\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET /?\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1e3\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\nab",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 20 + b"\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"b" * 200_000 + b"\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\0\0\0\0garbage",
)  # fmt: skip
NASTY_FILES: tuple[Callable[[random.Random], bytes], ...] = (
    lambda dice: b"",
    lambda dice: dice.randbytes(dice.randint(1, 3000)),
    lambda dice: b"\xff\xd8\xff\xe0" + dice.randbytes(500),
    lambda dice: b"GIF89a" + dice.randbytes(50),
    lambda dice: b"\0\0\0\x18ftypheic" + dice.randbytes(50),
    lambda dice: _change_bytes(a_photo(dice), dice),
    lambda dice: (photo := a_photo(dice))[: dice.randint(1, len(photo))],
    lambda dice: a_bomb(dice.choice([(30_000, 30_000), (20_000, 10_000), (8_100, 8_000), (2**31 - 1, 1)])),
)
SLOW_HEADERS = ("Expect", "Transfer-Encoding")  # after which the server rightly waits for more


@dataclass
class Request:
    """`data` as it goes over the socket. `waits`: the server may wait for more of it, so that no answer need come."""

    what: str
    method: str
    data: bytes
    language: str | None = None  # of the page that tells of an error, where the request is clear about it
    wants_json: bool = False
    is_api: bool = False
    waits: bool = False


@dataclass
class Place:
    """What the fuzzer knows of the server: addresses that lead somewhere."""

    tables: list[str]  # paths
    codes: list[str]
    games: list[str]
    port: int
    states: dict[str, Any] = field(default_factory=dict)  # by path, as the server told it last


class Fuzzer:
    """An endless row of requests. `routes`: the application's url map."""

    def __init__(self, routes: Map, place: Place, seed: int) -> None:
        self.rules = list(routes.iter_rules())
        self.place = place
        self.dice = random.Random(seed)

    def next(self) -> Request:
        if self.dice.random() < 0.06:
            return self._no_http()
        rule = self.dice.choice([*self.rules, None])
        method = self._method(rule)
        table = self.dice.choice(self.place.tables)
        path, is_clean = self._path(rule, table)
        if self.dice.random() < 0.3:
            path += "?" + self._query()
        language = self.dice.choice(LANGUAGES)
        wants_json = self.dice.random() < 0.6
        headers: list[tuple[str, bytes]] = [
            ("Host", f"127.0.0.1:{self.place.port}".encode()),
            ("Accept", b"application/json" if wants_json else b"text/html,application/xhtml+xml,*/*;q=0.8"),
            ("Accept-Language", language.encode()),
        ]
        body, kind = self._body(rule, table, method)
        if kind is not None:
            headers.append(("Content-Type", kind))
        is_clear, is_whole, waits = True, True, False
        if body or method in ("POST", "PUT", "PATCH"):
            headers.append(("Content-Length", str(len(body)).encode()))
        for _ in range(self.dice.choice((0, 0, 1, 1, 2, 4))):
            name, value = self.dice.choice(NASTY_HEADERS)
            headers = [(known, there) for known, there in headers if known != name] + [(name, value)]
            is_clear = False
            waits = waits or name in SLOW_HEADERS
        if self.dice.random() < 0.03:
            headers = [entry for entry in headers if entry[0] != "Content-Length"]
            headers.append(("Content-Length", str(max(0, len(body) + self.dice.choice((-7, 7, 10**9)))).encode()))
            is_clear, waits = False, True
        head = f"{method} {path} HTTP/1.1\r\n".encode("utf-8", "replace")
        data = head + b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers) + b"\r\n" + body
        if self.dice.random() < 0.02:
            data, is_clear, is_whole, waits = _change_bytes(data, self.dice), False, False, True
        endpoint = "-" if rule is None else rule.endpoint
        return Request(
            what=f"{method} {path[:120]} ({endpoint})",
            method=method,
            data=data,
            language=language if is_clear else None,
            wants_json=wants_json and is_clear,
            is_api=rule is not None
            and endpoint.startswith("api.")
            and is_clean
            and is_whole
            and method in rule.methods,
            waits=waits,
        )

    def _no_http(self) -> Request:
        data = self.dice.choice(NO_HTTP)
        if self.dice.random() < 0.3:
            data = _change_bytes(data, self.dice)
        if self.dice.random() < 0.2:
            data = data[: self.dice.randint(0, len(data))]
        return Request(what=f"{data[:60]!r}", method="GET", data=data, waits=True)

    def _method(self, rule: Rule | None) -> str:
        own = sorted((rule.methods if rule is not None else None) or {"GET"})
        changing = [method for method in own if method not in ("OPTIONS", "HEAD", "GET")]
        if changing and self.dice.random() < 0.8:
            return self.dice.choice(changing)
        return self.dice.choice(own if self.dice.random() < 0.8 else METHODS)

    def _path(self, rule: Rule | None, table: str) -> tuple[str, bool]:
        """A path of this rule, and whether it leads there for certain. No rule: the live updates, which are none."""
        if rule is None:
            return (
                f"/api/v1{table}/states" if self.dice.random() < 0.7 else f"/api/v1/tables/{self._segment()}/states",
                False,
            )
        known = {
            "key": [table.rsplit("/", 1)[1]],
            "code": [*self.place.codes, *LANGUAGES],
            "game": self.place.games,
            "tag": ["0123456789ab"],
            "name": ["table/table.js", "rollcall.css", "sheets/knaster.js", "icon.svg"],
            "reading": [*self._readings(table), "none"],
        }
        path, is_clean = "", True
        for is_argument, text in _pieces(rule):
            if not is_argument:
                path += text
            elif self.dice.random() < 0.85:
                path += quote(self.dice.choice(known.get(text, ["x"])))
            else:
                path, is_clean = path + self._segment(), False
        return path, is_clean

    def _segment(self) -> str:
        if self.dice.random() < 0.7:
            return self.dice.choice(NASTY_SEGMENTS)
        return quote(bytes(self.dice.randrange(256) for _ in range(self.dice.randint(1, 30))))

    def _readings(self, table: str) -> list[str]:
        pending = self.place.states.get(table, {}).get("pending")
        return [] if pending is None else [pending["id"]]

    def _query(self) -> str:
        names = ("stamp", "part", "code", "back", "", "x[]", "version")
        pairs = [(self.dice.choice(names), self._text()) for _ in range(self.dice.randint(0, 4))]
        return urlencode([(name, value.encode("utf-8", "replace")) for name, value in pairs])

    def _text(self) -> str:
        value = self.dice.choice(
            [entry for entry in NASTY if isinstance(entry, str)] + ["Ada", "farkle", "0", *self.place.codes]
        )
        return str(value)

    def _body(self, rule: Rule | None, table: str, method: str) -> tuple[bytes, bytes | None]:
        if method in ("GET", "HEAD", "OPTIONS") and self.dice.random() < 0.9:
            return b"", None
        endpoint = "" if rule is None else rule.endpoint
        kinds = {"api.photo": "files", "pages.import_record": "files"}
        usual = kinds.get(endpoint, "json" if endpoint.startswith("api.") else "form")
        kind = usual if self.dice.random() < 0.85 else self.dice.choice(("json", "form", "files", "none"))
        if kind == "json":
            return self._json(table), b"application/json"
        if kind == "form":
            return self._form(), b"application/x-www-form-urlencoded"
        if kind == "files":
            return self._files(table)
        return self.dice.randbytes(self.dice.randint(0, 200)), None

    def _json(self, table: str) -> bytes:
        if self.dice.random() < 0.1:
            return self.dice.choice(RAW_JSON)
        document = self._change(table)
        for _ in range(self.dice.choice((0, 1, 1, 2, 3))):
            document = _mutate(document, self.dice)
        data = json.dumps(document).encode()
        return _change_bytes(data, self.dice) if self.dice.random() < 0.1 else data

    def _change(self, table: str) -> Any:
        """A change as a phone sends it, with everything that any of the routes takes; often one that is legal."""
        state = self.place.states.get(table, {})
        version = state.get("version", 0)
        body = {
            "version": version,
            "request": f"{self.dice.getrandbits(96):024x}" if self.dice.random() < 0.9 else "request-again",
            "action": self._action(state),
            "step": self.dice.randint(1, max(1, state.get("steps", 1))),
            "drop_tail": self.dice.random() < 0.5,
        }
        if self.dice.random() < 0.3:
            body["plays_for"] = self.dice.randint(0, 3)
        readings = self._readings(table)
        if readings and self.dice.random() < 0.5:
            dice = [{"value": self.dice.randint(1, 6), "box": [1.0, 2.0, 30.0, 40.0]} for _ in range(6)]
            body["evidence"] = {"reading": readings[0], "dice": dice}
        return body

    def _action(self, state: Any) -> Any:
        if state and not state["standing"]["over"] and self.dice.random() < 0.8:
            return any_legal(state["standing"], self.dice)
        return self.dice.choice(
            [
                {"do": "throw", "dice": [self.dice.randint(1, 6) for _ in range(self.dice.randint(1, 6))]},
                {"do": "set-aside", "dice": [1]},
                {"do": "bank"},
                {"do": "keep", "dice": [1, 2]},
                {"do": "score", "category": "full", "column": 2},
                {"do": "pass"},
                {"do": "write", "player": 0, "cell": [1, 1]},
                {"do": "circle", "player": 0, "cell": [1, 1]},
                {"do": "circle-line", "player": 0, "line": "r1", "cells": [[1, 2]]},
                {"do": "skip", "player": 0},
            ]
        )

    def _form(self) -> bytes:
        game = self.dice.choice(self.place.games)
        pairs = [
            ("game", game),
            ("player", "Ada"),
            ("player", "Bob"),
            (f"{game}.target", "1000"),
            ("keep_corrections", "yes"),
            ("keep_pictures", "yes"),
            ("code", self.dice.choice([*self.place.codes, "AAAAAA"])),
            ("back", "/help"),
            ("language", "cs"),
            ("name", "phone"),
            ("version", "0"),
        ]
        for _ in range(self.dice.choice((0, 1, 2, 5))):
            at = self.dice.randrange(len(pairs))
            chance = self.dice.random()
            if chance < 0.5:
                pairs[at] = (pairs[at][0], self._text())
            elif chance < 0.7:
                pairs[at] = (self._text(), pairs[at][1])
            elif chance < 0.9:
                del pairs[at]
                pairs = pairs or [("", "")]
            else:
                pairs += [pairs[at]] * self.dice.choice((20, 2000))
        data = urlencode([(name.encode("utf-8", "replace"), value.encode("utf-8", "replace")) for name, value in pairs])
        return _change_bytes(data.encode(), self.dice) if self.dice.random() < 0.1 else data.encode()

    def _files(self, table: str) -> tuple[bytes, bytes]:
        state = self.place.states.get(table, {})
        fields = {"version": str(state.get("version", 0)) if self.dice.random() < 0.8 else self._text()}
        photo = a_photo(self.dice) if self.dice.random() < 0.2 else self.dice.choice(NASTY_FILES)(self.dice)
        record = self._record() if self.dice.random() < 0.9 else self.dice.choice(RAW_JSON)
        data, kind = multipart(fields, {"photo": photo, "record": record}, self.dice)
        if self.dice.random() < 0.2:
            data = _change_bytes(data, self.dice)
        if self.dice.random() < 0.05:
            data = data[: self.dice.randint(0, len(data))]
        return data, kind

    def _record(self) -> bytes:
        game = self.dice.choice(self.place.games)
        document: Any = {
            "format": 1,
            "game": game,
            "options": {"target": 5000} if self.dice.random() < 0.3 else {},
            "players": ["Ada", "Bob"],
            "actions": [{"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}, {"do": "set-aside", "dice": [1, 1]}],
        }
        for _ in range(self.dice.choice((0, 1, 2))):
            document = _mutate(document, self.dice)
        return json.dumps(document).encode()


def a_photo(dice: random.Random) -> bytes:
    """A small picture without dice, in one of the formats."""
    out = io.BytesIO()
    Image.new("RGB", (dice.randint(1, 200), dice.randint(1, 200)), (90, 120, 60)).save(
        out, dice.choice(("JPEG", "PNG", "WEBP"))
    )
    return out.getvalue()


def a_bomb(size: tuple[int, int]) -> bytes:
    """A small PNG that claims to be of this size."""
    out = io.BytesIO()
    Image.new("L", (16, 16)).save(out, "PNG")
    data = out.getvalue()
    header = b"IHDR" + b"".join(side.to_bytes(4, "big") for side in size) + data[24:29]
    return data[:12] + header + zlib.crc32(header).to_bytes(4, "big") + data[33:]


def multipart(fields: dict[str, str], files: dict[str, bytes], dice: random.Random) -> tuple[bytes, bytes]:
    """A form with files, and its content type."""
    boundary = "".join(dice.choices(string.ascii_letters, k=20)).encode()
    parts = [
        f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value.encode("utf-8", "replace")
        for name, value in fields.items()
    ]
    parts += [
        f'Content-Disposition: form-data; name="{name}"; filename="{name}"\r\n'.encode()
        + b"Content-Type: application/octet-stream\r\n\r\n"
        + data
        for name, data in files.items()
    ]
    body = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + boundary + b"--\r\n"
    return body, b"multipart/form-data; boundary=" + boundary


def _pieces(rule: Rule) -> Iterable[tuple[bool, str]]:
    """The rule's path in pieces: whether each is an argument, and its text or the argument's name."""
    for number, piece in enumerate(ARGUMENT.split(rule.rule)):
        yield bool(number % 2), piece


def _change_bytes(data: bytes, dice: random.Random) -> bytes:
    """`data` with some bytes changed, left out or put in."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(changed) + 1)
        chance = dice.random()
        if chance < 0.4 and at < len(changed):
            changed[at] = dice.randrange(256)
        elif chance < 0.7:
            changed[at:at] = dice.randbytes(dice.randint(1, 8))
        else:
            del changed[at : at + dice.randint(1, 20)]
    return bytes(changed)


def _mutate(document: Any, dice: random.Random) -> Any:
    """`document` with one of its parts replaced, left out, doubled or wrapped."""
    places = list(_places(document))
    if not places or dice.random() < 0.03:
        return copy.deepcopy(dice.choice(NASTY))
    holder, name = dice.choice(places)
    chance = dice.random()
    if chance < 0.6:
        holder[name] = copy.deepcopy(dice.choice(NASTY))  # which may be changed in its place
    elif chance < 0.75:
        del holder[name]
    elif chance < 0.85:
        holder[name] = [holder[name]]
    elif isinstance(holder, list):
        holder.extend([holder[name]] * dice.choice((1, 500)))
    else:
        holder[dice.choice(("\ud800", "", "player", "dice", "count", "extra"))] = holder[name]
    return document


def _places(document: Any) -> Iterable[tuple[Any, Any]]:
    """Every part of a document: what holds it, and its name or number there."""
    if isinstance(document, dict):
        for name in list(document):
            yield document, name
            yield from _places(document[name])
    elif isinstance(document, list) and len(document) < 100:
        for number in range(len(document)):
            yield document, number
            yield from _places(document[number])
