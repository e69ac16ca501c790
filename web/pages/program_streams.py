"""What programs are sent by a WebSocket."""

import asyncio
from collections.abc import Callable
from urllib.parse import parse_qs

import msgspec

from web.pages import bearer
from web.pages.access import admit
from web.pages.streams import number_of
from web.problems import DETAILS, WANTS_TOKEN, Problem, as_details
from web.server import live, web_sockets
from web.server.asgi import NOT_KEPT, Headers, Receive, Scope, Send, socket_of
from web.server.headers import header
from web.server.keys import Keys
from web.server.security import check_host
from web.server.wsgi_bridge import connection_of
from web.services import Services
from web.session.commands import Asker


async def tell_program(parts: Services, keys: Keys, secure: bool, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers one WebSocket. `secure`: whether it must come over https."""
    connection, name = connection_of(scope), socket_of(scope)
    try:
        host = header(scope, "host")
        check_host(parts.hosts, host)
        if secure and scope["scheme"] in ("ws", "http"):
            raise Problem("https-wanted", 403, host=host)
        if web_sockets.is_from_another_site(scope):
            raise Problem("cross-site", 403)
        if name is None:
            raise Problem("not-found", 404)
        authorization = header(scope, "authorization")
        key, phone = await asyncio.to_thread(_program, parts, name, connection.owner, authorization)
        heartbeat_s = live.HEARTBEAT_S if phone or not authorization else live.RECHECKED_S
        with parts.hub.listening(key, connection, phone, speaks=True, heartbeat_s=heartbeat_s) as listener:
            keys.note(key)
            messages = _messages(parts, key, phone, scope)
            await web_sockets.tell_events(parts.hub, listener, messages, receive, send)
    except Problem as problem:
        await web_sockets.refuse_socket(send, problem.status, *_refusal(problem))


def _program(parts: Services, name: str, address: str, authorization: str) -> tuple[str, str]:
    """The key of the table that a listener may hear of, and who the listener is. Raises `Problem`."""
    caller = bearer.table_of_caller(parts, name, bearer.Credentials(authorization, address))
    admit(parts, caller.key, address, caller.asker)
    return caller.key, caller.asker.phone or ""


def _messages(parts: Services, key: str, phone: str, scope: Scope) -> Callable[[], list[bytes]]:
    """What a listener is sent, whenever it is called: the JSON of all that is new since. It raises `Problem` for one
    that has lost the right to it."""
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
    cursor = parts.event_feeds.cursor(key, number_of(header(scope, "last-event-id"), asked), Asker(phone))
    authorization = header(scope, "authorization")

    def read() -> list[bytes]:
        if authorization and not phone:  # the table knows its own tokens alone
            bearer.check_still_owner(parts, authorization)
        return [msgspec.json.encode(each) for each in cursor.read()]

    return read


def _refusal(problem: Problem) -> tuple[Headers, bytes]:
    """The headers and the body of a refusal, in English."""
    body = msgspec.json.encode(as_details(problem, str(problem), problem.status))
    headers = [(b"content-type", DETAILS.encode()), NOT_KEPT, (b"content-length", b"%d" % len(body))]
    if problem.status == 401:
        headers.append((b"www-authenticate", WANTS_TOKEN.encode()))
    if problem.again_s:
        headers.append((b"retry-after", b"%d" % problem.again_s))
    return headers, body
