"""Requests of raw bytes: every header with what it must not hold, and forms of parts that no browser sends.

Where `fuzzing` changes what phones ask for, this goes by what HTTP has: each header that some part of the program or
of its libraries reads, each kind of part. Everything comes from one seed; the routes are those of the application.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from werkzeug.routing import Map

from tests.reliability.fuzzing import ARGUMENT
from tests.web.phones import any_legal

Card = TypeVar("Card")

LONG = 3000  # bytes: h11 takes 64 kB of headers in all
FORMS = ("pages.new_table", "pages.import_record", "pages.settings", "api.photo")  # which are asked more often
# Names of fields that some form of ours has, and names that mean something to parsers of forms.
FIELDS = ("game", "player", "record", "photo", "version", "keep", "request", "stand", "begins", "code", "name", "back",
          "language", "advice", "keep_corrections", "farkle.target", "_charset_", "isindex", "")  # fmt: skip
# Texts that a store, a log or a page could stumble over, as bytes.
TEXTS: tuple[bytes, ...] = (
    b"", b"Ada", b"\0", b"Ad\0a", b"\xff\xfe", b"\xed\xa0\x80", "\u202eadA".encode(), "Ad\u200ba".encode(), b"\x1b[2J",
    b"a" * LONG, "\U0001f3b2".encode() * 90, b"\r\nSet-Cookie: a=b", b"{detail}", b"%s%n", b"' OR 1=1 --", b"\x85\xa0",
    b"\xf4\x90\x80\x80", "\ufeff\ufffe\uffff".encode(), b"<script>", b"\\", b'"', b"1e9999", b"9" * 400, b"-1", b"NaN",
)  # fmt: skip

_DAY = b"Thu, 01 Jan "
DATES: tuple[bytes, ...] = (
    _DAY + b"2026 00:00:00 GMT", _DAY + b"99999999999 00:00:00 GMT", _DAY + b"2020 00:00:99999999999999999999 GMT",
    _DAY + b"2020 99999999999999999999:00:00 GMT", _DAY + b"0 00:00:00 GMT", _DAY + b"9999 23:59:59 -2359",
    _DAY + b"0001 00:00:00 +2359", _DAY + b"2020 00:00:00 +99999999999999", b"31 Dec 9999 23:59:60 GMT", b"-1", b"0",
    b"Thu, 99999999999999999999 Jan 2020 00:00:00 GMT", b"1 Jan 1", b"2020-01-01", b",,,,", _DAY + b"9" * 5000,
    _DAY + b"\xd9\xa2\xd9\xa0 00:00:00 GMT", b"Thursday, 01-Jan-99999999999 00:00:00 GMT",
)  # fmt: skip
RANGES: tuple[bytes, ...] = (
    b"bytes=0-3", b"bytes=0-", b"bytes=-1", b"bytes=-0", b"bytes=" + b"9" * 30 + b"-", b"bytes=5-1", b"bytes=0-1,2-3",
    b"bytes=" + b"0-1," * 500, b"bytes=\xb2-\xb3", b"bytes=a-b", b"bytes", b"=", b"lines=1-2", b"bytes=--1",
    b"bytes=0-0,",
    b"bytes=" + b"9" * 5000 + b"-", b"bytes= 0 - 1", b"bytes=-" + b"9" * 30,
)  # fmt: skip
TAGS: tuple[bytes, ...] = (
    b"*", b'"a"', b'W/"a"', b'"', b'W/"', b'"a', b'w/"a", "b', b"a, b" * 200, b'"\xff"', b'"a",,,"',
    b'"' + b"\\" * LONG,
)  # fmt: skip
QUALITIES: tuple[bytes, ...] = (
    b"*", b"*/*", b"text/html", b"cs", b"gzip", b"cs;q=nan", b"pl;q=inf", b"cs;q=-1", b"cs;q=1e400", b"cs;q=0.5;q=0.1",
    b"text/html;q=" + b"9" * 400, b"text/html;q=\xb2", b";;;,,,", b"/", b"text/", b"/html", b"text/html/x",
    b"a/b;c=d;e",
    b'a/b;c="d', b"a/b;c*=utf-8''%ff", b"a/b;c*=bogus''x", b"a/b;c*0=x;c*1*=%zz", b"cs-" * 900, b"x" * LONG, b"cs_CZ",
    b"cs;q=" + b"9" * 5000, b"a/b;" * 500, b"\xd9\xa2;q=\xd9\xa2",
)  # fmt: skip
KINDS: tuple[bytes, ...] = (
    b"application/json", b"application/json; charset=utf-7", b"application/json; charset=\xff", b"text/plain", b"/",
    b"\xff",
    b"application/x-www-form-urlencoded", b"application/x-www-form-urlencoded; charset=rot13", b"multipart/form-data",
    b"multipart/form-data; boundary=", b'multipart/form-data; boundary="', b"multipart/form-data; boundary=\xff\xfe",
    b"multipart/form-data; boundary*=utf-8''%ff", b"multipart/form-data; boundary*=bogus''x",
    b"multipart/mixed; boundary=B",
    b"multipart/form-data; boundary=" + b"x" * LONG, b"multipart/form-data; boundary*0=a; boundary*1=b",
    b"; boundary=B",
    b"multipart/form-data; boundary=B; boundary=C", b"multipart/form-data; boundary=(?P<a>.*)+[", b"a/b" * 500,
)  # fmt: skip
COOKIES: tuple[bytes, ...] = (
    b"device=\xff", b"other=\x80\x81", b"device-name=%00abc", b"device-name=%E2%80%AEevil", b"device-name=\xff",
    b"device-name=%ED%A0%80", b"device-name=%1B%5B2J", b"device-name=" + b"%F0%9F%92%A5" * 200, b"language=\xff",
    b"=;=;",
    b'device="\\377\\000"', b'device-name="\\377"', b'device-name="\\000abc"', b"device-number=\xb2",
    b"device-number=999",
    b"device-name=%", b"device-name=%zz", b";" * LONG, b"a=b;" * 700, b"device=" + b"a" * 63, b'language="cs',
    b"\xff=\xff",
)  # fmt: skip
HOSTS: tuple[bytes, ...] = (
    b"", b"\xff", b"[::1", b"[::1]:x", b"[::1]:99999", b"127.0.0.1:0", b"127.0.0.1:99999", b"a" * LONG,
    b"127.0.0.1:\xb2",
    b"a b", b"a/b", b"a@b", b"a?b", b"a#b", b"::1", b"[v1.a]", b"xn--\xff", b"localhost:" + b"9" * 5000, b"%00",
)  # fmt: skip
SITES: tuple[bytes, ...] = (
    b"null", b"http://[", b"http://[::1", b"http://\xff", b"://", b"http://a:b:c", b"http://a:99999999999999999999",
    b"\xff",
    b"http://" + b"a" * LONG, b"http://\xe2\x84\x80", b"https://127.0.0.1/%ff", b"a" * LONG, b"//",
    b"http://[1::1%25\xff]",
)  # fmt: skip
ADDRESSES: tuple[bytes, ...] = (
    b"unknown", b"_hidden", b"\xff", b"1.2.3.4, \xff", b",,,,", b"1.2.3.4:99999", b"[::1", b"[::1]:x",
    b"::ffff:1.2.3.4",
    b"fe80::1%\xff", b"1" * LONG, b"1.2.3.4," * 300, b"0x7f.1", b"\xd9\xa1.2.3.4", b"for=1.2.3.4;by=\xff",
    b"http, https",
)  # fmt: skip
TOKENS: tuple[bytes, ...] = (
    b"Basic", b"Basic \xff", b"Basic " + b"=" * 9, b"Basic /////w==", b"Basic QQ==", b"Bearer", b"Bearer \xff",
    b"Digest a=b",
    b'Digest username="\xff', b"Digest " + b"a=" * 500, b"\xff \xff", b"Bearer " + b"a" * LONG, b" ",
    b"Digest a*=bogus''x",
)  # fmt: skip
ANY: tuple[bytes, ...] = (
    b"",
    b"\xff",
    b"\x80" * 40,
    b"\x01\x02\x7f",
    b"a" * LONG,
    b"cross-site",
    b"document",
    b"image/*",
    *TEXTS,
)

# Each header that the program or one of its libraries reads, and some that they might. Where no answer need come at
# once (the server waits for more, or has been told another length), `WAITING` names it.
HEADERS: Mapping[str, Sequence[bytes]] = {
    "Host": HOSTS, "X-Forwarded-Host": HOSTS, "Origin": SITES, "Referer": SITES, "Range": RANGES,
    "If-Range": DATES + TAGS,
    "If-Modified-Since": DATES, "If-Unmodified-Since": DATES, "Date": DATES, "If-Match": TAGS, "If-None-Match": TAGS,
    "Accept": QUALITIES, "Accept-Language": QUALITIES, "Accept-Encoding": QUALITIES, "Accept-Charset": QUALITIES,
    "Content-Type": KINDS, "Cookie": COOKIES, "X-Forwarded-For": ADDRESSES, "X-Forwarded-Proto": ADDRESSES, "TE": ANY,
    "X-Forwarded-Port": ADDRESSES, "Forwarded": ADDRESSES, "X-Real-IP": ADDRESSES, "Authorization": TOKENS,
    "Proxy-Authorization": TOKENS, "User-Agent": ANY, "Sec-Fetch-Site": ANY, "Sec-Fetch-Dest": ANY,
    "Sec-Fetch-Mode": ANY,
    "Cache-Control": (b"max-age=\xff", b"max-age=" + b"9" * 5000, b"=,=,=", b'a="', b"max-age=\xb2", b"no-cache"),
    "Pragma": ANY, "Max-Forwards": (b"\xb2", b"-1", b"9" * 5000, b"x"), "Content-Encoding": (b"gzip", b"\xff",
    b"br, br"),
    "Content-MD5": ANY, "Content-Disposition": ANY, "Content-Range": RANGES, "Access-Control-Request-Method": ANY,
    "Access-Control-Request-Headers": (b"a,b,\xff", b",,,"), "X-HTTP-Method-Override": (b"DELETE", b"\xff"),
    "From": ANY,
    "Last-Event-ID": ANY, "X-Request-ID": ANY, "Via": ANY, "Upgrade": (b"websocket", b"h2c", b"\xff"),
    "Connection": ANY,
    "Keep-Alive": ANY, "Trailer": ANY, "Upgrade-Insecure-Requests": ANY, "DNT": ANY, "Save-Data": ANY, "X-Unknown": ANY,
    "Expect": (b"100-continue", b"\xff"), "Transfer-Encoding": (b"chunked", b"gzip", b"\xff", b"chunked, identity"),
    "Content-Length": (b"-1", b"+1", b"1e3", b"\xb2", b"0x10", b"9" * 30, b"9" * 5000, b"", b"1, 2", b"\xd9\xa1"),
}  # fmt: skip
WAITING = frozenset({"Expect", "Transfer-Encoding", "Content-Length", "Upgrade", "Connection"})
# What only some of the paths beside the map look at: files, and live updates, which come first.
OF_FILES = frozenset({"If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range", "If-None-Match", "Cookie"})
QUERIES: tuple[bytes, ...] = (
    b"%", b"%z=%z", b"%00=%00", b"name=%00", b"name=%ED%A0%80&game=farkle", b"game=%FF%FE", b"=&=&", b"&" * LONG,
    b"a" * LONG,
    b"code=%E2%80%AE", b"stamp=%0d%0a", b"after=%D9%A1", b"after=" + b"9" * 5000, b"player=-1", b"player=1e9",
    b"a=b;c=d",
    b"plays_for=%C2%B2", b"part", b"luck&name=%F0%90%80", b"taken=%00%ff", b"+" * 200, b"a[]=1&a[]=2", b"?" * 90,
    b"name=%u1234",
)  # fmt: skip
SEGMENTS = (
    b"%00", b"%ff%fe", b"%ed%a0%80", b"%", b"%zz", b"..%2f..%2fetc%2fpasswd", b"%2e%2e", b"%e2%80%ae", b"a" * LONG,
    b"%0d%0a",
    b"%F4%90%80%80", b"con", b"*", b"%25%30%30", b";a=b", b"%c2%85", b"'%22", b"table.js%00.png", b"-", b"%5c",
)  # fmt: skip
DISPOSITIONS: tuple[bytes, ...] = (
    b"Content-Disposition: form-data", b"Content-Disposition: form-data; name=", b"", b"Content-Disposition:",
    b'Content-Disposition: form-data; name="', b"Content-Disposition: form-data; name*=utf-8''%ff%00",
    b"Content-Disposition: form-data; name*=bogus''player", b"Content-Disposition: form-data; name*0=pla; name*1=yer",
    b'Content-Disposition: form-data; filename="a.json"', b"Content-Disposition: form-data; filename*=utf-16''%ff%fe",
    b'Content-Disposition: attachment; name="record"; filename="a"', b"Content-Disposition: \xff\xfe; name=\xff",
    b'Content-Disposition: form-data; name="photo"; filename=""', b"Content-Type: text/plain", b"no header at all",
    b'Content-Disposition: form-data; name="record"; filename*=bogus\'\'a', b": : :", b"\xff: \xff", b" folded: yes",
    b'Content-Disposition: form-data; name="player"; name="game"',
    b"Content-Disposition: form-data; name=player; " + b"a=b; " * 400,
    b'Content-Disposition: form-data; name="record"; filename="../../etc/passwd\0"', b"X: " + b"a" * 20_000,
)  # fmt: skip
PART_KINDS: tuple[bytes, ...] = (
    b"Content-Type: text/plain; charset=rot13", b"Content-Type: text/plain; charset=\xff", b"Content-Type: \xff",
    b"Content-Type: text/plain; charset=utf-16", b"Content-Type: multipart/mixed; boundary=C", b"Content-Type: ;",
    b"Content-Transfer-Encoding: base64", b"Content-Transfer-Encoding: \xff", b"Content-Length: -1",
    b"Content-Length: \xb2", b"Content-Length: 99999999999999999999", b"Content-Type: text/plain; charset=idna",
    b"Content-Type: text/plain; charset=unicode_escape", b"Content-Type: text/plain; charset=base64",
)  # fmt: skip


@dataclass(frozen=True)
class RawRequest:
    """`waits`: no answer need come, since more of the request may, or since it is no HTTP."""

    what: str
    method: str
    data: bytes
    waits: bool


class Deck(Generic[Card]):
    """Cards in an order of chance, each once before any comes twice."""

    def __init__(self, cards: Sequence[Card], dice: random.Random) -> None:
        self._cards, self._dice, self._left = cards, dice, list[Card]()

    def next(self) -> Card:
        if not self._left:
            self._left = self._dice.sample(self._cards, len(self._cards))
        return self._left.pop()


class RawRequests:
    """An endless row of requests. `tables`: paths of tables; `beside`: paths that are on no map, such as `/health`."""

    def __init__(self, routes: Map, tables: Sequence[str], beside: Sequence[str], port: int, seed: int) -> None:
        self._rules = list(routes.iter_rules())
        self._rules += 4 * [rule for rule in self._rules if rule.endpoint in FORMS]
        self._tables = tables
        self._beside = beside
        self._port = port
        self._dice = random.Random(seed)
        self._values = Deck([(name, value) for name, values in HEADERS.items() for value in values], self._dice)
        self._dispositions = Deck(DISPOSITIONS, self._dice)

    def next(self) -> RawRequest:
        dice = self._dice
        wrong = [self._wrong_header() for _ in range(dice.choice((1, 1, 2, 4)))]
        method, path, is_changing = self._target({name for name, _ in wrong})
        if dice.random() < 0.3:
            path += b"?" + dice.choice(QUERIES)
        body, kind = self._body() if is_changing else (b"", None)
        headers: dict[str, list[bytes]] = {
            "Host": [f"127.0.0.1:{self._port}".encode()],
            "Accept": [dice.choice((b"text/html", b"application/json", b"*/*"))],
            "Cookie": [b"device=" + b"a" * 24],
        }
        if kind is not None:
            headers["Content-Type"] = [kind]
        if is_changing or body:
            headers["Content-Length"] = [str(len(body)).encode()]
        if body and dice.random() < 0.5:  # the form alone is what is wrong
            wrong = []
        for name, value in wrong:
            # Instead of the right one, beside it, or in two lines.
            there = headers.get(name, []) if dice.random() < 0.2 else []
            headers[name] = [*there, value]
        if dice.random() < 0.5 and "If-Range" in headers and "Range" not in headers:
            headers["Range"] = [b"bytes=0-3"]
        lines = [name.encode() + b": " + value for name, values in headers.items() for value in values]
        dice.shuffle(lines)
        head = method + b" " + path + b" HTTP/1.1\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n"
        is_http = not any(each in head.replace(b"\r\n", b"") for each in (b"\0", b"\r", b"\n"))
        return RawRequest(
            what=f"{method.decode()} {path[:100]!r} {wrong!r:.600}",
            method=method.decode(),
            data=head + body,
            waits=not is_http or any(name in WAITING for name, _ in wrong),
        )

    def action(self, table: str, state: Any) -> RawRequest:
        """A change that is legal where the table stands so, of a phone whose cookies or browser are odd: it is done."""
        dice = self._dice
        is_over = state["standing"]["over"] or not state["standing"]["legal"]
        path = (
            f"/api/v1{table}/undo" if state["steps"] and (is_over or dice.random() < 0.3) else f"/api/v1{table}/actions"
        )
        body = {"version": state["version"], "request": f"{dice.getrandbits(96):024x}"}
        if path.endswith("/actions"):
            body["action"] = any_legal(state["standing"], dice)
        data = json.dumps(body).encode()
        odd = dice.choice(("Cookie", "Cookie", "User-Agent", "Accept-Language", "If-Modified-Since"))
        value = dice.choice(HEADERS[odd])
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: application/json\r\n".encode()
        head += b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(data)
        head += odd.encode() + b": " + value.translate(None, b"\0\r\n").strip() + b"\r\n\r\n"
        return RawRequest(f"POST {path} {odd}: {value!r:.300}", "POST", head + data, waits=False)

    def _target(self, wrong: Collection[str]) -> tuple[bytes, bytes, bool]:
        """The method, the path, and whether a body goes with it; more often one that looks at these headers."""
        dice = self._dice
        if dice.random() < (0.7 if OF_FILES.intersection(wrong) else 0.3):
            return dice.choice((b"GET", b"GET", b"HEAD")), dice.choice(self._beside).encode(), False
        rule = dice.choice(self._rules)
        methods = sorted(rule.methods or {"GET"})
        changing = [each for each in methods if each in ("POST", "DELETE")]
        method = dice.choice(changing) if changing and dice.random() < 0.9 else dice.choice(methods)
        path = b""
        for number, piece in enumerate(ARGUMENT.split(rule.rule)):
            path += piece.encode() if number % 2 == 0 else self._argument(piece)
        return method.encode(), path, method == "POST"

    def _argument(self, name: str) -> bytes:
        known = {
            "key": [table.rsplit("/", 1)[1] for table in self._tables],
            "game": ["farkle"],
            "name": ["table/table.js"],
        }
        if self._dice.random() < 0.15:
            return self._dice.choice(SEGMENTS)
        return quote(self._dice.choice(known.get(name, ["x"]))).encode()

    def _wrong_header(self) -> tuple[str, bytes]:
        dice = self._dice
        chance = dice.random()
        if chance < 0.6:
            return self._values.next()
        name = dice.choice(sorted(HEADERS))
        if chance < 0.8:  # bytes by chance; HTTP itself rules out three
            return name, bytes(
                dice.choice([*range(1, 10), 11, 12, *range(14, 256)]) for _ in range(dice.randint(0, 60))
            )
        return name, self._change(dice.choice(HEADERS[name]))

    def _change(self, value: bytes) -> bytes:
        changed = bytearray(value)
        for _ in range(self._dice.randint(1, 3)):
            at = self._dice.randrange(len(changed) + 1)
            changed[at : at + self._dice.randint(0, 2)] = bytes([self._dice.randint(0x20, 0xFF)])
        return bytes(changed)

    def _body(self) -> tuple[bytes, bytes]:
        chance = self._dice.random()
        if chance < 0.6:
            return self._multipart()
        if chance < 0.8:
            return self._form(), b"application/x-www-form-urlencoded"
        return self._json(), b"application/json"

    def _form(self) -> bytes:
        pairs = [
            self._dice.choice(FIELDS).encode() + b"=" + self._form_value() for _ in range(self._dice.randint(0, 6))
        ]
        return b"&".join(pairs)

    def _form_value(self) -> bytes:
        text = self._dice.choice(TEXTS)
        return text if self._dice.random() < 0.3 else quote(text).encode()

    def _json(self) -> bytes:
        text = self._dice.choice(TEXTS).decode("utf-8", "surrogateescape")
        wanted = {
            "do": "adjust",
            "what": self._dice.choice(("player-renamed", "player-added")),
            "player": 0,
            "name": text,
        }
        body = {
            "version": 0,
            "request": self._dice.choice((text, f"request-{self._dice.getrandbits(40)}")),
            "action": wanted,
        }
        body |= {"name": text, "phone": text, "advice": text, "id": text, "step": 1, "way": 0, "dice": [1]}
        if self._dice.random() < 0.3:
            body["evidence"] = {"reading": text, "dice": []}
        data = json.dumps(body, ensure_ascii=self._dice.random() < 0.7)
        return data.encode("utf-8", "surrogatepass")

    def _multipart(self) -> tuple[bytes, bytes]:
        dice = self._dice
        boundary = dice.choice((b"B", b"----WebKitFormBoundaryx", b"'()+_,-./:=?"))
        parts = [dice.choice(self._kinds_of_parts())() for _ in range(dice.choice((1, 1, 2, 3, 6)))]
        if dice.random() < 0.04:
            parts *= dice.choice((400, 900))
        end = b"\n" if dice.random() < 0.1 else b"\r\n"
        body = b"".join(b"--" + boundary + end + part + end for part in parts)
        body = dice.choice((b"", b"", b"", b"preamble\r\n", b"\r\n")) + body
        if dice.random() < 0.9:
            body += b"--" + boundary + b"--" + dice.choice((end, b"", b"epilogue"))
        if dice.random() < 0.15:
            body = self._change(body)
        return body, b'multipart/form-data; boundary="' + boundary + b'"'

    def _kinds_of_parts(self) -> Sequence[Callable[[], bytes]]:
        return (self._hostile_part, self._hostile_part, self._field, self._file, self._nested_part)

    def _hostile_part(self) -> bytes:
        lines = [self._dispositions.next()] + [self._dice.choice(PART_KINDS)] * self._dice.choice((0, 0, 1))
        return b"\r\n".join(lines) + b"\r\n\r\n" + self._dice.choice(TEXTS)

    def _field(self) -> bytes:
        name = self._dice.choice(FIELDS).encode() if self._dice.random() < 0.8 else self._dice.choice(TEXTS)[:200]
        lines = [b'Content-Disposition: form-data; name="' + name + b'"']
        lines += [self._dice.choice(PART_KINDS)] * self._dice.choice((0, 1))
        return b"\r\n".join(lines) + b"\r\n\r\n" + self._dice.choice(TEXTS)

    def _file(self) -> bytes:
        name = self._dice.choice((b"record", b"photo"))
        lines = [
            b'Content-Disposition: form-data; name="' + name + b'"; filename="' + self._dice.choice(TEXTS)[:200] + b'"'
        ]
        lines += [self._dice.choice(PART_KINDS)] * self._dice.choice((0, 1))
        text = self._dice.choice(TEXTS).decode("utf-8", "surrogateescape")
        renamed = {"do": "adjust", "what": "player-renamed", "player": 0, "name": text}
        record = {"format": 1, "game": "farkle", "options": {}, "players": ["Ada", text], "actions": [renamed]}
        return b"\r\n".join(lines) + b"\r\n\r\n" + json.dumps(record).encode()

    def _nested_part(self) -> bytes:
        inner = b'--C\r\nContent-Disposition: file; filename="a"\r\n\r\n' + self._dice.choice(TEXTS) + b"\r\n--C--"
        return (
            b'Content-Disposition: form-data; name="record"\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n'
            + inner
        )
