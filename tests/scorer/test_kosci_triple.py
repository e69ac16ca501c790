"""scorer/games/kosci-triple.toml: docs/rules.md section 7."""

from tests.scorer.playing import play, refusal_of, score, table_of, throw
from tests.scorer.sheets import fill_column, offers

KEY = "kosci-triple"


def test_section_7_the_column_is_named() -> None:
    table = play(table_of(KEY), throw(1, 2, 2, 3, 6))
    assert refusal_of(table, score("chance")) == "missing-field"
    assert refusal_of(table, score("chance", 4)) == "not-in-range"
    assert refusal_of(table, score("chance", 0)) == "not-in-range"
    assert refusal_of(play(table_of("kosci-single"), throw(1, 2, 2, 3, 6)), score("chance", 1)) == "unknown-field"


def test_section_7_a_0_only_where_nothing_fits_in_any_column() -> None:
    table = table_of(KEY, zero_only_if_nothing_fits=True)
    fill_column(table, 1, **{category.replace("-", "_"): (1, 2, 3, 4, 5) for category in ("ones", "chance")})
    assert ("full", 1) not in offers(table, 1, 1, 2, 3, 6)
    assert ("twos", 1) in offers(table, 1, 1, 2, 3, 6)
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("full", 1)) == "zero-while-something-fits"
    play(table, score("chance", 3))
