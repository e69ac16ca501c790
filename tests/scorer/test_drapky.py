"""scorer/games/drapky.py: docs/rules.md section 3."""

import pytest

import scorer
from tests.scorer.playing import (
    PASS,
    aside,
    events,
    keep,
    legal,
    places,
    play,
    refusal_of,
    score,
    scores,
    table_of,
    throw,
    turn,
)

KEY = "drapky"

# One throw for each figure, and its points.
FIGURES = {
    "ones": ((1, 1, 1, 2, 3, 5), 3),
    "twos": ((2, 2, 2, 1, 3, 5), 6),
    "threes": ((3, 3, 3, 1, 2, 5), 9),
    "fours": ((4, 4, 4, 2, 5, 3), 12),
    "fives": ((5, 5, 5, 5, 5, 1), 25),
    "sixes": ((6, 6, 6, 6, 1, 2), 24),
    "two-plus-three": ((3, 3, 3, 2, 2, 1), 13),
    "pairs": ((2, 2, 4, 4, 5, 5), 22),
    "triples": ((2, 2, 2, 5, 5, 5), 21),
    "pyramid": ((5, 5, 5, 4, 4, 3), 26),
    "poker": ((4, 4, 4, 4, 1, 2), 16),
    "hiroshima": ((6, 1, 1, 1, 1, 1), 11),
    "general": ((6, 6, 6, 6, 6, 6), 36),
    "straight": ((6, 5, 4, 3, 2, 1), 21),
}


@pytest.mark.parametrize(
    ("dice", "figure"),
    [
        ((4, 4, 4, 5, 5, 6), "pyramid"),
        ((4, 4, 4, 4, 2, 2), "pairs"),
        ((4, 4, 4, 4, 2, 1), "two-plus-three"),
        ((4, 4, 4, 4, 4, 2), "two-plus-three"),
        ((4, 4, 4, 4, 4, 4), "triples"),
        ((6, 6, 1, 1, 1, 1), "hiroshima"),
    ],
)
def test_section_3_what_a_figure_is_not(dice: tuple[int, ...], figure: str) -> None:
    """Section 3: "555443 is a pyramid, 444556 is not; 444422 is not `pairs`"."""
    assert refusal_of(play(table_of(KEY), throw(*dice)), score(figure)) == "not-this-figure"


def test_section_3_three_throws_keeping_any_dice() -> None:
    table = play(table_of(KEY), throw(4, 4, 1, 2, 5, 3))
    assert turn(table)["throws_left"] == 2
    play(table, keep(4, 4), throw(4, 2, 5, 3))
    assert turn(table)["dice"] == [2, 3, 4, 4, 4, 5]
    play(table, keep(5), throw(5, 5, 1, 1, 2))
    assert (turn(table)["throws_left"], turn(table)["rolls"][1]) == (0, [2, 3, 4, 4, 4, 5])
    assert refusal_of(table, keep(5)) == "no-throws-left"
    assert refusal_of(table, throw(5, 5, 1, 1, 2)) == "no-throws-left"
    play(table, score("fives"))
    assert scores(table) == [15]


def test_section_3_first_throw_of_a_turn_has_all_six_dice() -> None:
    table = table_of(KEY)
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "pass"}]
    assert refusal_of(table, throw(1, 2, 3, 4, 5)) == "wrong-count"
    assert refusal_of(table, aside(1)) == "unknown-action"
    play(table, throw(1, 1, 2, 3, 4, 6))
    assert refusal_of(table, throw(1, 1, 2, 3, 4, 6)) == "keep-first"
    assert refusal_of(table, keep(1, 1, 2, 3, 4, 6)) == "keep-all"
    play(table, keep())
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, PASS) == "pass-after-keep"
    assert refusal_of(table, score("ones")) == "nothing-to-score"


def test_section_3_unused_throws_are_saved_without_limit() -> None:
    table = play(table_of(KEY), throw(*FIGURES["general"][0]), score("general"))
    assert table.standing()["players"][0]["saved"] == 2
    assert turn(table)["throws_left"] == 5
    play(table, PASS)  # before the first throw: all five are saved
    assert (table.standing()["players"][0]["saved"], turn(table)["throws_left"]) == (5, 8)
    play(table, throw(1, 1, 2, 3, 4, 6), PASS)
    assert table.standing()["players"][0]["saved"] == 7
    for _ in range(10):
        play(table, PASS)
    assert turn(table)["throws_left"] == 40


def test_section_3_out_of_throws_the_turn_ends() -> None:
    """Section 3: "Out of throws with nothing written, the turn ends"; by itself when no figure could be written."""
    table = table_of(KEY, players=2)
    nothing = (1, 1, 2, 2, 3, 4)
    play(table, throw(*nothing), keep(), throw(*nothing), keep(), throw(*nothing))
    assert events(table) == ["no-figure"]
    assert (table.standing()["to_act"], table.standing()["players"][0]["saved"]) == ([1], 0)
    play(table, throw(*nothing), keep(), throw(*nothing), keep(), throw(4, 4, 4, 1, 2, 3))
    assert list(table.legal) == [{"do": "score", "category": "fours", "points": 12, "bonus": 0}, {"do": "pass"}]
    play(table, PASS)
    assert scores(table) == [0, 0]


def test_section_3_a_figure_that_is_held_does_not_keep_the_turn_open() -> None:
    table = play(table_of(KEY), throw(4, 4, 4, 1, 2, 3), score("fours"))
    play(table, throw(4, 4, 4, 1, 2, 3))
    assert refusal_of(table, score("fours")) == "figure-held"
    for _ in range(4):
        play(table, keep(), throw(4, 4, 4, 1, 2, 3))
    assert events(table) == ["no-figure"]


def test_section_3_no_figure_is_ever_crossed_out() -> None:
    table = play(table_of(KEY), throw(1, 1, 2, 3, 4, 6))
    assert legal(table, "score") == []
    assert refusal_of(table, score("straight")) == "not-this-figure"
    assert refusal_of(table, score("chance")) == "unknown-figure"


def test_section_3_reading_places_by_figures_held_then_points() -> None:
    table = table_of(KEY, players=4)
    play(table, throw(*FIGURES["general"][0]), score("general"))  # one figure, 36
    play(table, throw(*FIGURES["ones"][0]), score("ones"))
    play(table, throw(*FIGURES["twos"][0]), score("twos"))
    play(table, throw(*FIGURES["general"][0]), score("general"))
    play(table, PASS, throw(*FIGURES["twos"][0]), score("twos"))  # two figures, 9
    assert scores(table) == [36, 9, 6, 36]
    assert places(table) == [2, 1, 4, 2]


def test_section_3_rating() -> None:
    """Section 3: "(mean points) / (mean place), as the text has it"."""
    rating = scorer.game(KEY).rating
    assert rating([(200, 1), (100, 2)]) == 100.0
    assert rating([(90, 3)]) == 30.0
