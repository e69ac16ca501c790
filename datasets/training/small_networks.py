"""What the small networks beside detector and crop classifier share: a layer, pictures as tensors, and the course of
their training, on the processor."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import nn

from datasets.training.progress import follow, rate_share
from vision.arrays import Pixels

_PROGRESS = 100  # steps from one line of progress to the next

Small = TypeVar("Small", bound=nn.Module)


@dataclass(frozen=True)
class Course:
    """`rate`: the highest learning rate; `warm_up`, `decay`: as for `rate_share`; `average`: the share of the averaged
    weights that stays at each step; `weight_decay`: AdamW's."""

    rate: float
    warm_up: int
    decay: float
    average: float
    weight_decay: float


def convolution(before: int, width: int, stride: int) -> nn.Sequential:
    """A 3x3 convolution from `before` to `width` channels, normalised and rectified."""
    return nn.Sequential(
        nn.Conv2d(before, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)
    )


def as_tensor(pictures: Pixels) -> torch.Tensor:
    """Pictures (n, h, w, 3) of bytes as (n, 3, h, w) 0..1."""
    values = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    return values.contiguous(memory_format=torch.channels_last)


def train_steps(model: Small, steps: int, course: Course, loss_at: Callable[[Small, int], torch.Tensor]) -> Small:
    """The averaged model after so many steps, ready to be used. `loss_at`: the model's loss at a step."""
    model = model.to(memory_format=torch.channels_last)
    average = deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=course.rate, weight_decay=course.weight_decay)
    mean, begun = 0.0, time.monotonic()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = course.rate * rate_share(step, steps, course.warm_up, course.decay)
        loss = loss_at(model, step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        follow(average, model, min(course.average, step / (step + 10)))
        mean += (loss.item() - mean) / min(step + 1, _PROGRESS)
        if (step + 1) % _PROGRESS == 0 or step + 1 == steps:
            print(f"step {step + 1} of {steps}, loss {mean:.4f}, {time.monotonic() - begun:.0f} s", flush=True)
    return average.eval()
