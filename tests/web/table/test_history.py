"""The history of a game comes in pages, the newest first, and each step says in which turn it is."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec

from tests.web.api.test_events import begun, correction, do
from tests.web.phones import any_legal
from web.table import json_document
from web.table.commands import Act, Undo
from web.table.history import history_page
from web.table.json_document import first_page
from web.table.moves import turns_of
from web.table.state import State
from web.table.view import GameHistory, Move, Score


def played(game: str, lines: int) -> State:
    """A table with undos and corrections."""
    state, dice = begun(game), random.Random(game)
    while state.version < lines:
        about: dict[str, Any] = {"version": state.version, "request": f"request-{state.version}"}
        kind = dice.random()
        if state.moves and kind < 0.1:
            state = do(state, Undo(**about))
        elif state.moves and kind < 0.2:
            state = do(state, correction(state, dice, about["request"]))
        else:
            state = do(state, Act(action=any_legal(state.table.standing(), dice), **about))
    return state


def pages_of(state: State, most: int) -> list[GameHistory]:
    found = [history_page(state, 0, most)]
    while found[-1].next is not None:
        found.append(history_page(state, int(found[-1].next), most))
    return found


def test_all_pages_together_are_the_whole_history() -> None:
    state = played("farkle", 120)
    assert {"undo", "correct"} < {name for entry in state.entries for name in entry.body}
    pages = pages_of(state, 7)
    assert all(len(page.moves) <= 7 and len(page.log) <= 7 for page in pages)
    steps = [step for page in pages for step in zip(page.places, page.moves, strict=True)]
    steps.sort(key=lambda step: step[0].number)
    lines = {line.seq: line for page in pages for line in page.log}
    assert [(place.number, move) for place, move in steps] == [*enumerate(state.moves, 1)]
    assert sorted(lines) == list(range(1, state.version + 1))
    (whole,) = pages_of(state, 1000)
    assert list(zip(whole.places, whole.moves, strict=True)) == steps
    assert {line.seq: line for line in whole.log} == lines
    newest = [max(line.seq for line in page.log) for page in pages]
    assert newest == sorted(newest, reverse=True)
    for page in pages:
        assert {move.seq for move in page.moves} <= {line.seq for line in page.log}


def test_what_a_correction_settled_does_not_make_a_page_long() -> None:
    """Its line is told without them; the steps come in pages as all others."""
    state = played("farkle", 60)
    line = state.entries[-1]
    body = {"correct": 1, "action": {}, "drop_tail": False, "settled": [{"at": 2, "drop": 1, "actions": []}]}
    page = history_page(replace(state, entries=(*state.entries[:-1], replace(line, body=body))), 0, 1)
    assert page.log[0].seq == line.seq
    assert "settled" not in page.log[0].body


def test_a_page_of_large_items_has_fewer() -> None:
    item = Score(name="x" * 1000, score=1, place=None)
    found, more = first_page([item] * 1000, 900)
    assert more
    assert json_document.MOST_PAGE_BYTES - 2000 < len(msgspec.json.encode(found)) <= json_document.MOST_PAGE_BYTES
    assert first_page([item] * 3, 3) == ([item] * 3, False)
    assert first_page([Score(name="x" * 10**6, score=1, place=None)] * 2, 9)[0] != [], "one comes at least"


def test_each_step_tells_its_player_turn_and_throw() -> None:
    def move(player: int | None, name: str, event: str = "") -> Move:
        followed = [{"event": event}] if event else []
        return Move(player=player, action={"do": name}, device="", at="", seq=1, events=followed)

    def told(moves: list[Move], in_rounds: bool = False, same_throw: bool = False) -> list[str]:
        return [
            f"{'-' if whose is None else whose}/{turn}/{throws}"
            for whose, turn, throws in turns_of(moves, in_rounds, same_throw)
        ]

    farkle = [move(0, "throw"), move(0, "set-aside"), move(0, "throw", "turn"), move(1, "throw", "turn")]
    assert told([*farkle, farkle[0]]) == ["0/1/1", "0/1/1", "0/1/2", "1/1/1", "0/2/1"]
    alone = [move(0, "throw"), move(0, "score"), move(0, "throw"), move(0, "keep"), move(0, "throw")]
    assert told(alone) == ["0/1/1", "0/1/1", "0/2/1", "0/2/1", "0/2/2"]
    assert told([move(None, "adjust"), alone[0]]) == ["-/0/0", "0/1/1"]
    knaster = [move(0, "throw"), move(0, "write"), move(1, "write"), move(1, "throw")]
    assert told(knaster, same_throw=True) == ["-/1/1", "-/1/1", "-/1/1", "-/2/1"]
    pad = [move(1, "write"), move(0, "write", "round"), move(None, "adjust"), move(0, "write")]
    assert told(pad, in_rounds=True) == ["-/1/0", "-/1/0", "-/1/0", "-/2/0"]
