"""`rollcall verify`: whether a game record's log is that of a legal game, and whether pictures are those of its throws.

docs/interfaces.md says what that proves, and what it does not.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import scorer
from scorer.strict_json import parse
from web.table import proof
from web.table.events import blob_hash
from web.table.stored_table import Json, apply

LONGEST_RECORD = 32 << 20  # bytes
MOST_FILES = 4 * proof.MOST_OF_TABLE
ALPHABET = str.maketrans("OIL", "011", " -\t")  # as people read and write a code
LINE_KEYS = {"line": int, "body": dict, "device": str, "at": str}


class VerificationError(Exception):
    """Nothing can be said: one sentence that says what was wrong and what would be right."""


@dataclass(frozen=True)
class CheckedPicture:
    """A picture: "matches", "missing", "altered", or "not mentioned". `line`: of the log, None if none mentions it."""

    name: str
    state: str
    line: int | None


@dataclass
class Verdict:
    """What was found. `wrong`: sentences about what does not fit; `told`: about what does."""

    told: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    pictures: list[CheckedPicture] = field(default_factory=list)
    code: str | None = None

    @property
    def holds(self) -> bool:
        return not self.wrong

    def to_json(self) -> Json:
        pictures = [asdict(each) for each in self.pictures]
        return {"holds": self.holds, "wrong": self.wrong, "told": self.told, "code": self.code, "pictures": pictures}

    def lines(self) -> Iterator[str]:
        yield from self.told
        yield from self.wrong
        for each in self.pictures:
            if each.state != "matches":
                where = "" if each.line is None else f" (line {each.line})"
                yield f"{each.name}{where}: {each.state}"
        yield "All of this fits together." if self.holds else "This does NOT fit together."


def verify(record: Path, pictures: Path | None, codes: Sequence[str]) -> Verdict:
    """Checks a record, or a file with a record and pictures. `pictures`: a folder, or a file that has them; `codes`:
    what somebody noted while the game ran. Raises `VerificationError`."""
    packed = _unpack(record)
    raw = _read(record) if packed is None else packed.get(proof.RECORD_NAME)
    if raw is None:
        raise VerificationError(f"{record}: there is no {proof.RECORD_NAME} in it")
    verdict = Verdict()
    try:
        document = parse(raw.decode(json.detect_encoding(raw)))
        steps = scorer.Table.from_record(document).version
        verdict.told.append(f"The record is that of a legal game: {steps} steps.")
    except scorer.IllegalAction as error:
        verdict.wrong.append(f"Step {error.index} of the record is against the rules: {error}.")
    except scorer.Refusal as error:
        raise VerificationError(f"{record}: {error}") from error
    except ValueError as error:
        raise VerificationError(f"{record}: not a JSON document: {error}") from error
    files = _files(pictures) if pictures is not None else packed
    proof_json = document.get("proof")
    log: list[Json] = []
    passed: list[str] = []
    if proof_json is None:
        verdict.told.append("It has no log and no code: whether it was changed cannot be told.")
    else:
        setup, log = _form_of(proof_json)
        passed = _codes_of(setup, log)
        _check_log(verdict, document, proof_json, passed[-1])
    _check_codes(verdict, passed, codes)
    if files is not None:
        _check_pictures(verdict, log, {name: data for name, data in files.items() if name != proof.RECORD_NAME})
    elif any(proof.hash_in(line["body"]) for line in log):
        verdict.told.append("The pictures were not looked at: name their folder or file with --pictures.")
    return verdict


# --- the log ----------------------------------------------------------------------------------------------------------


def _check_log(verdict: Verdict, record: Json, proof_json: Json, code: str) -> None:
    setup, log = proof_json["setup"], proof_json["log"]
    verdict.code = code
    missing = next((number for number, line in enumerate(log, 1) if line["line"] != number), None)
    if missing is not None:
        verdict.wrong.append(f"Line {missing} of the log is missing, or lines stand in another order than written.")
    if proof_json.get("code") == code:
        verdict.told.append(f"The code of the record is that of the {len(log)} lines of its log.")
    else:
        verdict.wrong.append("The code of the record is not that of its log: one of them was changed later.")
    try:
        again = scorer.Table(scorer.game(setup["game"], **setup["options"]), setup["players"])
    except (scorer.Refusal, TypeError) as error:
        verdict.wrong.append(f"The log does not begin with a game that there is: {error}.")
        return
    for line in log:
        try:
            apply(again, line["body"])
        except (scorer.Refusal, LookupError, TypeError, ValueError, AttributeError) as error:
            verdict.wrong.append(f"Line {line['line']} of the log is against the rules: {error}.")
            return
    _compare(verdict, again.record(), record)
    _count(verdict, log)


def _form_of(proof_json: Any) -> tuple[Json, list[Json]]:
    """The setup and the lines of a record's proof. Raises `VerificationError`."""
    if not isinstance(proof_json, Mapping) or proof_json.get("format") != proof.FORMAT:
        raise VerificationError(f"the record's proof has another form than {proof.FORMAT}, which this Rollcall knows")
    setup, log = proof_json.get("setup"), proof_json.get("log")
    if not isinstance(setup, dict) or not {"game", "options", "players", "at"} <= setup.keys():
        raise VerificationError("the record's proof does not say how the table was set up")
    texts = isinstance(setup["game"], str) and isinstance(setup["options"], dict) and isinstance(setup["players"], list)
    if not texts or not isinstance(log, list) or len(log) > 4 * scorer.MOST_ACTIONS:
        raise VerificationError("the record's proof has no list of the log's lines")
    for number, line in enumerate(log, 1):
        if not isinstance(line, dict) or any(type(line.get(name)) is not kind for name, kind in LINE_KEYS.items()):
            raise VerificationError(f"line {number} of the record's log is not complete")
    return setup, log


