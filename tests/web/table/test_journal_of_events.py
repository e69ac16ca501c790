"""A table is its events: stored as JSON and read back they are the same, and folded they give the same state."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from tests.web.phones import any_legal
from web.problems.problem import Problem
from web.table import commands, events, proof
from web.table.access_list import MOST_PHONES, Deletion, tag
from web.table.commands import SERVER, Act, Asker, Command, Correct, Evidence, Given, MarkedDie, Start, Undo
from web.table.deciding import SentBefore, decide, unfounded_samples
from web.table.events import Event, Stored, TableStarted, blob_hash, from_body
from web.table.json_document import RefusalDocument
from web.table.new_tables import start
from web.table.photo_state import Failed, FoundDie, PhotoDetails, Read, ReadingResult, Waiting
from web.table.proof import hash_in
from web.table.state import Decision, State, begin, evolve
from web.table.umpire import Conclusion, UmpireMemory
from web.table.view import TableSettings
from web.table.watching import Proposal, TableWatch

ROOT = Path(__file__).resolve().parents[3]
OWNER, GUEST = "the-owners-phone", "a-guests-phone"
GAMES = [info.key for info in scorer.games()]
OF_THE_SERVER = (
    commands.AddSample,
    commands.MovePhoto,
    commands.ChangePhoto,
    commands.EraseTable,
)
BOX = (0.0, 0.5, 9.0, 9.25)
KINDS = [each.__struct_config__.tag for each in Stored.__subclasses__()]


def at(number: int) -> str:
    return f"2026-11-25T10:{number // 60 % 60:02}:{number % 60:02}Z"


class Played:
    """A table that is played, with all its events as they would be stored."""

    def __init__(self, started: TableStarted) -> None:
        self.bodies = [msgspec.json.encode(started)]
        self.blobs: dict[str, bytes] = {}
        self.state = begin(7, started)
        self.number = 0

    def do(self, command: Command, phone: str | None = OWNER, **more: Any) -> Decision:
        self.number += 1
        told = Given(at(self.number), f"key-{self.number}", f"CODE{self.number}", **more)
        of_server = isinstance(command, OF_THE_SERVER) and phone == OWNER
        asker = SERVER if phone is None or of_server else Asker(phone, f"{phone}'s name, the {self.number % 3}")
        decision = decide(self.state, command, asker, told)
        self.happened(decision.events, decision)
        self.happened(unfounded_samples(self.state))
        return decision

    def happened(self, happened: Sequence[Event], decision: Decision | None = None) -> None:
        self.state = evolve(self.state, happened, decision.played if decision else None)
        self.blobs |= decision.blobs if decision else {}
        for each in happened:
            if isinstance(each, Stored):
                self.bodies.append(msgspec.json.encode(each))
                assert from_body(self.bodies[-1]) == each
                assert msgspec.json.decode(self.bodies[-1])["kind"] == each.__struct_config__.tag

    def act(self, action: dict[str, Any], **more: Any) -> None:
        given = {name: more.pop(name) for name in ("picture",) if name in more}
        act = Act(version=self.state.version, request=f"request-{self.number}", action=action, **more)
        self.do(act, **given)

    def check(self) -> None:
        """Its stored events alone give its state, but for what passes."""
        first, *others = map(from_body, self.bodies)
        assert isinstance(first, TableStarted)
        again = evolve(begin(7, first), others)
        now = msgspec.structs.replace(self.state.photo, place=1) if isinstance(self.state.photo, Waiting) else None
        for name in State.__dataclass_fields__:
            if name == "table":
                assert again.table.standing() == self.state.table.standing()
                assert again.table.record() == self.state.table.record()
            elif name == "photo":
                assert again.photo == (now or self.state.photo)
            elif name != "watched":
                assert getattr(again, name) == getattr(self.state, name), name


def a_table(game: str = "ones-and-fives", *players: str, **more: Any) -> Played:
    command = Start(game, {}, players or ("Ada", "Bob"), **more)
    return Played(start(command, Asker(OWNER), Given(at(0), "a-key", "ABCDEF")))


def a_photo(state: State, number: int, expects: int = 6) -> Read:
    die = FoundDie(value=1, confidence=0.9, sure=True, box=BOX, alternatives=[2, 6])
    seen = {"keep": [1], "set_aside": [3], "request": "a-request"}
    details = PhotoDetails(f"photo-{number}", "photo", "phone", state.version, expects, [3], **seen)
    problem = RefusalDocument(reason="no-dice", params={"box": [1, 2]}, text="?")
    return Read(details, 300, 400, ReadingResult([die], [die], [problem], trace="trace"), problem)


def settle(dice: random.Random, played: Played) -> None:
    """Somebody changes something besides the game."""
    state, number = played.state, played.number
    wanted: list[Command] = [
        commands.ChangeSettings(advice=dice.choice(["off", "odds", "best"])),
        commands.ChangeSettings(keeps_pictures=dice.random() < 0.7),
        commands.ChangeSettings(dice_set=dice.choice(["", "red"])),
        commands.Arrive(),
        commands.RemovePhone(dice.choice(["others", tag("a-key", GUEST)]), dice.random() < 0.5),
        commands.ConnectProgram(f"hash-{number}", "lamp", "act"),
        commands.RemoveProgram(tag("a-key", next(iter(state.access.programs), ""))),
        commands.AddWebhook(f"hook-{number}", "lamp", "http://x/", "00", "origin"),
        commands.DisconnectWebhook(next(iter(state.webhooks), "")),
        commands.CloseTable(dice.random() < 0.3),
        commands.CloseTable(False),
        commands.DeleteTable(),
        commands.DeleteTable(False),
        commands.ForgetDice(),
        commands.AddSample(state.version, b"sample %d" % number),
        commands.ShowPhoto(Waiting(a_photo(state, number).details)),
        commands.ShowPhoto(a_photo(state, number)),
        commands.ChangePhoto(Failed(a_photo(state, number).details, RefusalDocument(reason="x", params={})), None),
        commands.MovePhoto(2),
        commands.Discard(state.photo.details.id if state.photo else ""),
        commands.EraseTable(Deletion(OWNER, "never")),
    ]
    try:
        played.do(dice.choice(wanted), dice.choice([OWNER, GUEST, "another", None]))
    except (Problem, SentBefore):
        return


def play(dice: random.Random, played: Played) -> None:
    """Somebody plays."""
    state = played.state
    request = f"request-{played.number}"
    if state.table.version and dice.random() < 0.15:
        played.do(Undo(version=state.version, request=request))
    elif state.table.version and dice.random() < 0.1:
        step = dice.randint(1, state.table.version)
        action = state.table.actions[step - 1]
        played.do(Correct(version=state.version, request=request, step=step, action=action, said=[]))
    else:
        action = any_legal(state.table.standing(), dice)
        photo = state.photo if action["do"] == "throw" else None
        seen = None
        if photo is not None:
            seen = Evidence(photo.details.id, [MarkedDie(value, BOX) for value in action["dice"]])
        picture = b"picture %d" % played.number if dice.random() < 0.5 else None
        played.act(action, evidence=seen, forced=dice.random() < 0.5, picture=picture)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_table_is_its_events(game: str, seed: int) -> None:
    settings = TableSettings(advice="odds", keeps_pictures=seed % 2 == 0)
    dice, played = random.Random(seed), a_table(game, settings=settings)
    for _ in range(40):
        shut = played.state.access.closed or played.state.access.deletion is not None
        if dice.random() < 0.5 or played.state.table.over or shut:
            settle(dice, played)
        else:
            play(dice, played)
    played.check()
    stored = [from_body(body) for body in played.bodies]
    named = {each.hash for each in stored if isinstance(each, events.SampleAdded)}
    named |= {hash_in(line.body) for each in stored if isinstance(each, events.Logged) for line in each.lines}
    assert named - {None} == played.blobs.keys()


def test_every_kind_of_event_that_was_ever_stored_can_be_read() -> None:
    """The kinds of the first version with a journal. Add to them, and take none away."""
    assert set(KINDS) >= {
        *("table-started", "logged", "photo-under-review", "photo-removed", "settings-changed"),
        *("sample-added", "samples-dropped", "dice-forgotten", "phone-joined"),
        *("access-changed", "table-closed", "program-connected", "table-deleted"),
        *("table-erased", "next-table-set", "webhook-connected"),
    }
    assert len(set(KINDS)) == len(KINDS)


def test_a_setting_hashes_no_line_of_a_log_that_has_a_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    played = a_table(settings=TableSettings(keeps_pictures=True))
    played.act(THROW)
    assert (known := played.state.hash_of_log)
    monkeypatch.delattr(proof, "next_hash")
    for chosen in ({"advice": "best"}, {"keeps_pictures": False}, {"keeps_pictures": True}):
        played.do(commands.ChangeSettings(**chosen))
        assert played.state.hash_of_log == known


def ended(**more: Any) -> Played:
    played = a_table("ones-and-fives", "Ada", "Bob", "Cid", **more)
    played.act({"do": "adjust", "what": "game", "over": True})
    return played


def test_the_next_table_has_what_was_chosen_and_learnt_at_the_one_before() -> None:
    played = ended(keep_corrections=True)
    chosen = {"advice": "best", "dice_set": "red", "keeps_pictures": True}
    played.do(commands.ChangeSettings(**chosen))
    played.do(commands.Arrive(), GUEST)
    decision = played.do(commands.StartNext(1), GUEST, samples={5: b"five", 2: b"two"})
    started = decision.starts
    assert decision.events == [events.NextTableSet(started.key)]
    assert played.state.row.next_key == started.key
    assert (started.follows, started.owner, started.players) == ("a-key", OWNER, ["Bob", "Cid", "Ada"])
    assert started.settings == TableSettings(**chosen)
    assert started.samples == {-3: blob_hash(b"two"), 0: blob_hash(b"five")}
    assert decision.blobs == {blob_hash(b"two"): b"two", blob_hash(b"five"): b"five"}
    after = Played(started)
    assert (after.state.samples, after.state.access.phones, after.state.row.keep_corrections) == ({-3, 0}, {}, True)
    after.check()
    assert played.do(commands.StartNext(2)) == Decision(), "one, whoever asks first"


def test_a_running_game_has_no_next_table_and_none_begins_with_a_stranger() -> None:
    for played, begins, reason in ((a_table(), 0, "game-not-over"), (ended(), 3, "bad-request")):
        with pytest.raises(Problem) as told:
            played.do(commands.StartNext(begins))
        assert told.value.reason == reason


def test_a_damaged_table_goes_on_with_its_whole_lines_as_it_was_set_up() -> None:
    played = a_table()
    with pytest.raises(Problem, match="not damaged"):
        played.do(commands.ContinueDamaged())
    played.act({"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    damaged = replace(played.state, lost=3)
    started = decide(damaged, commands.ContinueDamaged(), Asker(GUEST), Given(at(9), "new", "NEWONE")).starts
    assert (started.created_at, started.at, started.lines) == (at(0), at(9), list(damaged.entries))
    again = Played(started)
    assert again.state.table.record() == damaged.table.record()
    assert again.state.lost is None
    again.check()


def test_an_imported_record_begins_with_its_lines() -> None:
    played = a_table()
    played.act({"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    record = played.state.table.record()
    again = Played(start(Start(record=record), Asker(GUEST), Given(at(3), "new", "NEWONE")))
    assert again.state.table.record() == record
    assert [entry.request for entry in again.state.entries] == ["import-1"]
    again.check()


def test_a_deleted_table_is_erased_unless_it_was_restored() -> None:
    played = a_table()
    played.do(commands.DeleteTable())
    deletion = played.state.access.deletion
    assert deletion is not None
    erase = commands.EraseTable(deletion)
    assert decide(played.state, erase, SERVER).events == [events.TableErased()]
    with pytest.raises(Problem):
        decide(played.state, erase, Asker(OWNER))
    assert not decide(played.state, commands.EraseTable(Deletion(OWNER, "before")), SERVER).events
    played.do(commands.DeleteTable(False))
    assert not decide(played.state, erase, SERVER).events


def test_of_too_many_phones_the_first_that_came_is_forgotten() -> None:
    played = a_table()
    played.do(commands.Arrive(), "out")
    played.do(commands.RemovePhone(tag("a-key", "out")))
    for number in range(MOST_PHONES + 1):
        played.do(commands.Arrive(invited=True), f"phone-{number}")
    phones = {f"phone-{number}" for number in range(1, MOST_PHONES + 1)}
    assert set(played.state.access.phones) == {"out", *phones}
    played.check()


@pytest.mark.parametrize(
    ("asker", "reason"),
    [
        (Asker(OWNER), ""),
        (Asker(GUEST), "owner-only"),
        (Asker(""), "owner-only"),
        (Asker("", token="its-hash"), ""),
        (Asker("program:may-act"), ""),
        (Asker("program:may-read"), "token-reads-only"),
        (Asker("program:unknown"), "token-unknown"),
        (SERVER, ""),
    ],
)
def test_who_has_programs_told_what_happens(asker: Asker, reason: str) -> None:
    played = a_table()
    for may in ("act", "read"):
        played.do(commands.ConnectProgram(f"may-{may}", "lamp", may))
    wanted = commands.AddWebhook("hook", "lamp", "http://x/", "00", "origin")
    if reason:
        with pytest.raises(Problem) as told:
            decide(played.state, wanted, asker)
        assert told.value.reason == reason
    else:
        (made,) = decide(played.state, wanted, asker).events
        assert isinstance(made, events.WebhookConnected)
        assert made.webhook.maker == {"program:may-act": "may-act", "": asker.token}.get(asker.phone or "", "")


def test_with_a_program_go_the_addresses_that_it_named() -> None:
    played = a_table()
    played.do(commands.ConnectProgram("a-hash", "lamp", "act"))
    for number, phone in enumerate(("program:a-hash", OWNER)):
        played.do(commands.AddWebhook(f"hook-{number}", "lamp", "http://x/", "00", "origin"), phone)
    played.do(commands.RemoveProgram(tag("a-key", "a-hash")))
    assert list(played.state.webhooks) == ["hook-1"]


@pytest.mark.parametrize("name", TableSettings.__struct_fields__)
def test_a_setting_is_one_field_of_the_settings(name: str) -> None:
    """Whatever it is called: it is set, shown with the phone that chose it, kept, and goes along to the next table."""
    played = ended()
    value: Any = {str: "best", bool: True}[type(getattr(TableSettings(), name))]
    command = commands.ChangeSettings(**{name: value})
    played.do(command, GUEST)
    assert msgspec.structs.asdict(played.state.settings) == {**msgspec.structs.asdict(TableSettings()), name: value}
    assert played.state.set_by == {name: f"{GUEST}'s name, the {played.number % 3}"}
    assert not decide(played.state, command, Asker(OWNER)).events, "it is so already"
    assert played.do(commands.StartNext(1)).starts.settings == played.state.settings
    played.check()


def proposed(played: Played, *ways: tuple[dict[str, Any], ...]) -> None:
    """The camera proposes these ways, and does the first by itself in 3 seconds."""
    conclusion = Conclusion("throw", UmpireMemory(), ways[0], ways[1:], sure=True)
    proposal = Proposal("proposal", played.state.version, "throw", conclusion=conclusion)
    played.do(commands.WatchTable(TableWatch("eye", by_itself=True, proposal=proposal, number=1, countdown=1)), None)


THROW = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
ASIDE, AGAIN = {"do": "set-aside", "dice": [1, 1]}, {"do": "throw", "dice": [2, 2, 3, 3]}


def test_a_way_is_done_whole_as_one_request() -> None:
    played = a_table(settings=TableSettings(keeps_pictures=True))
    proposed(played, (THROW,), (THROW, ASIDE, AGAIN))
    for wrong in ({"id": "another", "way": 0}, {"id": "proposal", "way": 2}):
        with pytest.raises(Problem) as told:
            played.do(commands.ChooseWay(version=0, request="a-request", **wrong))
        assert told.value.reason == "stale"
    photo = a_photo(played.state, 1)
    watched = msgspec.structs.replace(photo.details, source="watch")
    played.do(commands.ShowPhoto(msgspec.structs.replace(photo, details=watched)))
    wanted = commands.ChooseWay(version=0, request="a-request", id="proposal", way=1)
    played.do(wanted, GUEST, picture=b"a picture")
    assert [entry.request for entry in played.state.entries] == ["a-request", "with-a-request-1", "a-request-1"]
    assert [entry.body["do"]["do"] for entry in played.state.entries] == ["throw", "set-aside", "throw"]
    assert played.state.photo is None
    assert played.do(wanted) == Decision(), "once, however often it is sent"
    played.check()


def test_the_first_way_is_confirmed_by_what_the_camera_saw() -> None:
    for way, dice in ((0, 1), (1, 0)):
        played = a_table(settings=TableSettings(keeps_pictures=True))
        proposed(played, (THROW,), ({**THROW, "dice": [2, 1, 6, 6, 3, 4]},))
        photo = a_photo(played.state, 1)
        watched = msgspec.structs.replace(photo.details, source="watch")
        played.do(commands.ShowPhoto(msgspec.structs.replace(photo, details=watched)))
        wanted = commands.ChooseWay(version=0, request="a-request", id="proposal", way=way)
        decision = played.do(wanted, None, picture=b"a picture")
        (left,) = [each for each in decision.events if isinstance(each, events.PhotoRemoved)]
        assert (left.evidence.reading, len(left.evidence.dice)) == ("photo-1", dice)
        assert decision.blobs == {blob_hash(b"a picture"): b"a picture"}
        played.check()
