"""`rollcall workshop render`: its arguments, and how several processes render many pictures."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from datasets.render.presets import PRESETS
from datasets.render.workers import make_each

if TYPE_CHECKING:
    from datasets.render.picture import Picture

THROWS: Final = {"evening": 12, "bowl": 5}  # if nothing is said


@dataclass(frozen=True)
class RenderJob:
    """Where and how pictures are rendered."""

    out: Path
    preset: str
    seed: int
    longest: int
    samples: int
    textures: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("out", type=Path, help="folder for images/, labels/ and details/, or videos; with --throw the JPEG")
    add("--count", type=int, default=100, help="how many pictures (default 100)")
    add("--first", type=int, default=0, help="number of the first picture (default 0)")
    add("--seed", type=int, default=0, help="picture k of a seed is always the same (default 0)")
    text = "what kind of pictures (default train; check is never trained on)"
    add("--preset", choices=sorted(PRESETS), default="train", help=text)
    text = "so many evenings instead: the same dice on the same table all along"
    add("--evenings", type=int, metavar="N", help=text)
    text = "so many evenings of 20 or 24 dice that lie close together, with a logo"
    add("--bowls", type=int, metavar="N", help=text)
    add("--throws", type=int, metavar="T", help="throws of each evening (default 12; of bowls 5)")
    text = "longer side in pixels (default 640); with --video WxH too"
    add("--size", type=_size, default=640, metavar="SIZE", help=text)
    add("--samples", type=int, default=4, help="rays a pixel where dice are (default 4)")
    text = "folder of seamless tiles, one sub-folder a material (default: made-up table tops only)"
    add("--textures", type=Path, help=text)
    add("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    text = "one picture of exactly these dice on an ordinary table"
    add("--throw", type=int, nargs="+", metavar="VALUE", help=text)
    text = "videos of turns instead: thrown, lifted and pushed dice, events as labels"
    add("--video", action="store_true", help=text)
    add("--test-pictures", action="store_true", help="the pictures of known throws that the tests use")
    add("--contact-sheet", action="store_true", help="one JPEG that shows thirty pictures of the seed")


def run(args: argparse.Namespace) -> int:
    """Renders what the arguments ask for; returns the exit status, 2 for a wrong argument."""
    problem = _problem(args)
    if problem:
        print(f"rollcall workshop render: {problem}", file=sys.stderr)
        return 2
    textures = str(args.textures) if args.textures else None
    if args.test_pictures:
        from datasets.render.sample_pictures import write_throws

        print(f"{len(write_throws(args.out))} files in {args.out}")
    elif args.contact_sheet:
        from datasets.render.sample_pictures import contact_sheet

        contact_sheet(args.out, textures, seed=args.seed)
        print(args.out)
    elif args.throw:
        from datasets.render.picture import render_throw

        try:
            args.out.write_bytes(render_throw(args.throw, args.seed, textures=textures).jpeg())
        except ValueError as error:
            print(f"rollcall workshop render: {error}", file=sys.stderr)
            return 2
        print(args.out)
    elif args.video:
        return _film(args, textures)
    else:
        job = RenderJob(args.out, args.preset, args.seed, args.size, args.samples, textures)
        began = time.perf_counter()
        what = "bowl" if args.bowls else "evening"
        many = args.bowls or args.evenings
        if many:
            throws = args.throws or THROWS[what]
            made = render_evenings(job, what, range(args.first, args.first + many), throws, args.workers)
            there = many * throws - made
        else:
            made = render_many(job, range(args.first, args.first + args.count), args.workers)
            there = args.count - made
        print(f"{made} pictures in {time.perf_counter() - began:.0f} s, {there} were there already: {args.out}")
    return 0


def _film(args: argparse.Namespace, textures: str | None) -> int:
    """Films turns, for `--video`."""
    from datasets.video.command import FilmJob, film_turns

    began = time.perf_counter()
    size = args.size if isinstance(args.size, tuple) else (args.size, round(args.size * 3 / 4))
    numbers = range(args.first, args.first + args.count)
    made = film_turns(FilmJob(args.out, args.seed, size, textures), numbers, args.workers)
    there = args.count - made
    print(f"{made} videos in {time.perf_counter() - began:.0f} s, {there} were there already: {args.out}")
    return 0


def render_many(job: RenderJob, numbers: range, workers: int) -> int:
    """Renders these pictures into the job's folder and returns how many it made; pictures that are there stay."""
    _make_folder(job.out)
    missing = [n for n in numbers if not (job.out / "labels" / f"{_stem(job, n)}.txt").exists()]
    return len(make_each(render_one, job, missing, workers))


