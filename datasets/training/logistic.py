"""Logistic regression with a ridge, for what is fitted beside the networks."""

from __future__ import annotations

import numpy as np

from vision.arrays import Doubles

_ROUNDS = 200


def logistic_weights(features: Doubles, truth: Doubles, weight: Doubles, ridge: Doubles) -> Doubles:
    """Weights (d,) of features (n, d) by Newton's method. `truth` (n,): 0 or 1; `weight` (n,): of each example;
    `ridge` (d,): of each weight."""
    slope = np.zeros(features.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(features @ slope, -30, 30)))
        gradient = features.T @ (weight * (chance - truth)) + ridge * slope
        curve = features.T @ (features * (weight * chance * (1 - chance))[:, None]) + np.diag(ridge)
        change = np.linalg.solve(curve, gradient)
        slope = slope - change
        if np.abs(change).max() < 1e-8:
            break
    return slope
