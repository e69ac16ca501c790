"""Requests that go wrong in every way: valid ones, and what mutation makes of them, down to bytes that are no HTTP.

Everything comes from one seed. The routes are those of the application's own map, so that a new one is fuzzed at once.
`raw_requests` has what headers and parts of forms must not hold.
"""

import copy
import io
import json
import random
import re
import string
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from PIL import Image
from werkzeug.routing import Map, Rule

from tests.reliability.raw_requests import (
    DISPOSITIONS,
    FIELDS,
    HEADERS,
    OF_FILES,
    PART_KINDS,
    QUERIES,
    SEGMENTS,
    TEXTS,
    WAITING,
)
from tests.web.phones import any_legal

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get")
ARGUMENT = re.compile(r"<(?:[^<>:]+:)?([^<>]+)>")
LANGUAGES = ("cs", "pl", "en")
FORMS = ("pages.new_table", "pages.import_record", "pages.settings", "api.send_photo")  # which are asked more often
Card = TypeVar("Card")

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


class Deck(Generic[Card]):
    """Cards in an order of chance, each once before any comes twice."""

    def __init__(self, cards: Sequence[Card], dice: random.Random) -> None:
        self._cards, self._dice, self._left = cards, dice, list[Card]()

    def next(self) -> Card:
        if not self._left:
            self._left = self._dice.sample(self._cards, len(self._cards))
        return self._left.pop()


