"""Bytes that headers, addresses and parts of forms must not hold: of each kind that the program or a library reads."""

from collections.abc import Mapping, Sequence

LONG = 3000  # bytes: h11 takes 64 kB of headers in all
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
    b'device="\\377\\000"', b'device-name="\\377"', b'device-name="\\000abc"',
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
