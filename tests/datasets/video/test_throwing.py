"""Dice that fly: they stay over the table, move without jumps, come to rest flat and show what was asked for."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import dice_styles
from datasets.video.throwing import POSES, Aim, Flight, throw

AIM = Aim(np.array([-6.0, 0.0]), np.array([1.0, 0.5]), 2.0, 30.0)
NONE = np.zeros((0, 3))


def throw_dice(
    seed: int, values: list[int], lying: np.ndarray = NONE
) -> tuple[list[Flight], list[dice_styles.DieStyle]]:
    rng = np.random.default_rng(seed)
    styles = [dice_styles.common_style(rng) for _ in values]
    for _ in range(20):
        flights = throw(rng, AIM, values, styles, lying, np.ones(len(lying)))
        if flights:
            return flights, styles
    raise AssertionError("never at rest")


@pytest.mark.parametrize("seed", range(6))
def test_dice_come_to_rest_flat_with_their_values(seed: int) -> None:
    values = [1, 2, 3, 4, 5, 6]
    flights, styles = throw_dice(seed, values)
    for value, flight, style in zip(values, flights, styles, strict=True):
        body = dice_styles.die(style, value, 0.0, 0.0, 0.0)
        up = flight.turns[-1][2] @ dice_styles.NORMALS[body.values.index(value)]
        assert up > 1 - 1e-9
        assert flight.places[-1, 2] == pytest.approx(body.position[2], abs=1e-9)
        assert np.allclose(flight.turns @ flight.turns.transpose(0, 2, 1), np.eye(3), atol=1e-6)
        assert flight.places[:, 2].min() > 0.4 * style.size
        steps = np.linalg.norm(np.diff(flight.places, axis=0), axis=1) * POSES
        assert steps.max() < 120  # edges a second: two metres
        assert steps[-5:].max() < 3
        assert np.abs(np.diff(flight.turns, axis=0)).max() < 0.6
        assert 0.15 < flight.seconds < 2.0


def test_dice_that_lie_are_in_the_way() -> None:
    wall = np.array([[0.0, y, 0.5] for y in np.arange(-8, 8.1, 1.0)])
    flights, _ = throw_dice(3, [1, 2, 3, 4], wall)
    for flight in flights:
        gap = np.linalg.norm(wall - flight.places[-1], axis=1).min()
        assert gap > 1.0


def test_the_same_numbers_make_the_same_throw() -> None:
    first, again = throw_dice(4, [2, 5])[0], throw_dice(4, [2, 5])[0]
    assert all(np.array_equal(a.places, b.places) for a, b in zip(first, again, strict=True))
