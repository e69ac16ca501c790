"""scorer/games/drapky.py: docs/rules.md section 3."""

import scorer
from tests.scorer.playing import (
    PASS,
    aside,
    events,
    keep,
    play,
    refusal_of,
    score,
    scores,
    table_of,
    throw,
)

KEY = "drapky"


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


def test_section_3_refusals_of_figures_and_throws() -> None:
    table = play(table_of(KEY), throw(1, 1, 2, 3, 4, 6))
    assert refusal_of(table, score("straight")) == "not-this-figure"
    assert refusal_of(table, score("chance")) == "unknown-figure"
    play(table, keep(), throw(1, 1, 2, 3, 4, 6), keep(), throw(1, 1, 1, 3, 4, 6))
    assert refusal_of(table, keep(1)) == refusal_of(table, throw(1, 1, 2, 3, 4, 6)) == "no-throws-left"


def test_section_3_rating() -> None:
    """Section 3: "(mean points) / (mean place), as the text has it"."""
    rating = scorer.game(KEY).rating
    assert rating([(200, 1), (100, 2)]) == 100.0
    assert rating([(90, 3)]) == 30.0
