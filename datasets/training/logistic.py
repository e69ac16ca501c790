"""Logistic regression with a ridge, for the small files beside the networks."""

from __future__ import annotations

import numpy as np

from vision.arrays import Doubles, Flags

_STEPS = 30  # of Newton's method


def fit_logistic(features: Doubles, wanted: Flags, ridge: float) -> tuple[Doubles, float]:
    """Weights (d,) and bias for features (n, d), of which some are `wanted` (n,). Both kinds weigh the same. `ridge`:
    of the weights of features that are scaled to a spread of 1."""
    middle, spread = features.mean(0), features.std(0) + 1e-6
    rows = np.column_stack([(features - middle) / spread, np.ones(len(features))])
    weigh = np.where(wanted, 0.5 / wanted.mean(), 0.5 / (1 - wanted.mean()))
    penalty = ridge * np.append(np.ones(features.shape[1]), 0.0)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (weigh * (chance - wanted)) + penalty * weights
        curve = (rows * (weigh * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty + 1e-6)
        weights -= np.linalg.solve(curve, slope)
    scaled = weights[:-1] / spread
    return scaled, float(weights[-1] - middle @ scaled)
