"""scorer/games/kosci-single.toml: docs/rules.md section 6."""

from tests.scorer.playing import play, refusal_of, score, table_of, throw
from tests.scorer.sheets import LOWER, fill, offers

KEY = "kosci-single"


def test_section_6_a_0_only_where_nothing_fits() -> None:
    """Section 6, Reading: with the option, "a cell that brings neither points nor a bonus may be written only if no
    open cell would bring any".
    """
    table = table_of(KEY, zero_only_if_nothing_fits=True)
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"ones", "twos", "threes", "sixes", "chance"}
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("general")) == "zero-while-something-fits"
    play(table, score("ones"))
    fill(table, twos=(2, 3, 4, 4, 6), threes=(3, 2, 4, 4, 6), chance=(1, 2, 2, 3, 6), sixes=(6, 6, 1, 2, 3))
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"fours", "fives", *LOWER} - {"chance"}
