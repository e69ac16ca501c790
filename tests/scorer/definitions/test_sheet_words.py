"""What files may say of sheets beside points: cells that win, that stand several times, tiers."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import scorer
from scorer import advice
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.games import text_of
from tests.scorer.playing import Action, keep, play, refusal_of, score, table_of, throw
from tests.scorer.sheets import offers

SERVED = (throw(3, 3, 3, 3, 3), score("generala"))


def turn_by_hand(category: str, points: int, **more: Any) -> Action:
    return {"do": "adjust", "what": "turn", "player": 0, "category": category, "points": points, "bonus": 0, **more}


def replayed(table: scorer.Table) -> scorer.Table:
    return scorer.Table.from_record(json.loads(json.dumps(table.record())))


def sheet_file(*cells: str, rules: str = "") -> str:
    lines = ['family = "sheet"', 'title = "Ours"', 'summary = "Ours."', "[rules]", "upper = []", rules]
    return "\n".join([*lines, *(f"[[rules.cell]]\n{cell}" for cell in cells)])


def refused(text: str) -> str:
    with pytest.raises(DefinitionError) as found:
        game_from_text(text, "ours")
    return str(found.value)


# --- a cell that wins ---


def behind(**options: Any) -> scorer.Table:
    """A table at which Ada has 2 points and Bob 45; it is Ada's turn."""
    return play(
        table_of("generala", 2, **options), *(throw(1, 1, 2, 3, 6), score("ones"), throw(4, 4, 4, 4, 1), score("poker"))
    )


def test_the_winner_is_first_though_he_has_fewer_points() -> None:
    text = text_of("generala").replace("points = 60\nserved = 60", "points = 3")
    game = game_from_text(text[: text.index("[[example]]")], "ours")()
    table = play(scorer.Table(game, ["Ada", "Bob"]), throw(1, 1, 2, 3, 6), score("ones"))
    play(table, throw(4, 4, 4, 4, 1), score("poker"), *SERVED)
    assert table.scores == [5, 45]
    assert [player["place"] for player in table.standing()["players"]] == [1, 2]
    assert replayed(table).standing() == table.standing()
    table.undo()
    assert (table.over, table.winners) == (False, [])


def test_a_game_that_was_won_goes_on_by_hand_without_its_winner() -> None:
    table = play(behind(), *SERVED, {"do": "adjust", "what": "game", "over": False})
    assert (table.over, table.to_act) == (False, [1])
    play(table, {"do": "adjust", "what": "game", "over": True})
    assert table.winners == [0]  # who has most points
    assert table.ended_early


def test_a_person_says_that_a_turn_won() -> None:
    for wins in (True, False):
        table = play(behind(), turn_by_hand("generala", 120, wins=wins))
        assert table.over is wins
    assert refusal_of(behind(), turn_by_hand("generala", 120)) != ""
    assert refusal_of(behind(), turn_by_hand("generala", 120, wins=1)) == "not-true-or-false"


def test_a_corrected_throw_wins_or_no_longer_does() -> None:
    won = play(behind(), *SERVED)
    corrected, settled = won.proposed(5, throw(3, 3, 3, 3, 2))
    assert (corrected.over, settled) == (False, [])
    assert corrected.scores[0] == 2  # nothing fits, so the cell holds 0
    early = play(
        table_of("generala", 2), throw(1, 1, 1, 1, 2), score("generala"), throw(1, 2, 3, 4, 5), score("straight")
    )
    corrected, settled = early.proposed(1, throw(1, 1, 1, 1, 1))
    assert (corrected.over, corrected.scores) == (False, [120, 25])  # the later turn stays, and the game goes on
    assert settled[0].actions == [{"do": "adjust", "what": "game", "over": False}]


def test_a_turn_that_won_still_wins_where_its_cell_is_taken_by_a_correction() -> None:
    won = play(behind(), *SERVED)
    corrected, settled = won.proposed(2, score("generala"))
    assert settled[0].actions == [turn_by_hand("ones", 120, wins=True)]
    assert (corrected.over, corrected.winners) == (True, [0])


