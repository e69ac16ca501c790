"""What listeners are told: the same of every game, from the log alone, live and afterwards."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import scorer
from tests.web.api.test_api_v1 import bearer
from tests.web.phones import any_legal
from tests.web.served import UNPREPARED, Served
from web.store.server_tokens import create_token
from web.table import events
from web.table.access_list import table_id
from web.table.commands import SERVER, Act, Correct, Given, Undo
from web.table.deciding import decide
from web.table.happenings import TableEvent, events_after, line_events
from web.table.state import LoadedTable, State, empty_state, evolve, rebuild
from web.table.stored_table import TableRow

STEPS = 150
AT = Given("2026-01-01T00:00:00Z")


def begun(game: str) -> State:
    players = ("Ada", "Bob")
    row = TableRow(1, "a-key", "ABCDEF", game, {}, players, False, "", "", None)
    return empty_state(row)


def do(state: State, command: Any) -> State:
    decided = decide(state, command, SERVER, AT)
    return evolve(state, [each for each in decided.events if isinstance(each, events.Logged)], decided.played)


def correction(state: State, dice: random.Random, request: str) -> Correct:
    """Replaces a throw, if it finds one, and drops what does not hold then."""
    step = dice.randint(1, state.table.version)
    action = dict(state.table.actions[step - 1])
    if action["do"] == "throw":
        action["dice"] = [dice.randint(1, 6) for _ in action["dice"]]
    return Correct(version=state.version, request=request, step=step, action=action, drop_tail=True)


@pytest.mark.parametrize("key", [info.key for info in scorer.all_games()])
def test_every_game_tells_whose_turn_begins_and_when_it_is_over(key: str) -> None:
    """Whoever reads the log later is told the same, also of what was undone or corrected since."""
    dice, state, live = random.Random(key), begun(key), []
    for step in range(STEPS):
        if state.table.over:
            break
        request, before = f"request-{step}", state
        command: Any = Act(version=state.version, request=request, action=any_legal(state.table.standing(), dice))
        if step % 17 == 16:
            command = Undo(version=state.version, request=request)
        if step % 29 == 28:
            command = correction(state, dice, request)
        if step == STEPS - 1:
            over = {"do": "adjust", "what": "game", "over": True}
            command = Act(version=state.version, request=request, action=over)
        try:
            state = do(state, command)
        except scorer.Refusal:
            assert isinstance(command, Correct)
            continue
        told = [each for line in range(before.version, state.version) for each in line_events(state, line + 1)]
        turns = [each.player for each in told if each.event == "turn-begins"]
        was, now = before.table.to_act, state.table.to_act
        assert was == now or len(now) != 1 or state.table.over or turns[-1:] == now
        live += told
    numbers = [each.number or 0 for each in live]
    assert numbers == sorted(set(numbers))
    loaded = rebuild(LoadedTable(begun(key), state.entries))
    assert loaded.steps == state.steps
    assert list(events_after(loaded, 0)) == live
    half = len(live) // 2
    assert list(events_after(loaded, numbers[half])) == live[half + 1 :]
    if state.table.over:
        assert live[-1].event == "game-over"
        assert [each.score for each in live[-1].scores] == state.table.scores  # type: ignore[union-attr]
    kinds = [each.event for each in live]
    assert kinds.count("undone") == sum("undo" in line.body for line in state.entries)
    assert kinds.count("corrected") == sum("correct" in line.body for line in state.entries)
    assert "turn-begins" in kinds
    for each in live:
        msgspec.json.decode(msgspec.json.encode(each), type=TableEvent)


def test_no_step_is_played_twice_for_events(monkeypatch: pytest.MonkeyPatch) -> None:
    state, dice = begun("yatzy"), random.Random(1)
    for number in range(60):
        action = any_legal(state.table.standing(), dice)
        state = do(state, Act(version=state.version, request=f"request-{number}", action=action))
        if number % 6 == 5:  # what the last throw showed
            throw = max(place for place, each in enumerate(state.table.actions, 1) if each["do"] == "throw")
            action = state.table.actions[throw - 1]
            other = {**action, "dice": [7 - value for value in action["dice"]]}
            wanted = Correct(version=state.version, request=f"mend-{number}", step=throw, action=other, drop_tail=True)
            state = do(state, wanted)
    played, apply = [], scorer.Game.apply
    monkeypatch.setattr(scorer.Game, "apply", lambda game, *asked: played.append(1) or apply(game, *asked))  # type: ignore[func-returns-value]
    loaded = rebuild(LoadedTable(begun("yatzy"), state.entries))
    assert len(played) < 2 * state.version, "a correction plays on from the corrected step"
    played.clear()
    assert len(list(events_after(loaded, 0))) > state.version
    assert played == []


def test_a_bust_tells_what_it_lost() -> None:
    state = begun("zilch")
    for number, dice in enumerate(([1, 1, 1, 2, 3, 4], None, [2, 3, 4])):
        action = {"do": "set-aside", "dice": [1, 1, 1]} if dice is None else {"do": "throw", "dice": dice}
        state = do(state, Act(version=state.version, request=f"request-{number}", action=action))
    told = list(events_after(state, 0))
    assert [each.event for each in told] == ["throw-confirmed", "set-aside", "throw-confirmed", "bust", "turn-begins"]
    assert (told[3].name, told[3].points, told[4].name) == ("Ada", 1000, "Bob")


# --- live ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[False, True], ids=["http", "https"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("data") / "data", https=request.param) as made:
        yield made


class Program:
    """A program that talks to a server over a real connection."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.open: list[Any] = []

    def connection(self) -> http.client.HTTPConnection:
        return self.server.connect(30)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        line = self.connection()
        sent = None if body is None else json.dumps(body)
        if isinstance(body, dict):
            headers["Content-Type"] = "application/json"
        line.request(method, path, sent, headers)
        answer = line.getresponse()
        told = answer.read()
        line.close()
        return answer.status, json.loads(told) if told else None

    def close(self) -> None:
        for each, line in self.open:
            each.close()
            line.close()

    def start(self) -> str:
        line = self.connection()
        form = "game=zilch&player=Ada&player=Bob"
        line.request("POST", "/tables", form, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = line.getresponse()
        answer.read()
        self.cookie = str(answer.getheader("Set-Cookie")).partition(";")[0]
        line.close()
        return str(answer.getheader("Location")).rpartition("/")[2]

    def throw(self, key: str, number: int, version: int, action: dict[str, Any]) -> None:
        body = {"version": version, "request": f"request-{number}", "action": action}
        status, told = self.ask("POST", f"/api/v1/tables/{key}/actions", body)
        assert status == 200, told

    def listen(self, path: str, **headers: str) -> Any:
        line = self.connection()
        line.request("GET", path, headers={"Accept": "text/event-stream", **headers})
        answer = line.getresponse()
        self.open.append((answer, line))
        return answer


@pytest.fixture
def program(server: Served) -> Iterator[Program]:
    made = Program(server)
    yield made
    made.close()


def make_token(program: Program, key: str, **more: str) -> str:
    _, made = program.ask("POST", f"/api/v1/tables/{key}/programs", {"name": "lamp", **more}, Cookie=program.cookie)
    return str(made["token"])


def next_event(stream: Any) -> dict[str, Any]:
    while True:
        line = stream.readline()
        assert line, "the stream has ended"
        if line.startswith(b"data: {"):
            return json.loads(line[len(b"data: ") :])


def test_a_listener_hears_what_happens_and_goes_on_after_an_interruption(program: Program) -> None:
    key = program.start()
    stream = program.listen(f"/api/v1/tables/{key}/events")
    assert (stream.status, stream.getheader("Content-Type")) == (200, "text/event-stream")
    assert stream.readline().startswith(b"retry:")
    program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
    first = next_event(stream)
    assert (first["event"], first["dice"]) == ("throw-confirmed", [1, 1, 1, 2, 3, 4])
    program.throw(key, 2, 1, {"do": "set-aside", "dice": [1, 1, 1]})
    program.throw(key, 3, 2, {"do": "throw", "dice": [2, 3, 4]})
    again = program.listen(f"/api/v1/tables/{key}/events", **{"Last-Event-ID": str(first["number"])})
    heard = [next_event(again) for _ in range(4)]
    assert [each["event"] for each in heard] == ["set-aside", "throw-confirmed", "bust", "turn-begins"]
    _, page = program.ask("GET", f"/api/v1/tables/{key}/events")
    assert page["items"] == [first, *heard]


def test_a_photo_sent_by_a_program_is_seen_by_listeners(program: Program) -> None:
    key = program.start()
    stream = program.listen(f"/api/v1/tables/{key}/events")
    stream.readline()
    line = program.connection()
    photo = (Path(__file__).parents[2] / "pictures" / "throw-112455.jpg").read_bytes()
    line.request("POST", f"/api/v1/tables/{key}/photos?version=0", photo, {"Content-Type": "image/jpeg"})
    assert line.getresponse().status == 202
    seen = next_event(stream)
    assert (seen["event"], sorted(seen["dice"]), seen["number"]) == ("throw-seen", [1, 1, 2, 4, 5, 5], None)
    assert next_event(stream)["event"] == "somebody-waits"
    line.close()


def test_a_token_of_the_machine_listens_to_a_table_by_its_id(program: Program) -> None:
    """Its photos too are let in by the id."""
    key = program.start()
    owner = bearer(create_token(program.server.data, "owner"))
    program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    assert next_event(program.listen(f"/api/v1/tables/{table_id(key)}/events?after=0", **owner))["version"] == 1
    photo = f"/api/v1/tables/{table_id(key)}/photos?version=1"
    status, told = program.ask("POST", photo, "no photo", **owner, **{"Content-Type": "image/jpeg"})
    assert (status, told["reason"]) != (404, "table-unknown")
    assert refusal_of(program, "0" * 16, **owner) == (404, "table-unknown")


def refusal_of(program: Program, table: str, **headers: str) -> tuple[int, str]:
    answer = program.listen(f"/api/v1/tables/{table}/events", **headers)
    assert answer.getheader("Content-Type") == "application/problem+json"
    told = json.loads(answer.read())
    assert told["status"] == answer.status
    return told["status"], told["reason"]


def test_who_may_not_listen_is_refused(program: Program) -> None:
    key, other = program.start(), program.start()
    named, elsewhere = table_id(key), bearer(make_token(program, other))
    assert refusal_of(program, named) == (401, "token-wanted")
    assert refusal_of(program, named, **bearer("rollcall_wrong")) == (401, "token-unknown")
    assert refusal_of(program, named, **elsewhere) == (403, "token-elsewhere")
    assert refusal_of(program, "nobody-has-this-key") == (404, "table-unknown")
    assert refusal_of(program, key, Host="evil.example") == (421, "host-unknown")


def test_who_wants_a_web_socket_is_told_where_its_events_are(program: Program) -> None:
    key = program.start()
    handshake = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    path = f"/api/v1/tables/{key}/events"
    status, told = program.ask("GET", path, **handshake)
    assert (status, told["reason"]) == (410, "socket-gone")
    assert "text/event-stream" in told["detail"]
    assert program.ask("GET", path, Connection="Upgrade", Upgrade="h2c")[0] == 200
    assert program.ask("GET", f"/api/v1/tables/{key}", **handshake)[0] == 200


def test_a_server_that_ends_says_so(tmp_path: Path) -> None:
    with Served(tmp_path / "data", program=UNPREPARED) as server:
        program = Program(server)
        stream = program.listen(f"/api/v1/tables/{program.start()}/events")
        stream.readline()
        server.process.terminate()
        assert stream.read().strip().startswith(b"retry: ")
        program.close()
