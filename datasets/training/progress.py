"""The course of a training: the learning rate, the average of the weights (steadier than any one step's), the
precision, and the file from which an interrupted run continues."""

from __future__ import annotations

import math
from pathlib import Path

import torch

_BFLOAT16 = ("avx512_bf16", "amx_bf16", "bf16")  # as torch names them; the last is that of ARM


def rate_share(step: int, steps: int, warm_up: int, decay: float) -> float:
    """The learning rate at `step` as a share of the highest: it rises, stays, and falls over the last `decay` of
    `steps`.

    A run can be made longer, or get more pictures, until the rate begins to fall.
    """
    if step < warm_up:
        return (step + 1) / warm_up
    left = (steps - step) / (decay * steps)
    return 1.0 if left >= 1 else 0.02 + 0.98 * (1 - math.cos(math.pi * left)) / 2


def device_of(name: str) -> torch.device:
    """The device to train on: `name` as torch names it, or "auto". Raises ValueError if it is missing."""
    if name == "auto":
        found = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(found)
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"cannot train on {name!r}: {str(error).splitlines()[0]}") from error
    return device


def precision(device: torch.device) -> torch.autocast:
    """Computes in bfloat16 on GPUs and on processors with instructions for it, in a little more than half the time. On
    other processors bfloat16 would take six times as long."""
    if device.type != "cpu":
        return torch.autocast(device.type, torch.bfloat16)
    able = torch.cpu.get_capabilities()
    return torch.autocast("cpu", torch.bfloat16, enabled=any(able.get(name) for name in _BFLOAT16))


def follow(average: torch.nn.Module, model: torch.nn.Module, share: float) -> None:
    """Moves the averaged weights towards the model's; `share` of them stays."""
    with torch.no_grad():
        for kept, now in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(now, 1 - share)
            else:
                kept.copy_(now)


def resume(state: Path, model: torch.nn.Module, average: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Loads the file of `save`, if it is there, and returns the number of steps done."""
    if not state.is_file():
        return 0
    saved = torch.load(state, weights_only=True, map_location="cpu")
    model.load_state_dict(saved["model"])
    average.load_state_dict(saved["average"])
    optimizer.load_state_dict(saved["optimizer"])
    step: int = saved["step"]
    return step


def save(
    state: Path, model: torch.nn.Module, average: torch.nn.Module, optimizer: torch.optim.Optimizer, step: int
) -> None:
    """Writes the run after `step` steps. A run that is killed meanwhile still has the file before."""
    saved = {
        "model": model.state_dict(),
        "average": average.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
    }
    torch.save(saved, state.with_suffix(".new"))
    state.with_suffix(".new").replace(state)