# --- tiers ---


def test_each_bonus_is_told_when_it_is_reached() -> None:
    table = play(table_of("kismet"), {"do": "adjust", "what": "cell", "player": 0, "category": "sixes", "points": 60})
    told = []
    for dice, cell in (((3, 3, 1, 2, 4), "threes"), ((5, 1, 2, 3, 4), "fives"), ((4, 4, 4, 1, 2), "fours")):
        play(table, throw(*dice), score(cell))
        told.append([each["points"] for each in table.standing()["events"] if each["event"] == "upper-bonus"])
    assert told == [[35], [55], [75]]


def test_bonuses_count_by_the_column() -> None:
    text = text_of("kismet").replace("[rules]\n", "[rules]\ncolumn = [{}, { factor = 2 }]\n")
    game = game_from_text(text[: text.index("[[example]]")], "ours")()
    table = scorer.Table(game, ["Ada"])
    play(table, {"do": "adjust", "what": "cell", "player": 0, "category": "sixes", "column": 2, "points": 142})
    assert table.scores == [142 + 2 * 55]


def balut_with(**cells: Sequence[int]) -> scorer.Table:
    """A sheet of Balut with these points in the cells, by hand."""
    table = table_of("balut")
    for category, held in cells.items():
        for number, points in enumerate(held, start=1):
            settled = {"player": 0, "category": category, "points": points, "number": number}
            play(table, {"do": "adjust", "what": "cell", **settled})
    return table


def test_tiers_of_cells_are_added_where_totals_have_none() -> None:
    game = game_from_text(
        sheet_file('key = "chance"\nstands = 2\ntiers = [[20, 5], [50, 9]]', "key = 'pair'"), "ours"
    )()
    table = scorer.Table(game, ["Ada"])
    assert table.scores == [0]
    play(table, throw(6, 6, 6, 1, 2), score("chance"))
    assert table.scores == [26]
    assert table.standing()["players"][0]["columns"][0]["total"] == 26
    play(table, throw(6, 6, 6, 6, 6), score("chance"))
    assert table.scores == [21 + 30 + 9]


# --- a cell that stands several times ---


def test_one_of_several_is_set_and_opened_by_hand() -> None:
    table = play(balut_with(fours=(4, 8)), {
        "do": "adjust", "what": "cell", "player": 0, "category": "fours", "points": None, "number": 1
    })  # fmt: skip
    column = table.standing()["players"][0]["columns"][0]
    assert (column["boxes"]["fours"], column["cells"]["fours"], column["lower_sum"]) == ([None, 8, None, None], 8, 8)
    play(table, throw(4, 1, 1, 2, 2), score("fours"))
    assert table.standing()["players"][0]["columns"][0]["boxes"]["fours"] == [4, 8, None, None]
    for number in (0, 5, True, None):
        settled = {"player": 0, "category": "fours", "points": 4, "number": number}
        assert refusal_of(table, {"do": "adjust", "what": "cell", **settled})


def test_players_come_and_go_with_cells_that_stand_several_times() -> None:
    table = play(table_of("balut", 2), throw(1, 2, 3, 4, 5), score("straight"))
    play(table, {"do": "adjust", "what": "player-added", "name": "Cyd"})
    assert table.state.open_cells == 3 * 28 - 1
    play(table, {"do": "adjust", "what": "player-removed", "player": 0})
    assert table.state.open_cells == 2 * 28
    play(table, {"do": "adjust", "what": "turn-skipped", "player": 1})
    assert table.to_act == [2]


def test_a_corrected_cell_frees_a_place_for_what_was_written_there() -> None:
    table = play(table_of("balut"), *(action for _ in range(4) for action in (throw(4, 4, 1, 2, 3), score("fours"))))
    play(table, throw(6, 6, 6, 6, 6), score("balut"))
    corrected, settled = table.proposed(10, score("fives"))
    assert (settled, corrected.scores) == ([], [-2])
    corrected, settled = table.proposed(2, score("balut"))
    assert settled == []
    boxes = corrected.standing()["players"][0]["columns"][0]["boxes"]
    assert (boxes["fours"], boxes["balut"]) == ([8, 8, 8, None], [0, 50, None, None])