def _compare(verdict: Verdict, played: Json, record: Json) -> None:
    """Compares the game of the log with that of the record."""
    if any(played.get(name) != record.get(name) for name in ("game", "file", "players")) or (
        played["options"] != {**played["options"], **record.get("options", {})}
    ):
        verdict.wrong.append("The game, the house rules or the players of the record are not those of its log.")
    steps, shown = played["actions"], record["actions"]
    for number, (step, other) in enumerate(zip(steps, shown, strict=False), 1):
        if step != other:
            verdict.wrong.append(f"Step {number} of the record is not that of its log.")
            return
    if len(steps) != len(shown):
        verdict.wrong.append(f"The record has {len(shown)} steps, its log {len(steps)}.")


def _count(verdict: Verdict, log: list[Json]) -> None:
    """Says what a person wants to know of a game that was far away."""
    bodies = [line["body"] for line in log]
    throws = [body for body in bodies if body.get("do", {}).get("do") == "throw"]
    counts = {
        "with a picture": sum(proof.hash_in(body) is not None for body in throws),
        "typed in by hand": sum(body.get(proof.PICTURE) == proof.BY_HAND for body in throws),
        "whose picture could not be kept": sum(body.get(proof.PICTURE) == proof.NOT_KEPT for body in throws),
        "from when no pictures were kept": sum(proof.PICTURE not in body for body in throws),
    }
    verdict.told.append(
        "Throws: " + "; ".join(f"{count} {words}" for words, count in counts.items() if count or "with" in words) + "."
    )
    changes = {
        "taken back": sum("undo" in body for body in bodies),
        "corrected": sum("correct" in body for body in bodies),
        "settled by hand": sum(body.get("do", {}).get("do") == "adjust" for body in bodies),
    }
    if any(changes.values()):
        parts = [f"{count} {words}" for words, count in changes.items() if count]
        verdict.told.append(f"Steps that people changed: {'; '.join(parts)}.")


def _codes_of(setup: Json, log: list[Json]) -> list[str]:
    """The codes that the table's page showed: before the first line, and after each."""
    found = [proof.start_of(setup)]
    for line in log:
        found.append(proof.next_hash(found[-1], line))
    return [*map(proof.code_of, found)]


