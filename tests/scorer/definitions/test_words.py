"""The language of games' files does not grow: `python -m tests.scorer.definitions.words`."""

from tests.scorer.definitions.words import counts, games_by_word


def test_the_language_has_no_more_words_than_it_had() -> None:
    """Fewer are asked for: 95 fields, 40 values, 8 words that one game says. Lower a number with what was taken out."""
    most = {"fields": 93, "values": 40, "few": 8}
    assert {name: count for name, count in counts().items() if count > most[name]} == {}


def test_words_are_found_in_rules_lines_and_options() -> None:
    found = games_by_word()
    assert found["keep_order"] == ["ship-captain-crew"]
    assert found["alike_again"] == ["pig-sevens", "two-dice-pig"]  # house rules alone
    assert {"kismet"} <= set(found["upper_bonus"])
