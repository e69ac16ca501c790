"""scorer/games/yatzy.toml: docs/rules.md section 11."""

from tests.scorer.playing import table_of
from tests.scorer.reference.sheets import Yatzy
from tests.scorer.sheets import UPPER, offers

KEY = "yatzy"


def test_section_11_fifteen_cells_in_order() -> None:
    assert list(offers(table_of(KEY), 1, 2, 3, 4, 6)) == [*UPPER, *Yatzy.lower]
    assert len(Yatzy.lower) == 9
