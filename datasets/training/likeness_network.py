"""Trains the numbers of `vision.likeness_map.LikenessMap` on episodes, which are evenings of one set of dice. The loss
of a throw is how improbable its truth is by the memory of the throws before it.

Burget and others, "Discriminatively trained probabilistic linear discriminant analysis for speaker verification", 2011;
episodes: Vinyals and others, "Matching networks for one shot learning", 2016.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from datasets.training.progress import rate_share
from datasets.training.settings import LikenessSettings
from vision.arrays import Floats
from vision.judging.dice_memory import MOST_RATIO
from vision.judging.seen import NONE
from vision.likeness_map import LikenessMap

_WARM_UP = 0.02  # of the steps
_STEEPEST = 1.0  # norm of the gradients of one step


@dataclass(frozen=True)
class Episode:
    """The things of one evening with known truth, in the order of its throws: features (n, d), the classifier's logits
    (n, 7), classes (n,) of which 6 is no die, and their throws (n,)."""

    features: Floats
    logits: Floats
    classes: npt.NDArray[np.int64]
    throws: npt.NDArray[np.int64]


def train_likeness(
    settings: LikenessSettings, seed: int, start: LikenessMap, episodes: Sequence[Episode], temperature: float
) -> LikenessMap:
    """Trains all numbers of `start`, with a network of `settings.hidden` units beside it.

    `temperature`: of the memory's logits in the calibration. Raises ValueError if no throw has one before it.
    """
    episodes = [episode for episode in episodes if len(set(episode.throws.tolist())) > 1]
    if not episodes:
        raise ValueError("no evening with two throws to learn from")
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model = _Model(settings, start, np.concatenate([episode.features for episode in episodes]).std(0))
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.weight_decay)
    steps = min(settings.steps, math.ceil(settings.passes * len(episodes) / settings.batch))
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * rate_share(step, steps, math.ceil(_WARM_UP * steps), settings.decay)
        chosen = rng.choice(len(episodes), min(settings.batch, len(episodes)), replace=False)
        loss = model.loss(_together([_shuffle_throws(rng, episodes[i]) for i in chosen]), temperature)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), _STEEPEST)
        optimizer.step()
    return model.likeness()


class _EpisodeBatch(NamedTuple):
    features: torch.Tensor  # (n, d)
    logits: torch.Tensor  # (n, 7)
    classes: torch.Tensor  # (n,)
    before: torch.Tensor  # (n, n): whether a thing was kept when another was looked at


def _shuffle_throws(rng: np.random.Generator, episode: Episode) -> Episode:
    """The episode with its throws in another order: any of them may come first."""
    order = rng.permutation(int(episode.throws.max()) + 1)
    return Episode(episode.features, episode.logits, episode.classes, order[episode.throws])


def _together(episodes: Sequence[Episode]) -> _EpisodeBatch:
    of_evening = np.repeat(np.arange(len(episodes)), [len(episode.throws) for episode in episodes])
    throws = np.concatenate([episode.throws for episode in episodes])
    before = (of_evening[:, None] == of_evening) & (throws[:, None] > throws)
    return _EpisodeBatch(
        torch.from_numpy(np.concatenate([episode.features for episode in episodes])),
        torch.from_numpy(np.concatenate([episode.logits for episode in episodes])),
        torch.from_numpy(np.concatenate([episode.classes for episode in episodes])),
        torch.from_numpy(before),
    )


class _Model(nn.Module):
    """The likeness as parameters; positive ones as their logarithms."""

    def __init__(self, settings: LikenessSettings, start: LikenessMap, spread: Floats) -> None:
        super().__init__()
        width, dimensions = start.across.shape
        self._noise = settings.noise
        self._spread = torch.from_numpy(spread.astype(np.float32))  # (d,): of the features
        self.middle = nn.Parameter(torch.from_numpy(start.middle.copy()))
        self.across = nn.Parameter(torch.from_numpy(start.across.copy()))
        # Each unit begins with an input of about 1, and adds nothing yet; a feature that is hardly ever there counts
        # little.
        inner = (
            torch.randn(width, settings.hidden) / math.sqrt(width) / self._spread.clamp(self._spread.mean())[:, None]
        )
        self.inner = nn.Parameter(inner)
        self.inner_bias = nn.Parameter(torch.zeros(settings.hidden))
        self.outer = nn.Parameter(torch.zeros(settings.hidden, dimensions))
        self.dropout = nn.Dropout(settings.dropout)
        self.log_between = _logarithm(start.between)
        self.log_share, self.log_die_share = _logarithm(start.share), _logarithm(start.die_share)
        self.log_concentration = _logarithm(np.float32(start.concentration))
        self.none_odds = nn.Parameter(torch.tensor(math.log(start.none / (1 - start.none))))

    def loss(self, batch: _EpisodeBatch, temperature: float) -> torch.Tensor:
        """The mean log-loss of the values of dice, plus that of being a die, over all things with kept ones before
        them."""
        later = batch.before.any(1)
        before, truth = batch.before[later].float(), batch.classes[later]
        vectors = self._vectors(batch.features)
        of_class = functional.one_hot(batch.classes, NONE + 1).float()
        chances = functional.softmax(batch.logits[later], 1)
        none = torch.sigmoid(self.none_odds)
        prior = torch.cat([((1 - none) / NONE).expand(NONE), none[None]])
        count, weight = before @ of_class, self.log_concentration.exp()

        def mixture(log_share: torch.Tensor) -> torch.Tensor:
            """As `vision.judging.dice_memory` has it: logarithms (n, 7), but for a number for each thing."""
            ratios = self._ratios(vectors[later], vectors, log_share.exp()).clamp(-MOST_RATIO, MOST_RATIO)
            alike = (ratios.exp() * before) @ of_class
            return torch.log(weight * chances + prior * alike) - torch.log(weight + count)

        values, of_die = mixture(self.log_share)[:, :NONE], mixture(self.log_die_share)
        # As in the reader: what it weighs are single values and none, at the temperature.
        single = torch.log_softmax(values, 1) + torch.logsumexp(of_die[:, :NONE], 1, keepdim=True)
        odds = torch.logsumexp(single / temperature, 1) - of_die[:, NONE] / temperature
        dice = truth < NONE
        lost = functional.binary_cross_entropy_with_logits(odds, dice.float())
        return lost + functional.cross_entropy(values[dice] / temperature, truth[dice]) if dice.any() else lost

    def _vectors(self, features: torch.Tensor) -> torch.Tensor:
        noisy = features + self._noise * self._spread * torch.randn_like(features) if self._noise else features
        off = noisy - self.middle
        units = self.dropout(functional.relu(off @ self.inner + self.inner_bias))
        vectors: torch.Tensor = off @ self.across + units @ self.outer
        return vectors

    def _ratios(self, vectors: torch.Tensor, kept: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
        """Log-likelihood ratios as in `vision.judging.dice_memory`."""
        between = self.log_between.exp()
        marginal = 1 + between
        spread = marginal - between**2 / marginal
        expected = kept * (between / marginal)
        alone = vectors**2 @ (share * (1 / marginal - 1 / spread))
        logs = alone[:, None] - expected**2 @ (share / spread) + 2 * (vectors * (share / spread)) @ expected.T
        return 0.5 * (logs + (share * torch.log(marginal / spread)).sum())

    def likeness(self) -> LikenessMap:
        with torch.no_grad():
            return LikenessMap(
                self.middle.numpy().copy(),
                self.across.numpy().copy(),
                self.inner.numpy().copy(),
                self.inner_bias.numpy().copy(),
                self.outer.numpy().copy(),
                self.log_between.exp().numpy(),
                self.log_share.exp().numpy(),
                self.log_die_share.exp().numpy(),
                float(self.log_concentration.exp()),
                float(torch.sigmoid(self.none_odds)),
            )


def _logarithm(positive: Floats | np.float32) -> nn.Parameter:
    return nn.Parameter(torch.log(torch.as_tensor(np.maximum(positive, np.float32(1e-6)))))
