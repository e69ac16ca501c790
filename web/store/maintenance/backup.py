"""Copies a data folder as it is at one moment, also while a server uses it."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from scorer.games import ENDING
from web.store.data_folder import OFFERED
from web.store.disk import to_disk
from web.store.maintenance.copies import copy_games
from web.store.maintenance.not_done import NotDoneError, explain_failure, store_in

CORRECTIONS = "corrections"
BESIDE = (".pem", ".crt")  # the server's own certificates and their keys


@dataclass(frozen=True)
class Backup:
    """The folder of a copy, and the numbers of its tables, lines of logs and corrected photos."""

    folder: Path
    tables: int
    lines: int
    corrections: int


def back_up(data: Path, target: Path) -> Backup:
    """Copies the data folder `data` to the new folder `target`, on which a server can start.

    All games are of one moment between the call and the return. The copy has everything that phones were told is done
    before the call. It has corrected photos, the server's certificates and the games that were added, but no photos
    under review, which would be deleted anyway. `target` is there whole or not at all. Raises `NotDoneError`.
    """
    store = store_in(data)
    part: Path | None = None
    try:
        with explain_failure(f"{data} cannot be copied to {target}"):
            target = target.resolve()
            if target.exists() and (not target.is_dir() or any(target.iterdir())):
                raise NotDoneError(f"{target} is there already: name a folder that is new or empty")
            if target.is_relative_to(data.resolve()):
                raise NotDoneError(f"{target} lies in the data folder itself: name a folder elsewhere")
            target.parent.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
            tables, lines = copy_games(store, part / store.name)
            corrections = _copy_files(data, part)
            if target.is_dir():
                target.rmdir()
            os.replace(part, target)
            to_disk(target.parent)
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)  # if it was not moved to its place
    return Backup(target, tables, lines, corrections)


def _copy_files(data: Path, part: Path) -> int:
    """Copies the files beside the store. Returns the number of corrected photos."""
    photos = [photo for photo in sorted((data / CORRECTIONS).glob("*.photo")) if photo.with_suffix(".json").is_file()]
    files = [path for path in sorted(data.iterdir()) if path.suffix in BESIDE and path.is_file()]
    games = [path for path in sorted((data / OFFERED).glob(f"*{ENDING}")) if path.is_file()]
    folders = [part / name for name, within in ((CORRECTIONS, photos), (OFFERED, games)) if within]
    for folder in folders:
        folder.mkdir(mode=0o700)
    for file in (*files, *games, *photos, *(photo.with_suffix(".json") for photo in photos)):
        copied = part / file.relative_to(data)
        shutil.copy2(file, copied)  # with its permissions: a private key stays private
        to_disk(copied)
    for folder in (*folders, part):
        to_disk(folder)
    return len(photos)
