"""Weights averaged over the steps of a training: steadier than those of any one step."""

from __future__ import annotations

import torch


def follow(average: torch.nn.Module, model: torch.nn.Module, share: float) -> None:
    """Moves the averaged weights towards the model's; `share` is what stays of them."""
    with torch.no_grad():
        for kept, now in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(now, 1 - share)
            else:
                kept.copy_(now)
