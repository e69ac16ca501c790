"""Charts as SVG inside the page: without scripts, in the colours of the page's style.

Each has a title and a description for people who do not see it, and the page has its numbers as a table. Each curve
has a dash, a mark and a name besides its colour. Measures are in units of the view box.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from web.texts.formats import points

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 46, 96, 14, 26  # margins: numbers to the left and below, names to the right
LABEL_GAP = 15  # between two names, one below the other
LONGEST_LABEL = 9  # characters
STEPS = (1, 2, 5, 10)
COLOURS, DASHES = 6, 4  # of web/static/rollcall.css: no two of twelve lines have both the same
MARKS = (  # as in web/static/shared/icons.js; they differ without colours too
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-4-4h8v8h-8z",
    "M0-5L5 4H-5z",
    "M0-6L5 0 0 6-5 0z",
    "M-1.6-5h3.2v3.4H5v3.2H1.6V5h-3.2V1.6H-5v-3.2h3.4z",
    "M0 5L5-4H-5z",
    "M-3-5.2L0-2.2 3-5.2 5.2-3 2.2 0 5.2 3 3 5.2 0 2.2-3 5.2-5.2 3-2.2 0-5.2-3z",
    "M-5-5H5L0 0 5 5H-5L0 0z",
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0zM-2.6 0a2.6 2.6 0 1 1 5.2 0a2.6 2.6 0 1 1-5.2 0z",
    "M-5-5h10v10h-10zM-2.6-2.6v5.2h5.2v-5.2z",
    "M-5-4.5h10v3h-10zM-5 1.5h10v3h-10z",
    "M-4.5-5h3V5h-3zM1.5-5h3V5h-3z",
)
STAR = "M0-7L1.8-2.4 6.7-2.2 2.9.9 4.1 5.7 0 3-4.1 5.7-2.9.9-6.7-2.2-1.8-2.4z"


@dataclass(frozen=True)
class Curve:
    """A curve's name and its values at 0, 1, 2, ... `stars`: the positions that get a star."""

    name: str
    values: Sequence[float]
    stars: Collection[int] = ()


def curves(
    name: str,
    title: str,
    description: str,
    lines: Sequence[Curve],
    first: int = 0,
    dots: bool = False,
    zero: bool = True,
) -> Markup:
    """Draws curves over the same steps, counted from `first`. `name`: of this chart in its page, for ids.

    `dots`: each value has a mark. `zero`: 0 is on the axis. Takes at least one curve, with at least one value each.
    """
    last = max(len(line.values) for line in lines) - 1
    labelled = len(lines) > 1
    axis = scale([value for line in lines for value in line.values], zero)
    plot = _Plot(*axis, last, WIDTH - LEFT - (RIGHT if labelled else 14))
    every = round(scale([last])[2]) if last > 6 else 1  # as many step numbers as fit
    shown = [step for step in range(last + 1) if (step + first) % every == 0] or [0]
    drawn = []
    for number, line in enumerate(lines):
        marks = [STAR if step in line.stars else MARKS[number % len(MARKS)] for step in range(len(line.values))]
        places = [(plot.x(step), plot.y(value)) for step, value in enumerate(line.values)]
        drawn.append((number, places, list(zip(places, marks, strict=True))[0 if dots else -1 :]))
    return plot.draw(
        (name, title, description),
        steps=[(plot.x(step), step + first) for step in shown],
        curves=drawn,
        labels=_labels(plot, lines) if labelled else (),
    )


def bars(name: str, title: str, description: str, counts: Sequence[int], expected: float) -> Markup:
    """Draws bars for the values 1, 2, ..., each with its count above, and a dashed line at the expected count."""
    plot = _Plot(*scale([0, *counts, expected]), len(counts), WIDTH - LEFT - 14)
    wide = plot.width / len(counts)
    drawn = [
        (LEFT + number * wide + wide * 0.18, LEFT + number * wide + wide / 2, plot.y(count), count)
        for number, count in enumerate(counts)
    ]
    return plot.draw(
        (name, title, description), bars=drawn, wide=wide * 0.64, bottom=plot.y(0), expected=plot.y(expected)
    )


def scale(values: Sequence[float], zero: bool = True) -> tuple[float, float, float]:
    """The first and the last value of an axis that holds all values (with `zero` also 0), and its round step."""
    low, high = (min(0, *values), max(0, *values)) if zero else (min(values), max(values))
    rough = max(high - low, 1) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = max(1.0, next(factor * power for factor in STEPS if factor * power >= rough))
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, high if high > low else low + step, step


@dataclass(frozen=True)
class _Plot:
    """Turns steps and values into coordinates. `low`, `high`, `step`: of the axis of values (`scale`)."""

    low: float
    high: float
    step: float
    last: int
    width: float

    def x(self, step: float) -> float:
        return LEFT + self.width * (step / self.last if self.last else 0.5)

    def y(self, value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (self.high - value) / (self.high - self.low)

    def draw(self, texts: tuple[str, str, str], **parts: Any) -> Markup:
        """The picture. `texts`: the name of the chart in its page, its title and its description."""
        values = [self.low + number * self.step for number in range(round((self.high - self.low) / self.step) + 1)]
        rules = [(self.y(value), round(value)) for value in values]
        here = {"texts": texts, "rules": rules, "left": LEFT, "right": LEFT + self.width, "bounds": (WIDTH, HEIGHT)}
        looks = {"colours": COLOURS, "dashes": DASHES, "marks": MARKS}
        return Markup(TEMPLATES.get_template("chart.svg").render(**here, **looks, **parts))


def _labels(plot: _Plot, lines: Sequence[Curve]) -> list[tuple[float, int, str]]:
    """The names at the right edge, each near the end of its curve; no name covers another."""
    ends = sorted((plot.y(line.values[-1]), number) for number, line in enumerate(lines))
    lowest = HEIGHT - BOTTOM
    at: list[float] = []
    for y, _ in ends:
        at.append(max(y, at[-1] + LABEL_GAP if at else TOP))
    for place in range(len(at) - 1, -1, -1):
        at[place] = min(at[place], at[place + 1] - LABEL_GAP if place + 1 < len(at) else lowest)
    return [(y, number, _shorten(lines[number].name)) for y, (_, number) in zip(at, ends, strict=True)]


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - 1].rstrip() + "…"


def _number(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters.update(number=_number, points=points)
