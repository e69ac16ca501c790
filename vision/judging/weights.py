"""How detector and classifier are weighed: `models/calibration.json`.

datasets/docs/detector.md says how its numbers were chosen, and what each brings.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from vision.reasons import ModelError

_CLEAR = 0.99  # probabilities from which on a value, and that these are the dice, are sure at a glance


@dataclass(frozen=True)
class Weights:
    """Weights of a logistic regression: how probable a candidate is to be a die, by itself."""

    detector_weight: float
    classifier_weight: float
    bias: float
    odd_size: float  # weight against a size other than the photo's dice have
    odd_shape: float  # weight against a box longer or wider than theirs
    same_set: float  # weight for looking like the photo's other dice


@dataclass(frozen=True)
class MemoryWeights(Weights):
    """The weights with a dice memory, and from where on a value is sure then."""

    sure_value: float


@dataclass(frozen=True, kw_only=True)
class Calibration(MemoryWeights):
    """How detector and classifier are weighed: `models/calibration.json`."""

    image_sizes: tuple[int, ...]  # longer sides in pixels of the detector's pictures
    candidate: float  # the detector's score from which on a candidate is classified
    temperature: float  # of the classifier's logits
    die: float  # the probability of being a die, from which on a candidate is given as one
    sure_die: float
    sure_all: float  # the least probability that exactly the given candidates are dice, if the reading is to be sure
    sure_with_count: float  # `sure_all` with the dice count
    sure_again: float = 1.0  # `sure_value` of the second pass, if it is lower
    # Log-odds of being some part of a die, from which on a thing that is left out makes a second pass follow, without
    # the dice count: the detector may have framed it badly.
    second_look: float = float("inf")
    known: MemoryWeights | None = None  # replace the weights with a dice memory

    def __post_init__(self) -> None:
        if not self.image_sizes:  # else no dice would be found, without a word
            raise ValueError("image_sizes must name at least one size")

    @classmethod
    def load(cls, path: Path) -> Calibration:
        try:
            fields = json.loads(path.read_text())
            fields["image_sizes"] = tuple(map(int, fields["image_sizes"]))
            if fields["known"] is not None:
                fields["known"] = MemoryWeights(**fields["known"])
            return cls(**fields)
        except FileNotFoundError as error:
            raise ModelError("model-missing", file=path.name) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("model-broken", file=path.name) from error

    @property
    def with_memory(self) -> Calibration:
        """The calibration for logits that a dice memory adjusted."""
        return self if self.known is None else replace(self, **asdict(self.known))

    @property
    def glance(self) -> Calibration:
        """The calibration for a look at one size with the dice count, which sees too little for more."""
        return replace(self, sure_with_count=max(self.sure_with_count, _CLEAR), sure_value=max(self.sure_value, _CLEAR))

    @property
    def second_pass(self) -> Calibration:
        """The calibration for a second pass, which sees more of each value."""
        return replace(self, sure_value=min(self.sure_value, self.sure_again), second_look=float("inf"))
