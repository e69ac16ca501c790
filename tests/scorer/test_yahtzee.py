"""scorer/games/yahtzee.toml: docs/rules.md section 10."""

import pytest

import scorer
from tests.scorer.playing import play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import fill

KEY = "yahtzee"


def test_section_10_for_1_to_12_players() -> None:
    assert scorer.game(KEY).info.players == (1, 12)


def test_section_10_refusals_say_where_the_joker_goes() -> None:
    table = fill(table_of(KEY), general=(4, 4, 4, 4, 4))
    play(table, throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("chance")) == "joker-own-cell-first"
    play(table, score("fours"), throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("ones")) == "joker-lower-first"
    play(table, score("large-straight"))
    assert scores(table) == [50 + 120 + 140]


def test_section_10_an_unknown_joker_rule_is_refused() -> None:
    with pytest.raises(scorer.OptionError, match="must be one of forced, free, original"):
        scorer.game(KEY, joker="never")
