"""scorer/games/yahtzee.toml: docs/rules.md section 10."""

from __future__ import annotations

import pytest

import scorer
from tests.scorer.playing import play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import JOKER_WORTH, LOWER, UPPER, check_every_throw, column_of, fill, fill_before, offers
from tests.scorer.test_kosci import WORTH

KEY = "yahtzee"


def test_section_10_every_throw_in_every_cell() -> None:
    check_every_throw(KEY, WORTH)


def test_section_10_for_1_to_12_players() -> None:
    assert scorer.game(KEY).info.players == (1, 12)


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("general", [None, 0, 50])
@pytest.mark.parametrize("own_filled", [False, True])
@pytest.mark.parametrize("lower_open", [False, True])
def test_section_10_forced_jokers(face: int, general: int | None, own_filled: bool, lower_open: bool) -> None:
    """Section 10: "the upper cell of its face must be taken if it is open ...; otherwise any open lower cell ...;
    otherwise any open upper cell for 0. Every such throw adds 100 if the Yahtzee cell holds 50".
    """
    table = table_of(KEY)
    own = UPPER[face - 1]
    fill_before(table, face, general, own_filled, lower_open)
    found = offers(table, *[face] * 5)
    open_cells = [key for key in (*UPPER, *LOWER) if key not in column_of(table)["cells"]]
    bonus = 100 if general == 50 else 0
    if general is None:
        assert found == {key: (WORTH[key]([face] * 5), 0) for key in open_cells}
    elif not own_filled:
        assert found == {own: (5 * face, bonus)}
    elif lower_open:
        assert found == {key: (JOKER_WORTH.get(key, 5 * face), bonus) for key in open_cells if key in LOWER}
    else:
        assert found == dict.fromkeys(open_cells, (0, bonus))


def test_section_10_refusals_say_where_the_joker_goes() -> None:
    table = fill(table_of(KEY), general=(4, 4, 4, 4, 4))
    play(table, throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("chance")) == "joker-own-cell-first"
    play(table, score("fours"), throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("ones")) == "joker-lower-first"
    play(table, score("large-straight"))
    assert scores(table) == [50 + 120 + 140]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("general", [None, 0, 50])
@pytest.mark.parametrize("own_filled", [False, True])
@pytest.mark.parametrize("joker", ["free", "original"])
def test_section_10_jokers_of_older_rules(face: int, general: int | None, own_filled: bool, joker: str) -> None:
    """Section 10: "`free`: any open cell ... as any lower pattern only if the upper cell of its face is filled";
    "`original`: as any lower pattern in any open lower cell ... in an upper one 0"."""
    table = table_of(KEY, joker=joker)
    fill_before(table, face, general, own_filled, lower_open=True)
    dice = [face] * 5
    open_cells = [key for key in (*UPPER, *LOWER) if key not in column_of(table)["cells"]]
    bonus = 100 if general == 50 else 0
    as_pattern = general is not None and (own_filled or joker == "original")
    for key, offered in offers(table, *dice).items():
        open_cells.remove(key)
        if key in UPPER and joker == "original" and general is not None:
            assert offered == (0, bonus)
        elif key in LOWER and as_pattern:
            assert offered == (JOKER_WORTH.get(key, 5 * face), bonus)
        else:
            assert offered == (WORTH[key](dice), bonus)
    assert not open_cells


def test_section_10_an_unknown_joker_rule_is_refused() -> None:
    with pytest.raises(scorer.OptionError, match="must be one of forced, free, original"):
        scorer.game(KEY, joker="never")
