"""Tables at which anything happens that a table knows, in any order, and a comparison of how they are stored."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

import scorer
from tests.scorer.reference.random_play import random_options, random_players
from tests.web.phones import any_legal
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.store import event_rows, projections
from web.store.store import Store
from web.table import commands
from web.table.access_list import tag
from web.table.commands import OTHERS, Asker, Command, Evidence
from web.table.deciding import SentBefore
from web.table.json_document import RefusalDocument
from web.table.photo_state import PHOTO, Failed, FoundDie, PhotoDetails, Read, ReadingResult, Waiting
from web.table.state import State, rebuild
from web.table.view import TableSettings

PHONES = ("owner", "bobs-phone", "žofies-phone")


class RandomTable:
    """A table that phones, the camera and the server use in no order."""

    def __init__(self, runner: Runner, rng: random.Random, game: str) -> None:
        self.runner, self.rng, self.game = runner, rng, game
        self.photos = 0
        self.done: Counter[str] = Counter()  # how often each kind of command changed something
        self.key = self._start()

    def play(self, steps: int) -> None:
        """Tries so many commands. Those that the table refuses change nothing."""
        for _ in range(steps):
            command = self.rng.choices(list(WAYS), [weight for weight, _ in WAYS.values()])[0]
            phone = self.rng.choice(PHONES)
            with contextlib.suppress(Problem, SentBefore, scorer.Refusal):
                WAYS[command][1](self, phone)
                self.done[command] += 1

    def _start(self) -> str:
        rng = self.rng
        players, options = random_players(rng, self.game), random_options(rng, self.game)
        asker, record = Asker(rng.choice(("", "owner"))), None
        if rng.random() < 0.2:
            table = scorer.Table(scorer.game(self.game, **options), players)
            for _ in range(rng.randrange(30)):
                if not table.over:
                    table.do(any_legal(table.standing(), rng))
            record = table.record()
        settings = TableSettings(advice=rng.choice(("off", "odds")), keeps_pictures=rng.random() < 0.3)
        command = commands.Start(self.game, options, players, rng.random() < 0.5, record, settings)
        return self.runner.start(command, asker).key

    @property
    def state(self) -> State:
        return self.runner.look(self.key)

    def do(self, phone: str, command: Command) -> None:
        self.runner.do(self.key, command, Asker(phone, f"Name of {phone}"))

    def request(self) -> dict[str, Any]:
        return {"version": self.state.version, "request": f"request-{self.rng.randrange(10**9)}"}

    def act(self, phone: str, evidence: bool = False) -> None:
        table, photo = self.state.table, self.state.photo
        if table.over and self.rng.random() < 0.5:
            self.go_on(phone)
            return
        if table.over:
            action: Mapping[str, Any] = {"do": "adjust", "what": "game", "over": False}
        elif self.rng.random() < 0.05:
            action = {"do": "adjust", "what": "player-renamed", "player": 0, "name": f"Ada {self.rng.randrange(99)}"}
        elif self.rng.random() < 0.02:
            action = {"do": "adjust", "what": "game", "over": True}
        else:
            action = any_legal(table.standing(), self.rng)
        shown = None if photo is None or not evidence else Evidence(photo.details.id)
        forced = self.rng.random() < 0.5
        self.do(phone, commands.Act(action=action, forced=forced, evidence=shown, **self.request()))

    def correct(self, phone: str) -> None:
        actions = self.state.table.actions
        step = self.rng.randrange(len(actions)) + 1 if actions else 1
        action = dict(actions[step - 1]) if actions else {}
        if action.get("do") == "throw":
            action["dice"] = [self.rng.randint(1, 6) for _ in action["dice"]]
        drops = self.rng.random() < 0.5
        self.do(phone, commands.Correct(step=step, action=action, drop_tail=drops, **self.request()))

    def show_photo(self, phone: str) -> None:
        self.photos += 1
        details = PhotoDetails(f"photo-{self.photos}", PHOTO, phone, self.state.version, 6, [1, 5])
        self.do(phone, commands.ShowPhoto(Waiting(details, self.rng.randint(1, 3))))

    def read_photo(self, phone: str) -> None:
        photo = self.state.photo
        if photo is not None:
            details, asks = photo.details, RefusalDocument(reason="no-dice", params={})
            die = FoundDie(value=4, confidence=0.5, sure=True, box=(0.0, 0.5, 1.0, 2.0), alternatives=[1])
            trace = f"trace {self.rng.random()}" if self.rng.random() < 0.8 else None
            read = Read(details, 640, 480, ReadingResult([die], [], [], True, trace))
            self.do(phone, commands.ChangePhoto(self.rng.choice((read, Failed(details, asks))), details.id))

    def discard(self, phone: str) -> None:
        photo = self.state.photo
        if photo is not None:
            self.do(phone, commands.Discard(photo.details.id))

    def add_sample(self, phone: str) -> None:
        seqs = [move.seq for move in self.state.moves if move.seq not in self.state.samples]
        if seqs:
            self.do(phone, commands.AddSample(self.rng.choice(seqs), self.rng.randbytes(20)))

    def change_settings(self, phone: str) -> None:
        rng = self.rng
        values = {"advice": ("off", "odds", "best"), "dice_set": ("", "red", "bílé"), "keeps_pictures": (True, False)}
        some = rng.sample(sorted(values), rng.randint(1, len(values)))
        self.do(phone, commands.ChangeSettings(**{name: rng.choice(values[name]) for name in some}))

    def add_program(self, phone: str) -> None:
        self.do(phone, commands.ConnectProgram(self.rng.randbytes(8).hex(), "A display", "act"))

    def remove_program(self, phone: str) -> None:
        for hash_ in list(self.state.access.programs)[:1]:
            self.do(phone, commands.RemoveProgram(tag(self.key, hash_)))

    def add_webhook(self, phone: str) -> None:
        name, secret = self.rng.randbytes(8).hex(), self.rng.randbytes(32).hex()
        address = f"https://{name}.example/"
        self.do(phone, commands.AddWebhook(name, "A program", address, secret, f"origin {name}"))

    def disconnect_webhook(self, phone: str) -> None:
        for name in list(self.state.webhooks)[:1]:
            self.do(phone, commands.DisconnectWebhook(name))

    def delete(self, phone: str) -> None:
        """Deletes it and brings it back; now and then it stays deleted."""
        self.do(phone, commands.DeleteTable())
        if self.rng.random() < 0.9:
            self.do(phone, commands.DeleteTable(deleted=False))

    def go_on(self, phone: str) -> None:
        self.key = self.runner.go_on(self.key, commands.StartNext(0), Asker(phone)).key
        self.done["go on"] += 1


WAYS: Mapping[str, tuple[int, Callable[[RandomTable, str], None]]] = {
    "act": (40, RandomTable.act),
    "confirm": (8, lambda table, phone: table.act(phone, evidence=True)),
    "undo": (4, lambda table, phone: table.do(phone, commands.Undo(**table.request()))),
    "correct": (3, RandomTable.correct),
    "show photo": (8, RandomTable.show_photo),
    "read photo": (8, RandomTable.read_photo),
    "discard": (2, RandomTable.discard),
    "add sample": (4, RandomTable.add_sample),
    "forget dice": (1, lambda table, phone: table.do(phone, commands.ForgetDice())),
    "settings": (6, RandomTable.change_settings),
    "arrive": (4, lambda table, phone: table.do(phone, commands.Arrive(True))),
    "remove": (2, lambda table, phone: table.do(phone, commands.RemovePhone(OTHERS, table.rng.random() < 0.5))),
    "close": (2, lambda table, phone: table.do(phone, commands.CloseTable(table.rng.random() < 0.3))),
    "program": (2, RandomTable.add_program),
    "remove program": (1, RandomTable.remove_program),
    "webhook": (2, RandomTable.add_webhook),
    "disconnect webhook": (1, RandomTable.disconnect_webhook),
    "delete": (1, RandomTable.delete),
    "go on": (1, RandomTable.go_on),
}


def differences(held: State, by_journal: State) -> list[str]:
    """The names of what differs between two states of a table, but for what lives in memory alone."""
    names = [name for name in State.__dataclass_fields__ if name not in ("watched", "table")]
    wrong = [name for name in names if getattr(held, name) != getattr(by_journal, name)]
    parts = (scorer.Table.record, scorer.Table.standing)
    return wrong + [part.__name__ for part in parts if part(held.table) != part(by_journal.table)]


def compare(store: Store, runner: Runner | None = None) -> tuple[int, int]:
    """Compares all tables of a store with their projections, and with those in memory. Returns their number and that of
    their events. Fails if one differs."""
    known = {} if runner is None else {each.snapshot.state.row.key: each.snapshot.state for each in runner._cache.all()}
    with store.read() as connection:
        keys: Sequence[str] = connection.scalars(text("SELECT key FROM tables")).all()
        events = int(connection.execute(text("SELECT COUNT(*) FROM events")).scalar_one())
    for key in keys:
        row = store.find(key)
        with store.read() as connection:
            by_journal = rebuild(event_rows.load(connection, row.id).loaded)
            wrong = difference(connection, row.id)
        assert not wrong
        if key in known:
            wrong = differences(known[key], by_journal)
            assert not wrong, [(getattr(known[key], each, None), getattr(by_journal, each, None)) for each in wrong]
    return len(keys), events


def difference(connection: Connection, table_id: int) -> str:
    """The name of what the rows of a table have otherwise than its journal."""
    happened = event_rows.happened_at(connection, table_id)
    row = connection.execute(text(f"SELECT * FROM tables WHERE id = {table_id}")).mappings().one()
    rows = {
        name: [
            tuple(each)
            for each in connection.execute(text(f"SELECT {columns} FROM {name} WHERE table_id = {table_id}"))
        ]
        for name, columns in projections.COLUMNS.items()
    }
    return projections.differences(happened, rows, row)


def projected(store: Store) -> dict[str, list[Any]]:
    """All rows that follow from journals."""
    with store.read() as connection:
        return {
            name: sorted(map(repr, connection.execute(text(f"SELECT * FROM {name}")).all()))
            for name in ("tables", *projections.COLUMNS)
        }


def rebuild_all(store: Store) -> None:
    """Writes what lists show of all tables anew, from nothing."""
    with store.write() as connection:
        for name in projections.COLUMNS:
            connection.execute(text(f"DELETE FROM {name}"))
        event_rows.rebuild(connection)
