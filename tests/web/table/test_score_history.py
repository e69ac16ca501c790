"""The course of a game: what each player had after each of his turns, in every game."""

import random
from typing import Any

import pytest

import scorer
from tests.browser.games import record
from tests.scorer.installed.odd_or_even import GAME, OddOrEven
from tests.web.phones import any_legal
from web.table.score_history import score_history

GAMES = [info.key for info in scorer.games()]
QUICK: dict[str, dict[str, Any]] = {"ones-and-fives": {"target": 1500}, "six-dice": {"target": 1500}}


def table_after(key: str, players: list[str], most: int = 120) -> scorer.Table:
    """A table after so many random actions, or at the game's end."""
    chance = random.Random(key)
    table = scorer.Table(scorer.game(key, **QUICK.get(key, {})), players)
    while not table.over and table.version < most:
        table.do(any_legal(table.standing(), chance))
    return table


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("players", [["Ada"], ["Ada", "Bob", "Eva"]], ids=len)
def test_a_score_history_ends_where_the_game_stands(key: str, players: list[str]) -> None:
    table = scorer.Table.from_record(record(key, players))
    found, standing = score_history(table), table.standing()
    assert standing["over"]
    assert [(totals or (0,))[-1] for totals in found.totals] == [player["score"] for player in standing["players"]]
    counts = [len(totals) for totals in found.totals]
    assert max(counts) - min(counts) <= 1, "all have as many turns, but for those whom the end has kept from their last"
    assert found.turns == max(counts) > 0
    for player in range(len(players)):
        assert sum(found.gains(player)) == standing["players"][player]["score"]


def test_a_turn_that_is_not_over_is_not_in_it() -> None:
    table = scorer.Table(scorer.game("kosci"), ["Ada", "Bob"])
    assert score_history(table).turns == 0
    table.do({"do": "throw", "dice": [6, 6, 6, 5, 5]})
    assert score_history(table).turns == 0
    table.do({"do": "score", "category": "full"})
    assert score_history(table).totals == ((25,), ())
    table.do({"do": "throw", "dice": [1, 2, 3, 4, 5]})
    table.do({"do": "keep", "dice": [2, 3, 4, 5]})
    assert score_history(table).totals == ((25,), ())


def test_lives_are_there_from_the_beginning() -> None:
    table = scorer.Table(scorer.game("mexico", lives=3), ["Ada", "Bob"])
    for action in ({"do": "throw", "dice": [2, 1]}, {"do": "bank"}, {"do": "throw", "dice": [6, 5]}):
        table.do(action)  # the first player's one throw sets how many the others have
    found = score_history(table)
    assert (found.start, found.totals) == (3, ((3,), (2,)))
    assert (found.gains(0), found.gains(1), found.best_turn(1)) == ([0], [-1], None)


def test_busts_and_the_best_turn() -> None:
    table = scorer.Table(scorer.game("farkle", opening=0), ["Ada"])
    for action in (
        {"do": "adjust", "what": "total", "player": 0, "points": 90},  # that counts in the first turn
        {"do": "throw", "dice": [1, 1, 2, 3, 4, 6]},
        {"do": "set-aside", "dice": [1, 1]},
        {"do": "bank"},
        {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]},
        {"do": "throw", "dice": [5, 2, 3, 3, 4, 6]},
        {"do": "set-aside", "dice": [5]},
        {"do": "bank"},
    ):
        table.do(action)
    found = score_history(table)
    assert (found.totals, found.busts, found.best_turn(0)) == (((290, 290, 340),), (1,), 200)


def test_games_without_busts_or_turns_of_ones_own_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert score_history(table_after("yatzy", ["Ada"])).busts is None
    monkeypatch.setattr(OddOrEven, "actions", dict.fromkeys(("throw", "bank"), OddOrEven.actions["throw"]))
    monkeypatch.setattr(OddOrEven, "do_bank", OddOrEven.do_throw, raising=False)
    assert score_history(scorer.Table(GAME(), ["Ada"])).busts is None, "a package's game may list no turns"
    together = score_history(table_after("knaster", ["Ada", "Bob"]))
    assert (together.shared_throws, together.best_turn(0), len(set(map(len, together.totals)))) == (True, None, 1)


def test_passing_ends_a_turn_of_drapky() -> None:
    table = scorer.Table(scorer.game("drapky"), ["Ada", "Bob"])
    table.do({"do": "pass"})
    table.do({"do": "throw", "dice": [6, 6, 6, 6, 6, 6]})
    table.do({"do": "score", "category": "general"})
    assert score_history(table).totals == ((0,), (36,))


@pytest.mark.parametrize("key", GAMES)
def test_a_total_settled_by_hand_counts_in_the_score_history_and_in_no_turn(key: str) -> None:
    """It counts from the turn that ended last, or from the first one."""
    for when in (0, 40):
        table = table_after(key, ["Ada", "Bob"], when)
        gains = score_history(table).gains(0)
        table.do({"do": "adjust", "what": "total", "player": 0, "points": 90})
        found = score_history(table)
        assert found.gains(0) == gains
        if found.totals[0]:
            assert found.totals[0][-1] == 90
            assert found.best_turn(0) == (None if found.shared_throws or found.low_wins else max(gains))
        chance = random.Random(1)
        while not table.over and table.version < 120:
            table.do(any_legal(table.standing(), chance))
        again = score_history(table)
        standing = table.standing()
        running = standing["turn"]["points"] if key == "forbidden-numbers" and standing["turn"]["player"] == 0 else 0
        if again.totals[0]:
            assert again.totals[0][-1] == standing["players"][0]["score"] - running


def test_the_score_history_of_players_who_come_and_go() -> None:
    for key in ("yatzy", "farkle", "knaster", "drapky"):
        table = scorer.Table(scorer.game(key), ["Ada", "Bob"])
        adjust = {"do": "adjust"}
        table.do({**adjust, "what": "player-added", "name": "Cid"})
        table.do({**adjust, "what": "turn-skipped", "player": 0})
        table.do({**adjust, "what": "player-removed", "player": 1})
        table.do({**adjust, "what": "player-renamed", "player": 0, "name": "Eva"})
        assert score_history(table).turns == 0, "nobody has played a turn"
        chance = random.Random(1)
        while not table.over and table.version < 120:
            table.do(any_legal(table.standing(), chance))
        found = score_history(table)
        assert found.players == ("Eva", "Bob", "Cid")
        assert (len(found.totals[0]) > 0, found.totals[1], len(found.totals[2]) > 0) == (True, (), True)
