"""Yamb, by hand from its sources: columns each with an order, announced cells, what counts by a difference."""

import contextlib
import random
from itertools import combinations_with_replacement
from typing import Any

import pytest

import scorer
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.games import text_of
from scorer.shared_throws import may_share
from tests.scorer.playing import Action, keep, legal, play, score, table_of, throw
from tests.scorer.sheets import UPPER, column_of
from tests.scorer.test_every_game import any_action

DOWN, FREE, UP, NAMED = 1, 2, 3, 4
ROWS = (*UPPER, "max", "min", "straight", "full", "poker", "yamb")
GOOD = {
    **{row: (face, face, face, face % 6 + 1, (face + 1) % 6 + 1) for face, row in enumerate(UPPER, start=1)},
    "max": (6, 6, 6, 5, 5),
    "min": (1, 1, 1, 1, 2),
    "straight": (1, 2, 3, 4, 5),
    "full": (6, 6, 6, 5, 5),
    "poker": (6, 6, 6, 6, 5),
    "yamb": (6, 6, 6, 6, 6),
}


def announce(row: str) -> Action:
    return {"do": "announce", "category": row}


def settle(row: str, column: int, points: int | None, player: int = 0) -> Action:
    return {"do": "adjust", "what": "cell", "player": player, "category": row, "column": column, "points": points}


def refused(table: scorer.Table, action: Action) -> str:
    with pytest.raises(scorer.IllegalAction) as found:
        table.do(action)
    return str(found.value)


def written(table: scorer.Table) -> set[tuple[str, int]]:
    return {(entry["category"], entry["column"]) for entry in legal(table, "score")}


def worth(dice: tuple[int, ...], row: str, throws: int) -> int:
    """From the sources' words."""
    if row in UPPER:
        return sum(die for die in dice if die == UPPER.index(row) + 1)
    if row in ("max", "min"):
        return sum(dice)
    times = sorted(dice.count(face) for face in set(dice))
    if row == "straight":
        return {1: 66, 2: 56, 3: 46}[throws] if sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) else 0
    if row == "full":
        return sum(dice) + 30 if times == [2, 3] else 0
    most = max(dice, key=dice.count)
    if row == "poker":
        return 4 * most + 40 if times[-1] >= 4 else 0
    return 5 * most + 50 if times == [5] else 0


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_every_throw_in_every_row(throws: int) -> None:
    for dice in combinations_with_replacement(range(1, 7), 5):
        table = play(table_of("yamb"), throw(*dice))
        for _ in range(throws - 1):
            play(table, keep(), throw(*dice))
        entries = [entry for entry in legal(table, "score") if entry["column"] == FREE]
        assert {entry["category"]: entry["points"] for entry in entries} == {
            row: worth(dice, row, throws) for row in ROWS
        }


def test_columns_have_their_order() -> None:
    table = play(table_of("yamb"), throw(1, 1, 1, 2, 3))
    free = {(row, column) for row in ROWS for column in (FREE, NAMED)}
    assert written(table) == {("ones", DOWN), ("yamb", UP), *free}
    assert refused(table, score("twos", DOWN)) == ("the cells are written from top to bottom: Ones is next, not Twos")
    assert refused(table, score("poker", UP)) == "the cells are written from bottom to top: Yamb is next, not Poker"
    play(table, score("yamb", UP), throw(6, 6, 6, 5, 5))
    assert {cell for cell in written(table) if cell[1] in (DOWN, UP)} == {("ones", DOWN), ("poker", UP)}


def test_what_is_announced_must_be_written() -> None:
    table = play(table_of("yamb"), throw(4, 4, 4, 2, 3), announce("fours"))
    assert table.standing()["turn"]["announced"] == "fours"
    assert written(table) == {("fours", NAMED)}
    assert refused(table, announce("fives")) == "Fours is announced already"
    said = "Fours is announced: the dice must be written there, not into Fours"
    assert refused(table, score("fours", FREE)) == said
    assert refused(table, score("max", NAMED)) == said.removesuffix("Fours") + "Max"
    play(table, keep(4, 4, 4), throw(4, 6))
    assert written(table) == {("fours", NAMED)}
    play(table, keep(), throw(1, 1, 2, 3, 5), score("fours", NAMED))
    assert column_of(table, column=NAMED)["cells"] == {"fours": 0}
    assert table.standing()["turn"]["announced"] is None


