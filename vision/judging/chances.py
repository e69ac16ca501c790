"""Probabilities, log-odds and logits."""

from __future__ import annotations

import math
from collections.abc import Sequence

Row = tuple[float, ...]


def softmax(logits: Sequence[float]) -> Row:
    """The probabilities of logits."""
    largest = max(logits)
    powers = [math.exp(logit - largest) for logit in logits]
    whole = sum(powers)
    return tuple(power / whole for power in powers)


def log_of_sum(logits: Sequence[float]) -> float:
    """The logarithm of the sum of exponentials."""
    largest = max(logits)
    return largest + math.log(sum([math.exp(logit - largest) for logit in logits]))


def chance(odds: float) -> float:
    """The probability of log-odds. Nothing is certain: it is a hundred-thousandth, or as far below 1, at most."""
    return 1 / (1 + math.exp(-min(max(odds, -11.5), 11.5)))


def log_odds(chance: float, least: float = 1e-4) -> float:
    """The log-odds of a probability, which counts as at least `least` and at most 0.9999."""
    safe = min(max(chance, least), 1 - 1e-4)
    return math.log(safe / (1 - safe))