def test_cells_in_order_are_written_as_often_as_they_stand() -> None:
    game = game_from_text(
        sheet_file('key = "pair"\nalike = 2\nstands = 2', 'key = "chance"', rules='column = [{ order = "down" }]'),
        "ours",
    )()
    table = scorer.Table(game, ["Ada"])
    for cell in ("pair", "pair", "chance"):
        play(table, throw(1, 1, 2, 3, 4))
        assert [entry["category"] for entry in table.legal if entry["do"] == "score"] == [cell]
        play(table, score(cell))
    assert table.over
    assert "These cells may be written 2 times: Pair." in game.short_rules().text()


def test_the_odds_of_a_cell_last_until_it_is_full() -> None:
    table = table_of("balut")
    for times in range(4):
        told = advice.odds(table.game, table.state, 0, {"do": "throw", "dice": [1] * 5})
        assert ("full" in told, "upper-bonus" in told) == (True, False), times
        play(table, throw(2, 2, 3, 3, 3), score("full"))
    assert "full" not in advice.odds(table.game, table.state, 0, {"do": "throw", "dice": [1] * 5})


@pytest.mark.parametrize("key", ["balut", "kismet", "generala"])
def test_new_words_have_odds_and_best_play(key: str) -> None:
    game = scorer.game(key)
    assert (advice.is_solvable(game), advice.has_odds(game)) == (True, True)


# --- colours ---


def test_the_odds_of_a_colour_are_those_of_every_fall() -> None:
    table = play(table_of("kismet"), throw(2, 2, 5, 1, 3), keep(2, 2, 5), throw(1, 3))
    told = advice.odds(table.game, table.state, 0, keep(2, 2, 5))
    assert told["flush"] == Fraction(4, 36)
    falls = [sorted(fall) for fall in product(range(1, 7), repeat=2)]
    assert told["two-pairs"] == Fraction(sum(5 in fall or fall == [2, 2] for fall in falls), 36)


# --- files that cannot be ---


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (("[71, 55], [78, 75]]", "[78, 75], [71, 55]]"), "the sums growing"),
        (("[71, 55], [78, 75]]", "[71, 55, 1]]"), "a list of 2 values"),
        (('title = "Kismet"\nalike', 'title = "Kismet"\nstands = 7\nalike'), "stands must be"),
        (('title = "Kismet"\nalike', 'title = "Kismet"\ntiers = [[5, 1], [5, 2]]\nalike'), "the sums growing"),
        (('title = "Kismet"\nalike', 'title = "Kismet"\nwins = "once"\nalike'), "wins must be"),
    ],
)
def test_a_file_that_cannot_be_is_refused_in_a_sentence(changed: tuple[str, str], told: str) -> None:
    text = text_of("kismet")
    assert changed[0] in text
    text = text.replace(*changed, 1)
    if told:
        assert told in refused(text)
    else:
        game_from_text(text, "ours")


def test_jokers_and_cells_that_stand_several_times_are_apart() -> None:
    text = text_of("yahtzee").replace('key = "chance"', 'key = "chance"\nstands = 2')
    assert "joker cannot be so together with stands" in refused(text)


def test_a_sheet_has_a_bounded_number_of_cells() -> None:
    cells = [f'key = "c{number}"\ntitle = "C{number}"\nstands = 6' for number in range(40)]
    game_from_text(sheet_file(*cells), "ours")
    assert "at most 240 cells" in refused(sheet_file(*cells, rules="column = [{}, {}]"))


def test_what_may_be_written_of_a_served_throw_is_120() -> None:
    assert offers(table_of("generala"), 6, 6, 6, 6, 6)["generala"] == (120, 0)
