"""`rollcall workshop evaluate` of clips: whether the watch reports the events of labelled videos, how soon, no others.

A folder of clips has `NAME.mp4` and beside each `NAME.json`: `{"events": [{"at": 1.4, "event": "settled", "values": [2,
5], "stayed": [2]}, {"at": 6.1, "event": "cleared"}]}`. `at`: seconds at which the dice came to rest, or the last of
them was gone. Rendered clips have the time of rest in `rest`; their `at` is when the hand had left the picture too.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.frames import frames
from vision.reader import Reader
from vision.watch import EVERY, Watch, WatchEvent

_EARLY, _LATE = (
    0.25,
    2.5,
)  # seconds before and after what happened within which it may be reported: labels are not exact
CLIPS = "[!.]*.mp4"  # a name with a dot before it: a clip that is being made
_REPORTED = ("settled", "cleared")
_DARK = "dark"


@dataclass(frozen=True)
class ClipEvent:
    """An event at `at` seconds: "settled" with all `values` that lay there and those that had `stayed`, both ascending;
    or "cleared". `seen`: when all of it could be seen; `sure`: whether it is reported, or may be reported, as sure."""

    at: float
    event: str
    values: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()
    seen: float = 0.0
    sure: bool = True

    @property
    def thrown(self) -> bool:
        """Whether dice came. Otherwise dice only went."""
        return len(self.stayed) < len(self.values)


@dataclass
class ClipFigures:
    """The counts over the clips of one folder. `pairs`: each labelled event with the reported one, if any. By clip:
    `invented`, throws that were reported and did not happen, or reported twice; and `extra`, rests without new dice
    that the labels do not have. `dark`: events that were not reported, but that it is too dark was; `surely_wrong`:
    throws reported as sure that were others, or none."""

    name: str
    clips: int = 0
    pairs: list[tuple[ClipEvent, ClipEvent | None]] = field(default_factory=list)
    invented: list[tuple[str, ClipEvent]] = field(default_factory=list)
    extra: list[tuple[str, ClipEvent]] = field(default_factory=list)
    dark: int = 0
    surely_wrong: int = 0
    wrong: list[str] = field(default_factory=list)

    def table(self) -> dict[str, Any]:
        """The figures, JSON-ready. Shares are 0..1, None without cases; delays are seconds from rest to report."""
        throws = [(true, reported) for true, reported in self.pairs if true.thrown and true.sure]
        keeps = [(true, reported) for true, reported in self.pairs if true.stayed]
        delays = sorted(reported.at - true.at for true, reported in self.pairs if reported is not None)
        return {
            "set": self.name,
            "clips": self.clips,
            "throws": len(throws),
            "throws_exact": _share(throws, lambda true, reported: reported.values == true.values),
            "rests_with_stayed": len(keeps),
            "stayed_exact": _share(keeps, lambda true, reported: reported.stayed == true.stayed),
            "cleared": sum(true.event == "cleared" for true, _ in self.pairs),
            "missed": sum(reported is None for true, reported in self.pairs if true.sure) - self.dark,
            "dark": self.dark,
            "invented": len(self.invented),
            "extra": len(self.extra),
            "surely_wrong": self.surely_wrong,
            "delay": statistics.median(delays) if delays else None,
            "delay_95": delays[int(0.95 * (len(delays) - 1))] if delays else None,
            "wrong": self.wrong,
        }


def _share(pairs: Sequence[tuple[ClipEvent, ClipEvent | None]], right: Callable[[ClipEvent, ClipEvent], bool]) -> Any:
    return (
        sum(reported is not None and right(true, reported) for true, reported in pairs) / len(pairs) if pairs else None
    )


def is_clips(folder: Path) -> bool:
    return folder.is_dir() and any(folder.glob(CLIPS))


def measure_folders(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of each folder, JSON-ready. Raises what `measure` raises."""
    if args.fps is not None and args.fps <= 0:
        raise ValueError("rollcall workshop evaluate: --fps is a number above 0")
    reader, every = Reader(args.models), EVERY if args.fps is None else 1 / args.fps
    return [measure(folder, reader, args.counted, every).table() for folder in args.folders]


def measure(folder: Path, reader: Reader, counted: bool = False, every: float = EVERY) -> ClipFigures:
    """Watches every clip of the folder, a frame `every` so many seconds; `counted`: the watch knows the largest number
    of dice that lie there at once. Raises ValueError and OSError for bad labels, and the watch's own errors."""
    figures = ClipFigures(folder.name)
    clips = sorted(folder.glob(CLIPS))
    if not clips:
        raise ValueError(f"{folder}: no clips (*.mp4) in it")
    for path in clips:
        true = labels(path.with_suffix(".json"))
        most = max((len(each.values) for each in true), default=0) or None
        compare(figures, path.name, true, list(watch_clip(path, reader, most if counted else None, every)))
    return figures