def _check_codes(verdict: Verdict, passed: Sequence[str], codes: Sequence[str]) -> None:
    """Looks for the codes that people noted among those that the log has passed."""
    known = {
        _plain(code): f"as of line {number}" if number else "before its first line"
        for number, code in enumerate(passed)
    }
    for code in codes:
        if (where := known.get(_plain(code))) is None:
            verdict.wrong.append(f"The code {code} is of no line of this log: it was another log when that was noted.")
        else:
            verdict.told.append(f"The code {code} is that of this log {where}: up to there nothing was changed since.")


def _plain(code: str) -> str:
    return code.upper().translate(ALPHABET)


# --- the pictures -----------------------------------------------------------------------------------------------------


def _check_pictures(verdict: Verdict, log: list[Json], files: Mapping[str, bytes]) -> None:
    """Compares files with the hashes in the log. A file belongs to a line by its hash, whatever it is called."""
    lines: dict[str, list[int]] = defaultdict(list)
    for line in log:
        if (named := proof.hash_in(line["body"])) is not None:
            lines[named].append(line["line"])
    for twice in (numbers for numbers in lines.values() if len(numbers) > 1):
        verdict.wrong.append(f"Lines {', '.join(map(str, twice))} have the very same picture.")
    by_name = {Path(proof.picture_name(number)).name: number for numbers in lines.values() for number in numbers}
    found = {blob_hash(data): name for name, data in sorted(files.items())}
    altered = {}
    for name, data in sorted(files.items()):
        if blob_hash(data) in lines:
            continue
        number = by_name.get(Path(name).name)
        if number is not None:
            altered[number] = name
        else:
            verdict.pictures.append(CheckedPicture(name, "not mentioned", None))
    for named, numbers in lines.items():
        for number in numbers:
            if named in found:
                verdict.pictures.append(CheckedPicture(found[named], "matches", number))
            elif number in altered:
                verdict.pictures.append(CheckedPicture(altered[number], "altered", number))
            else:
                verdict.pictures.append(CheckedPicture(proof.picture_name(number), "missing", number))
    verdict.pictures.sort(key=lambda each: (each.line is None, each.line or 0, each.name))
    states = [each.state for each in verdict.pictures]
    counts = {state: states.count(state) for state in ("matches", "missing", "altered", "not mentioned")}
    counted = "; ".join(f"{state} {count}" for state, count in counts.items() if count or state == "matches")
    sentence = f"Pictures: {counted}."
    (verdict.told if len(states) == counts["matches"] else verdict.wrong).append(sentence)


def _files(place: Path) -> dict[str, bytes]:
    """The pictures of a folder, or of a packed file. Raises `VerificationError`."""
    if place.is_dir():
        paths = sorted(path for path in place.rglob("*") if path.is_file() and path.name != proof.RECORD_NAME)
        if len(paths) > MOST_FILES:
            raise VerificationError(f"{place}: more than {MOST_FILES} files are not looked at")
        return {str(path.relative_to(place)): _read(path) for path in paths}
    packed = _unpack(place)
    if packed is None:
        raise VerificationError(f"{place}: name a folder, or the file that has record and pictures")
    return packed


def _unpack(path: Path) -> dict[str, bytes] | None:
    """The files in a zip file; None if it is none. Raises `VerificationError`."""
    try:
        with path.open("rb") as file:
            if file.read(4) != b"PK\x03\x04":
                return None
        with ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > MOST_FILES or any(info.file_size > LONGEST_RECORD for info in infos):
                raise VerificationError(f"{path}: it has more in it than a record with pictures")
            if sum(info.file_size for info in infos) > LONGEST_RECORD * 2:
                raise VerificationError(f"{path}: it has more in it than a record with pictures")
            return {info.filename: archive.read(info) for info in infos}
    except OSError as error:
        raise VerificationError(f"cannot read {path}: {error.strerror or error}") from error
    except (BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError) as error:
        raise VerificationError(f"{path}: the file is damaged: {error}") from error


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LONGEST_RECORD:
            raise VerificationError(f"{path}: it is too large")
        return path.read_bytes()
    except OSError as error:
        raise VerificationError(f"cannot read {path}: {error.strerror or error}") from error
