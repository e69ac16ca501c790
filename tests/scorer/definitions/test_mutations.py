"""Files that are nearly right: each is refused in one line within its bounds, or is a game that can be played."""

import random

import pytest

from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from tests.scorer.definitions.mutations import MOST_S, look_at, mutated

FILES = 100  # of each part


@pytest.mark.whole
@pytest.mark.parametrize("part", [*range(4), *(pytest.param(part, marks=pytest.mark.slow) for part in range(4, 110))])
def test_a_mutated_file_is_refused_or_can_be_played(part: int) -> None:
    taken = 0
    for number in range(part * FILES, (part + 1) * FILES):
        rng = random.Random(number)
        found = look_at(mutated(rng), rng, lambda seconds: None)
        assert not found.wrong, (number, found.wrong)
        assert found.seconds <= MOST_S, number
        taken += found.taken
    assert taken > FILES // 50, "the mutations are small enough to leave games"


ONCE = (
    'family = "counter"\ntitle = "T"\nsummary = "S"\n[rules]\ndice = 2\ntarget = 100\nturn = "bank"\n'
    'worth = [{ dice = [1], points = "bust" }, {}]\n'
    "[[example]]\nturn = [[1, 4], [5, 6]]\nworth = 0\n"
)


def test_what_mutations_found_is_refused_with_its_reason() -> None:
    said = "the rules do not allow the example: the turn has ended before its last throw"
    with pytest.raises(DefinitionError, match=said):
        game_from_text(ONCE, "ours")
