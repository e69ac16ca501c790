"""What scenes observed of films, as JSON: the state machine is tested with these, without pixels.

`python -m tests.vision.watch.recordings OUT.json FILM.mp4 [DICE]` records a film anew, such as one of
`rollcall workshop render --video`.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vision import Die, Photo, Reader, Reading, Watch
from vision.watch import EVERY, WatchEvent
from vision.watch.states import Comparison, End, FrameChange, Observation, Readings, Rest

RECORDED = Path(__file__).with_name("recorded")
KINDS = {kind.__name__: kind for kind in (FrameChange, Comparison, Readings, Rest, End)}


def to_json(value: Any) -> Any:
    """A value as JSON, without what has its default."""
    if dataclasses.is_dataclass(value):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        told = {each.name for each in dataclasses.fields(value) if fields[each.name] != each.default}
        left = told - {"photo", "detections", "trace", "asks"}
        return {type(value).__name__: {name: to_json(fields[name]) for name in sorted(left)}}
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value


def from_json(document: Any) -> Any:
    """The inverse of `to_json`."""
    if isinstance(document, list):
        return tuple(map(from_json, document))
    if not isinstance(document, dict):
        return document
    ((name, fields),) = document.items()
    kind = {**KINDS, "Die": Die, "Reading": Reading}[name]
    return kind(**{key: from_json(value) for key, value in fields.items()})


def told(event: WatchEvent) -> list[Any]:
    """What matters of an event, as JSON."""
    reading, gone = event.reading, sorted(die.value for die in event.gone)
    dice = (
        [] if reading is None else [[die.value, die.sure, s] for die, s in zip(reading.dice, event.stayed, strict=True)]
    )
    return [round(event.at, 3), event.event, event.reason, reading is not None and reading.sure, dice, gone]


def record(watch: Watch, shots: Iterable[tuple[float, Photo]]) -> dict[str, Any]:
    """All that is observed of these shots, and the events."""
    seen: list[Any] = []
    events: list[Any] = []
    follow, answer = watch._follow, watch._scene.answer

    def note(observation: Observation | None) -> Observation | None:
        seen.extend([] if observation is None else [to_json(observation)])
        return observation

    watch._scene.answer = lambda request, state: note(answer(request, state))  # type: ignore[method-assign]
    watch._follow = lambda observation: follow(note(observation))  # type: ignore[method-assign]
    for at, photo in shots:
        events += map(told, watch.see(photo, at))
    events += map(told, watch.end())
    return {"seen": seen, "events": events}


def main(out: Path, film: Path, dice: int | None) -> None:
    from vision.frames import frames

    document = record(Watch(Reader(), dice), frames(str(film), EVERY))
    lines = ",\n".join(json.dumps(each) for each in document["seen"])
    out.write_text(f'{{"seen": [\n{lines}\n],\n"events": {json.dumps(document["events"])}}}\n')


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else None)
