"""How detector and classifier are weighed: `models/calibration.json`.

datasets/docs/detector.md says how its numbers were chosen, and what each brings.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from vision.reasons import ModelError


@dataclass(frozen=True)
class Weights:
    """Weights of a logistic regression, how probable a candidate is to be a die by itself; and what is sure."""

    detector_weight: float
    classifier_weight: float
    bias: float
    odd_box: float  # weight against a box of another size or shape than the photo's dice have
    same_set: float  # weight for looking like the photo's other dice
    sure: float  # the least probability of a sure die; and that all of a sure reading is right


@dataclass(frozen=True)
class CutWeights:
    """Weights of a logistic regression: how probable it is that the photo's edge cuts a die at a place."""

    bias: float = 0.0
    border: float = 1.0  # of the log-odds by the network of the border
    part: float = 0.0  # of the classifier's, that the place shows some part of a die


@dataclass(frozen=True, kw_only=True)
class Calibration(Weights):
    """What the file holds."""

    image_sizes: tuple[int, ...]  # longer sides in pixels of the detector's pictures
    candidate: float  # the detector's score from which on a candidate is classified
    temperature: float  # of the classifier's logits
    die: float  # the probability of being a die, from which on a candidate is given as one
    # Log-odds of being some part of a die, from which on a thing that is left out makes a second pass follow, without
    # the dice count: the detector may have framed it badly.
    second_look: float = float("inf")
    known: Weights | None = None  # replace the weights with a dice memory
    cut: CutWeights = CutWeights()

    def __post_init__(self) -> None:
        if not self.image_sizes:  # else no dice would be found, without a word
            raise ValueError("image_sizes must name at least one size")

    @classmethod
    def load(cls, path: Path) -> Calibration:
        try:
            fields = json.loads(path.read_text())
            fields["image_sizes"] = tuple(map(int, fields["image_sizes"]))
            if fields["known"] is not None:
                fields["known"] = Weights(**fields["known"])
            fields["cut"] = CutWeights(**fields["cut"])
            return cls(**fields)
        except FileNotFoundError as error:
            raise ModelError("model-missing", file=path.name) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("model-broken", file=path.name) from error

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @property
    def with_memory(self) -> Calibration:
        """The calibration for logits that a dice memory adjusted."""
        return self if self.known is None else replace(self, **asdict(self.known))
