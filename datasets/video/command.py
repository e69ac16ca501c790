"""`rollcall workshop render OUT --video`: videos of turns with their labels, made by several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.render.workers import make_each

if TYPE_CHECKING:
    from datasets.video.acting import Manners


ThrownAndKept = tuple[
    Sequence[int], Sequence[int]
]  # the values thrown, and those of all dice on the table that then stay


@dataclass(frozen=True)
class FilmJob:
    """Where and how turns are filmed. size: width and height."""

    out: Path
    seed: int
    size: tuple[int, int]
    textures: str | None


def film_turns(job: FilmJob, numbers: range, workers: int) -> int:
    """Films these turns into the job's folder and returns how many it made; turns that are there stay."""
    job.out.mkdir(parents=True, exist_ok=True)
    missing = [n for n in numbers if not (job.out / f"{stem(n)}.json").exists()]
    return len(make_each(film_turn, job, missing, workers))


def film_turn(job: FilmJob, number: int) -> None:
    """Films one turn; the same seed, size and textures give the same video."""
    import cv2

    from datasets.video.filming import film, save
    from datasets.video.turn_scripts import any_turn

    cv2.setNumThreads(1)
    turn = any_turn(job.seed, number)
    made = film(
        turn.script,
        job.seed,
        number,
        size=job.size,
        textures=job.textures,
        manners=turn.manners,
        dice=turn.dice,
    )
    facts = {"seed": job.seed, "number": number, "game": turn.game, "record": list(turn.record)}
    save(made, job.out / f"{stem(number)}.mp4", facts)


def stem(number: int) -> str:
    """Name of a turn's files; turns are numbered from 1."""
    return f"turn-{number + 1:04d}"


def film_game(
    path: Path,
    script: Sequence[ThrownAndKept],
    seed: int,
    *,
    size: tuple[int, int] = (640, 480),
    textures: str | None = None,
    manners: Manners | None = None,
    **facts: Any,
) -> dict[str, Any]:
    """Writes one video of any script, such as a whole game's, to `path` (mp4), and its labels with these facts beside
    it.

    Returns the labels. Raises ValueError if the script makes no sense.
    """
    from datasets.video.acting import Manners, ScriptedThrow
    from datasets.video.filming import film, save

    steps = [ScriptedThrow(tuple(thrown), tuple(kept)) for thrown, kept in script]
    return save(film(steps, seed, size=size, textures=textures, manners=manners or Manners(lost=0.0)), path, facts)