def render_one(job: RenderJob, number: int) -> None:
    """Renders one picture into the job's folder."""
    import cv2

    from datasets.render.picture import render_picture

    cv2.setNumThreads(1)
    picture = render_picture(
        job.preset, job.seed, number, longest=job.longest, textures=job.textures, samples=job.samples
    )
    facts = {"preset": job.preset, "seed": job.seed, "number": number}
    _store(job.out, _stem(job, number), picture, facts)


def render_evenings(job: RenderJob, what: str, numbers: range, throws: int, workers: int) -> int:
    """Renders evenings (what: "evening" or "bowl"), one folder each; returns how many pictures it made. Pictures that
    are there stay."""
    return sum(make_each(partial(render_evening_folder, what=what, throws=throws), job, numbers, workers))


def render_evening_folder(job: RenderJob, number: int, what: str, throws: int) -> int:
    """Renders the missing throws of one evening; returns how many."""
    import cv2

    from datasets.render.evenings import any_bowl, any_evening, render_evening

    cv2.setNumThreads(1)
    folder = job.out / f"{what}-{job.seed}-{number:03d}"
    _make_folder(folder)
    evening = any_bowl(job.seed, number) if what == "bowl" else any_evening(job.seed, number)
    made = 0
    for throw in range(throws):
        stem = f"throw-{throw:03d}"
        if (folder / "labels" / f"{stem}.txt").exists():
            continue
        picture = render_evening(evening, throw, longest=job.longest, textures=job.textures, samples=job.samples)
        facts = {"kind": evening.kind, "seed": job.seed, "evening": number, "throw": throw}
        _store(folder, stem, picture, facts)
        made += 1
    return made


def _make_folder(folder: Path) -> None:
    for sub in ("images", "labels", "details"):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    (folder / "names.txt").write_text("1\n2\n3\n4\n5\n6\nnot-a-die\n", encoding="utf-8")


def _store(folder: Path, stem: str, picture: Picture, facts: dict[str, Any]) -> None:
    """Writes the image first, then details, the label file last, each whole or not at all."""
    from datasets.render.labels import yolo

    height, width = picture.pixels.shape[:2]
    details = {"picture": f"{stem}.jpg", **facts, **picture.to_json()}
    _write(folder / "images" / f"{stem}.jpg", picture.jpeg())
    _write(folder / "details" / f"{stem}.json", json.dumps(details).encode())
    _write(folder / "labels" / f"{stem}.txt", yolo(picture.labels, width, height).encode())


def _stem(job: RenderJob, number: int) -> str:
    return f"{job.preset}-{job.seed}-{number:06d}"


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)


def _size(text: str) -> int | tuple[int, int]:
    """A longer side, or a width and a height: 640 or 640x480."""
    sides = text.lower().split("x")
    if len(sides) > 2 or not all(side.isdecimal() for side in sides):
        raise argparse.ArgumentTypeError(f"a size is a number of pixels or WxH, as 640 or 640x480, got {text!r}")
    return int(sides[0]) if len(sides) == 1 else (int(sides[0]), int(sides[1]))


def _problem(args: argparse.Namespace) -> str | None:
    """What is wrong with the arguments and what would be right, or None."""
    import numba  # noqa: F401 - told before anything is made

    sides = args.size if isinstance(args.size, tuple) else (args.size,)
    if min(sides) < 64:
        return f"--size must be 64 or more, got {min(sides)}"
    if len(sides) == 2 and not args.video:
        return "--size WxH is for --video; for pictures give the longer side, as in --size 640"
    for name, low in (("count", 1), ("first", 0), ("seed", 0), ("samples", 1), ("workers", 1)):
        if getattr(args, name) < low:
            return f"--{name} must be {low} or more, got {getattr(args, name)}"
    for name in ("evenings", "bowls", "throws"):
        given = getattr(args, name)
        if given is not None and given < 1:
            return f"--{name} must be 1 or more, got {given}"
    if args.throws and not (args.evenings or args.bowls):
        return "--throws says how many of an evening, so it needs --evenings or --bowls"
    kinds = ("evenings", "bowls", "throw", "video", "test_pictures", "contact_sheet")
    chosen = [f"--{kind.replace('_', '-')}" for kind in kinds if getattr(args, kind)]
    if len(chosen) > 1:
        return f"{chosen[0]} cannot be used with {chosen[1]}"
    if args.textures and not args.textures.is_dir():
        return f"--textures must be a folder, got {args.textures}"
    if args.throw and not all(1 <= value <= 6 for value in args.throw):
        return f"dice must be 1..6, got {' '.join(map(str, args.throw))}"
    return None