def test_a_cell_is_announced_only_after_the_first_throw() -> None:
    table = table_of("yamb")
    said = "a cell may be announced only after the first throw of a turn, before the next"
    assert refused(table, announce("fours")) == said
    play(table, throw(4, 4, 4, 2, 3), keep(4, 4, 4))
    assert refused(table, announce("fours")) == said
    play(table, throw(1, 2))
    assert refused(table, announce("fours")) == said
    assert NAMED not in {column for _, column in written(table)}
    assert refused(table, score("fours", NAMED)) == (
        "Fours of this column must be announced, or written, after the first throw"
    )
    assert "announce" not in {entry["do"] for entry in table.legal}
    play(table, score("fours", FREE), throw(4, 4, 4, 2, 3), score("fours", NAMED), throw(1, 1, 2, 3, 4))
    assert refused(table, announce("fours")) == "Fours is filled already"


def only_named_left() -> scorer.Table:
    return play(table_of("yamb"), *(settle(row, column, 0) for row in ROWS for column in (DOWN, FREE, UP)))


def test_who_has_only_announced_cells_announces_or_writes() -> None:
    table = play(only_named_left(), throw(4, 4, 4, 2, 3))
    assert {entry["do"] for entry in table.legal} == {"score", "announce"}
    assert refused(table, keep(4, 4, 4)) == (
        "only cells to be announced are open: announce one, or write one, before throwing again"
    )
    play(table, announce("poker"), keep(4, 4, 4), throw(4, 5), score("poker", NAMED))
    assert column_of(table, column=NAMED)["cells"] == {"poker": 56}
    play(table, throw(4, 4, 4, 2, 3), score("fours", NAMED))
    assert column_of(table, column=NAMED)["cells"] == {"poker": 56, "fours": 12}


# --- undo, what people settle, corrections ---


def test_an_announcement_ends_with_its_turn() -> None:
    table = play(table_of("yamb", 2), throw(4, 4, 4, 2, 3), announce("fours"))
    play(table, {"do": "adjust", "what": "turn-skipped", "player": 0}, throw(1, 1, 2, 3, 4))
    assert (table.to_act, table.standing()["turn"]["announced"]) == ([1], None)
    assert ("ones", FREE) in written(table)
    play(table, announce("ones"))
    wanted = {"do": "adjust", "what": "turn", "player": 1, "category": "max", "column": FREE, "points": 11, "bonus": 0}
    play(table, wanted, throw(1, 1, 2, 3, 4))
    assert table.standing()["turn"]["announced"] is None


def test_an_announced_cell_that_is_filled_by_hand_is_announced_no_more() -> None:
    table = play(only_named_left(), throw(4, 4, 4, 2, 3), announce("fours"), keep(4, 4, 4), throw(1, 2))
    play(table, settle("fours", NAMED, 12))
    assert table.standing()["turn"]["announced"] is None
    assert written(table) == {(row, NAMED) for row in ROWS if row != "fours"}, "somewhere they must go"
    table = play(table_of("yamb"), throw(4, 4, 4, 2, 3), announce("fours"), keep(4, 4, 4), throw(1, 2))
    play(table, settle("fours", NAMED, 12))
    assert {column for _, column in written(table)} == {DOWN, FREE, UP}


def test_a_correction_before_an_announcement() -> None:
    turns = [throw(4, 4, 4, 2, 3), score("fives", NAMED), throw(4, 4, 4, 2, 3), announce("fours")]
    table = play(table_of("yamb"), *turns, keep(4, 4, 4), throw(4, 5), score("fours", NAMED))
    corrected, settled = table.proposed(2, score("fours", FREE))
    assert (settled, corrected.scores) == ([], [12 + 16])
    corrected, settled = table.proposed(2, score("fours", NAMED))  # then the later turn has no such cell
    assert len(settled) == 1
    assert column_of(corrected, column=NAMED)["cells"] == {"fours": 12, "fives": 16}
    corrected, settled = table.proposed(3, throw(1, 1, 4, 4, 4))
    assert len(settled) <= 1
    assert column_of(corrected, column=NAMED)["cells"] == {"fives": 0, "fours": 16}


# --- files ---


def like_yamb(*changes: tuple[str, str]) -> Any:
    text = text_of("yamb")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return game_from_text(text, "ours")()


def test_factors_count_for_all_that_a_column_brings() -> None:
    game = like_yamb(('order = "free"', 'order = "free"\nfactor = 3'))
    table = scorer.Table(game, ["Ada"])
    for row in ROWS:
        play(table, throw(*GOOD[row]), score(row, FREE))
    assert table.scores == [3 * 427]
    assert "In column 2 all points, the bonus and its threshold count 3 times." in game.short_rules().text()


