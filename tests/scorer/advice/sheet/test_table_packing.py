import numpy as np

from scorer.advice.sheet.table_packing import STEPS_A_POINT, pack, unpack


def test_values_come_back_to_the_nearest_step() -> None:
    rng = np.random.default_rng(1)
    for values in (rng.normal(scale=300, size=(3, 5, 64)), np.zeros((1, 2)), rng.uniform(-1e5, 1e5, size=(4, 9))):
        assert np.abs(unpack(pack(values)) - values).max() <= 0.5 / STEPS_A_POINT
