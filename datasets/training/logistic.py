"""Logistic regression with a ridge, for what is fitted beside the networks."""

from __future__ import annotations

import numpy as np

from vision.arrays import Doubles, Flags

_ROUNDS = 200


def fit_logistic(features: Doubles, wanted: Flags, ridge: float) -> tuple[Doubles, float]:
    """Weights (d,) and bias for features (n, d), of which some are `wanted` (n,). Both kinds weigh the same. `ridge`:
    of the weights of features that are scaled to a spread of 1."""
    middle, spread = features.mean(0), features.std(0) + 1e-6
    rows = np.column_stack([(features - middle) / spread, np.ones(len(features))])
    weigh = np.where(wanted, 0.5 / wanted.mean(), 0.5 / (1 - wanted.mean()))
    penalty = ridge * np.append(np.ones(features.shape[1]), 0.0)
    weights = logistic_weights(rows, wanted.astype(np.float64), weigh, penalty)
    scaled = weights[:-1] / spread
    return scaled, float(weights[-1] - middle @ scaled)


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