def labels(path: Path) -> list[ClipEvent]:
    """The events of a clip, from the file beside it. Raises ValueError for a file of another form."""
    try:
        document = json.loads(path.read_text())
        return [
            ClipEvent(
                float(each.get("rest", each["at"])),
                each["event"],
                tuple(sorted(each.get("values", ()))),
                tuple(sorted(each.get("stayed", ()))),
                float(each["at"]),
                bool(each.get("sure", True)),
            )
            for each in document["events"]
            if each["event"] in _REPORTED
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not the labels of a clip: {error!r}") from error


def watch_clip(path: Path, reader: Reader, dice: int | None = None, every: float = EVERY) -> Iterator[ClipEvent]:
    """The events that the watch reports of a clip. Of what cannot be seen, only the dark is reported."""
    watch = Watch(reader, dice)
    for at, photo in frames(str(path), every):
        yield from filter(None, map(_clip_event, watch.see(photo, at)))
    yield from filter(None, map(_clip_event, watch.end()))


def _clip_event(event: WatchEvent) -> ClipEvent | None:
    if event.reason == _DARK:
        return ClipEvent(event.at, _DARK)
    if event.event not in _REPORTED:
        return None
    dice = event.reading.dice if event.reading is not None else ()
    values = tuple(sorted(die.value for die in dice))
    stayed = tuple(sorted(die.value for die, stays in zip(dice, event.stayed, strict=True) if stays))
    sure = event.reading is None or event.reading.sure
    return ClipEvent(event.at, event.event, values, stayed, sure=sure)


def compare(figures: ClipFigures, name: str, true: Sequence[ClipEvent], reported: Sequence[ClipEvent]) -> None:
    """Adds one clip: pairs reported events with labelled ones of the same kind, in order of time and soon after."""
    figures.clips += 1
    left = [each for each in reported if each.event != _DARK]
    dark = [each.at for each in reported if each.event == _DARK]
    for place, happened in enumerate(true):
        until = true[place + 1].at if place + 1 < len(true) else float("inf")
        end = max(min(max(happened.at, happened.seen) + _LATE, until), happened.at + _EARLY)
        near = [each for each in left if each.event == happened.event and happened.at - _EARLY <= each.at <= end]
        exact = [each for each in near if (each.values, each.stayed) == (happened.values, happened.stayed)]
        answer = next(iter(exact or near), None)
        if answer is not None:
            left.remove(answer)
            same = happened.sure and answer.values == happened.values
            figures.surely_wrong += answer.thrown and answer.sure and not same
        elif happened.sure and any(at <= end for at in dark):
            figures.dark += 1
        if (answer is None or not exact) and happened.sure:
            figures.wrong.append(f"{name} at {happened.at:.2f} s: {_describe(happened)}; reported: {_describe(answer)}")
        figures.pairs.append((happened, answer))
    figures.surely_wrong += sum(each.thrown and each.sure for each in left)
    figures.invented += [(name, each) for each in left if each.thrown]
    figures.extra += [(name, each) for each in left if not each.thrown]
    figures.wrong += [f"{name} at {each.at:.2f} s: nothing; reported: {_describe(each)}" for each in left]


def _describe(happened: ClipEvent | None) -> str:
    if happened is None:
        return "nothing"
    stayed = f" (stayed: {_join(happened.stayed)})" if happened.stayed else ""
    doubted = "" if happened.sure else "  (not sure)"
    return f"{happened.event} {_join(happened.values)}{stayed}{doubted}".strip()


def _join(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def as_text(tables: Sequence[dict[str, Any]]) -> str:
    """The figures for a person."""
    lines = [
        f"{'set':<34}{'clips':>7}{'throws':>8}{'exact':>8}{'kept':>7}{'exact':>8}{'missed':>8}{'dark':>6}{'invented':>10}"
        f"{'extra':>7}{'sure, wrong':>13}{'delay':>8}{'95 %':>8}"
    ]
    for t in tables:
        exact, kept = ("-" if t[k] is None else f"{t[k]:.1%}" for k in ("throws_exact", "stayed_exact"))
        delay, slow = ("-" if t[k] is None else f"{t[k]:.2f} s" for k in ("delay", "delay_95"))
        lines.append(
            f"{t['set']:<34}{t['clips']:>7}{t['throws']:>8}{exact:>8}{t['rests_with_stayed']:>7}{kept:>8}{t['missed']:>8}"
            f"{t['dark']:>6}{t['invented']:>10}{t['extra']:>7}{t['surely_wrong']:>13}{delay:>8}{slow:>8}"
        )
    return "\n".join([*lines, *(line for t in tables for line in t["wrong"])])
