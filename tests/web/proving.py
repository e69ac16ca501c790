"""Tables that keep small pictures of their throws, for tests: photos come under review without a reader."""

import copy
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.web import under_review
from tests.web.phones import Phone
from web.services import services
from web.table import proof

PHOTO = (Path(__file__).resolve().parents[1] / "pictures" / "throw-112455.jpg").read_bytes()
THROW = [1, 1, 2, 4, 5, 5]


def proving(client: FlaskClient, game: str = "ones-and-fives") -> Phone:
    """A phone at a table whose people agreed at its start to keep pictures."""
    form = {"game": game, "player": ["Ada", "Bob"], "keeps_pictures": "true"}
    return Phone(client, client.post("/tables", data=form).headers["Location"])


def show_photo(app: Flask, phone: Phone, reading: str, photo: bytes = PHOTO) -> None:
    """Has a photo under review, as if a reader had read it."""
    services(app).photos.files.put_original(reading, photo)
    read = {"id": reading, "status": "read", "device": "", "dice": [], "version": phone.look()["version"]}
    under_review.put(app, phone.key, read)
    phone.look()


def confirm(app: Flask, phone: Phone, reading: str, *dice: int, **more: Any) -> Any:
    """Confirms a throw from a photo."""
    show_photo(app, phone, reading)
    evidence = {"reading": reading, "dice": []}
    return phone.post("actions", action={"do": "throw", "dice": list(dice or THROW)}, evidence=evidence, **more)


def with_code(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the code of its log, as somebody would make it who knows how that is made."""
    told = copy.deepcopy(record)
    found = proof.start_of(told["proof"]["setup"])
    for line in told["proof"]["log"]:
        found = proof.next_hash(found, line)
    told["proof"]["code"] = proof.code_of(found)
    return told