class Fuzzer:
    """An endless row of requests. `routes`: the application's url map; `beside`: paths that are on none."""

    def __init__(self, routes: Map, place: Place, beside: Sequence[str], seed: int) -> None:
        self._rules = list(routes.iter_rules())
        self._rules += 3 * [rule for rule in self._rules if rule.endpoint in FORMS]
        self.place = place
        self._beside = beside
        self.dice = random.Random(seed)
        self._values = Deck([(name, value) for name, values in HEADERS.items() for value in values], self.dice)
        self._dispositions = Deck(DISPOSITIONS, self.dice)

    def next(self) -> Request:
        if self.dice.random() < 0.06:
            return self._no_http()
        wrong = [self._wrong_header() for _ in range(self.dice.choice((0, 0, 1, 1, 2, 4)))]
        table = self.dice.choice(self.place.tables)
        rule, path, is_clean = self._target({name for name, _ in wrong}, table)
        method = self._method(rule)
        if self.dice.random() < 0.3:
            path += b"?" + (self._query() if self.dice.random() < 0.5 else self.dice.choice(QUERIES))
        language = self.dice.choice(LANGUAGES)
        wants_json = self.dice.random() < 0.6
        headers: dict[str, list[bytes]] = {
            "Host": [f"127.0.0.1:{self.place.port}".encode()],
            "Accept": [b"application/json" if wants_json else b"text/html,application/xhtml+xml,*/*;q=0.8"],
            "Accept-Language": [language.encode()],
        }
        body, kind = self._body(rule, table, method)
        if kind is not None:
            headers["Content-Type"] = [kind]
        if body or method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = [b"%d" % len(body)]
        for name, value in wrong:  # instead of the right one, or beside it
            headers[name] = [*(headers.get(name, []) if self.dice.random() < 0.2 else []), value]
        if self.dice.random() < 0.5 and "If-Range" in headers:
            headers.setdefault("Range", [b"bytes=0-3"])
        waits = any(name in WAITING for name, _ in wrong)
        if self.dice.random() < 0.03:
            headers["Content-Length"] = [b"%d" % max(0, len(body) + self.dice.choice((-7, 7, 10**9)))]
            wrong, waits = [("Content-Length", b"")], True
        lines = [name.encode() + b": " + value for name, values in headers.items() for value in values]
        self.dice.shuffle(lines)
        head = method.encode() + b" " + path + b" HTTP/1.1\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n"
        data, is_http = head + body, not any(each in head.replace(b"\r\n", b"") for each in (b"\0", b"\r", b"\n"))
        if self.dice.random() < 0.02:
            data, is_http = _change_bytes(data, self.dice), False
        endpoint = "-" if rule is None else rule.endpoint
        is_clear = is_http and not wrong
        is_route = rule is not None and method in (rule.methods or ()) and is_clean and is_http
        return Request(
            what=f"{method} {path[:120]!r} ({endpoint}) {wrong!r:.600}",
            method=method,
            data=data,
            language=language if is_clear else None,
            wants_json=wants_json and is_clear,
            is_api=is_route and endpoint.startswith("api."),
            waits=waits or not is_http,
        )

    def action(self, table: str) -> Request:
        """A change that is legal where the table stands, of a phone whose cookies or browser are odd: it is done."""
        dice, state = self.dice, self.place.states[table]
        is_over = state["standing"]["over"] or not state["standing"]["legal"]
        path = "undo" if state["steps"] and (is_over or dice.random() < 0.3) else "actions"
        body: dict[str, Any] = {"version": state["version"], "request": f"{dice.getrandbits(96):024x}"}
        if path == "actions":
            body["action"] = any_legal(state["standing"], dice)
        data = json.dumps(body).encode()
        odd = dice.choice(("Cookie", "Cookie", "User-Agent", "Accept-Language", "If-Modified-Since"))
        value = dice.choice(HEADERS[odd])
        head = f"POST /api/v1{table}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.place.port}\r\n".encode()
        head += b"Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % len(data)
        head += odd.encode() + b": " + value.translate(None, b"\0\r\n").strip() + b"\r\n\r\n"
        return Request(what=f"POST {table}/{path} {odd}: {value!r:.300}", method="POST", data=head + data)

    def _wrong_header(self) -> tuple[str, bytes]:
        chance = self.dice.random()
        if chance < 0.6:
            return self._values.next()
        name = self.dice.choice(sorted(HEADERS))
        if chance < 0.8:  # bytes by chance; HTTP itself rules out three
            allowed = [*range(1, 10), 11, 12, *range(14, 256)]
            return name, bytes(self.dice.choice(allowed) for _ in range(self.dice.randint(0, 60)))
        return name, self._change_value(self.dice.choice(HEADERS[name]))

    def _change_value(self, value: bytes) -> bytes:
        changed = bytearray(value)
        for _ in range(self.dice.randint(1, 3)):
            at = self.dice.randrange(len(changed) + 1)
            changed[at : at + self.dice.randint(0, 2)] = bytes([self.dice.randint(0x20, 0xFF)])
        return bytes(changed)

    def _target(self, wrong: Collection[str], table: str) -> tuple[Rule | None, bytes, bool]:
        """A rule, a path of it, and whether it leads there for certain; more often one that looks at these headers.

        No rule: what is on no map, such as live updates.
        """
        if self.dice.random() < (0.5 if OF_FILES.intersection(wrong) else 0.15):
            return None, self.dice.choice(self._beside).encode(), False
        rule = self.dice.choice(self._rules)
        path, is_clean = self._path(rule, table)
        return rule, path.encode("utf-8", "replace"), is_clean

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

    def _path(self, rule: Rule, table: str) -> tuple[str, bool]:
        """A path of this rule, and whether it leads there for certain."""
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
            return self.dice.choice(SEGMENTS).decode()
        return quote(bytes(self.dice.randrange(256) for _ in range(self.dice.randint(1, 30))))

    def _readings(self, table: str) -> list[str]:
        pending = self.place.states.get(table, {}).get("pending")
        return [] if pending is None else [pending["id"]]

    def _query(self) -> bytes:
        names = ("stamp", "part", "code", "back", "", "x[]", "version")
        pairs = [(self.dice.choice(names), self._text()) for _ in range(self.dice.randint(0, 4))]
        return urlencode([(name, value.encode("utf-8", "replace")) for name, value in pairs]).encode()

    def _text(self) -> str:
        value = self.dice.choice(
            [entry for entry in NASTY if isinstance(entry, str)] + ["Ada", "farkle", "0", *self.place.codes]
        )
        return str(value)

    def _body(self, rule: Rule | None, table: str, method: str) -> tuple[bytes, bytes | None]:
        if method in ("GET", "HEAD", "OPTIONS") and self.dice.random() < 0.9:
            return b"", None
        endpoint = "" if rule is None else rule.endpoint
        kinds = {"api.send_photo": "files", "pages.import_record": "files"}
        usual = kinds.get(endpoint, "json" if endpoint.startswith("api.") else "form")
        kind = usual if self.dice.random() < 0.85 else self.dice.choice(("json", "form", "files", "none"))
        if kind == "json":
            return self._json(table), b"application/json"
        if kind == "form":
            return self._form(), b"application/x-www-form-urlencoded"
        if kind == "files":
            return self._files(table) if self.dice.random() < 0.5 else self._hostile_form()
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
            ("keeps_pictures", "true"),
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

    def _hostile_form(self) -> tuple[bytes, bytes]:
        """A form of parts that no browser sends."""
        dice = self.dice
        boundary = dice.choice((b"B", b"----WebKitFormBoundaryx", b"'()+_,-./:=?"))
        parts = [self._hostile_part() for _ in range(dice.choice((1, 1, 2, 3, 6)))]
        if dice.random() < 0.04:
            parts *= dice.choice((400, 900))
        end = b"\n" if dice.random() < 0.1 else b"\r\n"
        body = dice.choice((b"", b"", b"", b"preamble\r\n", b"\r\n"))
        body += b"".join(b"--" + boundary + end + part + end for part in parts)
        if dice.random() < 0.9:
            body += b"--" + boundary + b"--" + dice.choice((end, b"", b"epilogue"))
        if dice.random() < 0.15:
            body = self._change_value(body)
        return body, b'multipart/form-data; boundary="' + boundary + b'"'

    def _hostile_part(self) -> bytes:
        dice, text = self.dice, self.dice.choice(TEXTS)
        named = b'Content-Disposition: form-data; name="%s"'
        kind = dice.choice(("hostile", "hostile", "field", "file", "nested"))
        lines, content = [self._dispositions.next()], text
        if kind == "field":
            lines = [named % (dice.choice(FIELDS).encode() if dice.random() < 0.8 else text[:200])]
        elif kind == "file":
            lines = [named % dice.choice((b"record", b"photo")) + b'; filename="' + text[:200] + b'"']
            renamed = {"do": "adjust", "what": "player-renamed", "player": 0, "name": text.decode("latin-1")}
            record = {"format": 1, "game": "farkle", "options": {}, "players": ["Ada", "Bob"], "actions": [renamed]}
            content = json.dumps(record).encode()
        elif kind == "nested":
            lines = [named % b"record", b"Content-Type: multipart/mixed; boundary=C"]
            content = b'--C\r\nContent-Disposition: file; filename="a"\r\n\r\n' + text + b"\r\n--C--"
        lines += [dice.choice(PART_KINDS)] * dice.choice((0, 0, 1))
        return b"\r\n".join(lines) + b"\r\n\r\n" + content

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
