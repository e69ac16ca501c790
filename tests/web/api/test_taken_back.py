"""Who may hear no more of a table hears no more: open streams end, whichever right they came by."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tests.web.api.test_api_v1 import bearer
from tests.web.api.test_events import Program, make_token
from tests.web.served import UNPREPARED, Served
from web.store.server_tokens import create_token, revoke_token, token_hash
from web.table.access_list import table_id

pytestmark = pytest.mark.whole


class Home:
    """The servers of one home. `asked`: where rights are taken back; `heard`: where programs listen, the same or
    another server of the same database."""

    def __init__(self, asked: Served, heard: Served, database: str | None) -> None:
        self.asked, self.heard, self.database = Program(asked), Program(heard), database

    def owner_token(self) -> str:
        return self._tokens(lambda shared: shared.create("lamp"), lambda data: create_token(data, "lamp"))

    def revoke(self, token: str) -> None:
        """As `rollcall token revoke` does, in another process than the servers'."""
        shown = token_hash(token)
        self._tokens(lambda shared: shared.revoke(shown), lambda data: revoke_token(data, shown))

    def _tokens(self, shared: Callable[[Any], Any], own: Callable[[Path], Any]) -> Any:
        if self.database is None:
            return own(self.asked.server.data)
        from web.hosts.cluster.shared_store import SharedStore, SharedTokens

        with closing(SharedStore(self.database)) as store:
            return shared(SharedTokens(store))

    def close(self) -> None:
        self.asked.close()
        self.heard.close()

    def guest(self, key: str, name: str) -> dict[str, str]:
        """The cookie of a further phone, which has opened the table's page."""
        line = self.asked.connection()
        line.request("GET", f"/tables/{key}", headers={"Cookie": f"device-name={name}"})
        answer = line.getresponse()
        answer.read()
        line.close()
        found = [each for each in answer.headers.get_all("Set-Cookie", []) if each.startswith("device=")]
        return {"Cookie": found[0].partition(";")[0]}


@pytest.fixture(scope="module", params=["http", "https", "database"])
def servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[Served], str | None]]:
    """One, or two with the address of their database."""
    database: str | None = None
    if request.param == "database":
        database = request.getfixturevalue("server").new(request.getfixturevalue("prepared"))
    arguments = [] if database is None else ["--database", database]
    folder = tmp_path_factory.mktemp("home")
    with ExitStack() as opened:
        yield (
            [
                opened.enter_context(
                    Served(folder / str(each), request.param == "https", arguments=arguments, program=UNPREPARED)
                )
                for each in range(1 if database is None else 2)
            ],
            database,
        )


@pytest.fixture
def home(servers: tuple[list[Served], str | None]) -> Iterator[Home]:
    started, database = servers
    made = Home(started[0], started[-1], database)
    yield made
    made.close()


def heard_after(stream: Any) -> bytes:
    """What a stream told until it ended; a server may cut it."""
    try:
        return bytes(stream.read())
    except http.client.IncompleteRead as cut:
        return cut.partial


def listen(home: Home, table: str, headers: dict[str, str]) -> Any:
    stream = home.heard.listen(f"/api/v1/tables/{table}/events", **headers)
    assert stream.status == 200
    assert stream.readline().startswith(b"retry:")
    return stream


def expect_end(stream: Any, reason: str) -> None:
    """It ends, and says why."""
    heard = heard_after(stream)
    assert b"event: throw" not in heard
    assert reason.encode() in heard.partition(b"event: gone")[2]


def test_a_token_of_the_machines_owner_that_is_revoked_ends_what_it_opened(home: Home) -> None:
    key, token, kept = home.asked.start(), home.owner_token(), home.owner_token()
    stream = listen(home, key, bearer(token))
    other = listen(home, key, bearer(kept))
    home.revoke(token)
    expect_end(stream, "token-unknown")
    home.asked.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
    while b"throw-confirmed" not in other.readline():  # another token of the same owner goes on
        pass


def test_a_token_of_a_table_that_is_taken_back_ends_what_it_opened(home: Home) -> None:
    key = home.asked.start()
    token, kept = make_token(home.asked, key), make_token(home.asked, key, name="other")
    stream = listen(home, table_id(key), bearer(token))
    other = listen(home, table_id(key), bearer(kept))
    cookie = {"Cookie": home.asked.cookie}
    listed = home.asked.ask("GET", f"/api/v1/tables/{key}/programs", **cookie)[1]
    wanted = next(each["program"] for each in listed if each["name"] == "lamp")
    home.asked.ask("POST", f"/api/v1/tables/{key}/programs/removed", {"program": wanted}, **cookie)
    expect_end(stream, "token-unknown")
    home.asked.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
    while b"throw-confirmed" not in other.readline():
        pass


def test_a_link_that_shows_a_table_ends_when_it_is_taken_back(home: Home) -> None:
    key = home.asked.start()
    token, cookie = make_token(home.asked, key, may="show"), {"Cookie": home.asked.cookie}
    stream = home.heard.listen(f"/o/{token}/events")
    while not stream.readline().startswith(b"data: {"):
        pass
    listed = home.asked.ask("GET", f"/api/v1/tables/{key}/programs", **cookie)[1]
    home.asked.ask("POST", f"/api/v1/tables/{key}/programs/removed", {"program": listed[0]["program"]}, **cookie)
    assert b"event: state" not in heard_after(stream)


def test_a_deleted_table_ends_all_that_listens_to_it(home: Home) -> None:
    key, token = home.asked.start(), home.owner_token()
    of_table = make_token(home.asked, key)
    shows = make_token(home.asked, key, may="show")
    cookie = {"Cookie": home.asked.cookie}
    overlay = home.heard.listen(f"/o/{shows}/events")
    phone = home.heard.listen(f"/api/v1/tables/{key}/states", **cookie)
    every = [
        listen(home, table, headers)
        for table, headers in ((key, {}), (key, bearer(token)), (table_id(key), bearer(of_table)))
    ]
    home.asked.ask("POST", f"/api/v1/tables/{key}/deleted", {"deleted": True}, **cookie)
    for stream in every:
        expect_end(stream, "table-deleted")
    for stream in (overlay, phone):
        assert heard_after(stream).count(b"event: state") <= 1  # the first one


def test_a_phone_that_is_removed_and_a_key_without_a_name_hear_no_more(home: Home) -> None:
    """Once a phone is removed, strangers with the key need an invitation: programs with the key alone are strangers."""
    key = home.asked.start()
    cookie, bob = {"Cookie": home.asked.cookie}, home.guest(key, "Bob")
    phone = home.heard.listen(f"/api/v1/tables/{key}/states", **bob)
    while not phone.readline().startswith(b"data: {"):
        pass
    stream = listen(home, key, {})
    listed = home.asked.ask("GET", f"/api/v1/tables/{key}/phones", Accept="application/json", **cookie)[1]
    wanted = next(each["phone"] for each in listed if each["name"] == "Bob")
    status, told = home.asked.ask("POST", f"/api/v1/tables/{key}/phones", {"phone": wanted, "out": True}, **cookie)
    assert status == 200, told
    expect_end(stream, "invitation-needed")
    assert b'"guarded":true' not in heard_after(phone)  # which the table is since then
