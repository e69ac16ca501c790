"""How a training moves: the learning rate over the steps, and the average of the weights, steadier than any one
step's."""

from __future__ import annotations

import math

import torch


def rate_share(step: int, steps: int, warm_up: int, decay: float) -> float:
    """The learning rate at `step` as a share of the highest: rises, stays, and falls over the last `decay` of `steps`.

    Since it stays, a run can be made longer, or given more pictures, until it begins to fall.
    """
    if step < warm_up:
        return (step + 1) / warm_up
    left = (steps - step) / (decay * steps)
    return 1.0 if left >= 1 else 0.02 + 0.98 * (1 - math.cos(math.pi * left)) / 2


def follow(average: torch.nn.Module, model: torch.nn.Module, share: float) -> None:
    """Moves the averaged weights towards the model's; `share` is what stays of them."""
    with torch.no_grad():
        for kept, now in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(now, 1 - share)
            else:
                kept.copy_(now)