def test_a_sheet_may_have_an_announced_column_alone() -> None:
    column = '[[rules.column]]\norder = "{}"\n'
    others = ["".join(column.format(order) for order in ("down",))]
    game = like_yamb((others[0] + "\n", ""), (column.format("free") + "\n", ""), (column.format("up") + "\n", ""))
    table = play(scorer.Table(game, ["Ada"]), throw(4, 4, 4, 2, 3))
    assert {entry["do"] for entry in table.legal} == {"score", "announce"}
    play(table, announce("fours"), keep(4, 4), throw(1, 2, 3), score("fours"))
    assert table.scores == [8]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('order = "up"', 'order = "announced"', "rules.column 4.order must be another order"),
        ('"max", "min", "ones"', '"max", "min", "sevens"', "rules.difference 3 must be another one of the cells"),
        ('"max", "min", "ones"', '"max", "max", "ones"', "rules.difference 2 must be another one of the cells"),
        ('"max", "min", "ones"', '"max", "min"', "rules.difference must be a list of 3 values"),
        ("served = [20, 10]", "served = []", "rules.cell 3.served must be a list of 1 to 10 values"),
    ],
)
def test_what_columns_cannot_be(old: str, new: str, said: str) -> None:
    with pytest.raises(DefinitionError, match=said):
        like_yamb((old, new))


def test_throws_are_shared_only_where_cells_may_be_written_in_any_order() -> None:
    assert not may_share(scorer.game("yamb"))
    assert may_share(scorer.game("kosci-triple"))
    orders = [(f'order = "{order}"', "factor = 1") for order in ("down", "free", "up", "announced")]
    assert not may_share(like_yamb(*orders)), "a 0 in Min would help"
    assert may_share(like_yamb(*orders, ('difference = ["max", "min", "ones"]\n', "")))


def any_columns(rng: random.Random) -> str:
    """A sheet of short columns of any order and factor, and other rules beside them."""
    orders = rng.sample(["announced", *(rng.choice(("free", "down", "up")) for _ in range(4))], rng.randint(1, 4))
    columns = "".join(f'[[rules.column]]\norder = "{order}"\nfactor = {rng.randint(1, 3)}\n' for order in orders)
    more = rng.choice(("", "zero_only_if_nothing_fits = true\n", "saved_throws = 2\n", "low_wins = true\n"))
    difference = rng.choice(("", 'difference = ["most", "least", "ones"]\n'))
    return (
        f'family = "sheet"\ntitle = "Any"\nsummary = "Any."\n[rules]\nupper = [1, 6]\nthrows = {rng.randint(1, 4)}\n'
        f'{more}{difference}upper_bonus = [[8, 30]]\n{columns}[[rules.cell]]\nkey = "most"\ntitle = "Most"\n'
        f'[[rules.cell]]\nkey = "least"\ntitle = "Least"\n[[rules.cell]]\nkey = "pair"\nalike = 2\n'
        f"stands = {rng.randint(1, 2)}\n"
    )


@pytest.mark.parametrize("seed", range(120))
def test_no_columns_leave_a_player_without_an_action(seed: int) -> None:
    """Whatever is thrown, announced, settled by hand, skipped, undone and corrected, until the game is over."""
    rng = random.Random(seed)
    game = game_from_text(any_columns(rng), "ours")()
    table = scorer.Table(game, ["Ada", "Bob"])
    for _ in range(400):
        if table.over:
            break
        assert list(table.legal)
        by_hand = rng.random()
        if by_hand < 0.04:
            cell = {"category": rng.choice(("ones", "sixes", "most")), "points": rng.choice((None, 0, 6))}
            column = {"column": rng.randint(1, len(game.columns))} if len(game.columns) > 1 else {}
            number = {"number": 1} if any(each.stands > 1 for each in game.categories) else {}
            play(table, {"do": "adjust", "what": "cell", "player": rng.randint(0, 1), **cell, **column, **number})
        elif by_hand < 0.06:
            with contextlib.suppress(scorer.IllegalAction):  # such as of who plays alone
                play(table, {"do": "adjust", "what": "turn-skipped", "player": table.to_act[0]})
        elif by_hand < 0.1 and table.version:
            table.undo()
        else:
            play(table, any_action(table, rng))
    again = scorer.Table(game, ["Ada", "Bob"])
    for action in table.actions:
        again.do(action)
    assert again.standing() == table.standing()
    for number, action in enumerate(table.actions, start=1):
        if action["do"] == "throw" and rng.random() < 0.2:
            with contextlib.suppress(scorer.IllegalAction):
                corrected, _ = table.proposed(number, {"do": "throw", "dice": [1] * len(action["dice"])})
                assert corrected.over or list(corrected.legal)
