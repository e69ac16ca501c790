"""A store whose own description was damaged: how its rows are laid out, and what SQLite calls them."""

import random
from pathlib import Path

import pytest

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from web.services import services
from web.store.sqlite import FILE_NAME


def folder_with_a_game(folder: Path) -> tuple[str, dict[str, object]]:
    """A folder with one game in it, as a server left it: the table's path, and its state."""
    application = create_app(folder, reader=object())  # type: ignore[arg-type]
    client = application.test_client()
    phone = Phone(client, start(client, "farkle"))
    for _ in range(4):
        assert phone.act(**any_legal(phone.standing, random.Random(1))).status_code == 200
    state = client.get(f"/api/v1{phone.base}", headers=JSON).get_json()
    services(application).close()
    return phone.base, state["standing"]


@pytest.mark.parametrize(
    ("written", "place", "bit"),
    [
        (b"CREATE TABLE tables", 8, 7),  # no UTF-8 any more, which SQLite's own message repeats
        (b"CREATE INDEX ix_tables_code", 12, 7),
        (b'CREATE TABLE tables (\n\tid INTEGER NOT NULL, \n\t"key"', -2, 7),  # a column's name that is no UTF-8
        (b"\tplayers TEXT", 3, 0),  # a column of another name
        (b"\tbody BLOB", 2, 0),
        (b"\thidden BOOLEAN", 2, 0),
        (b"CREATE TABLE visits (\n\tdevice", -6, 5),  # "Device", which SQLite takes for the same
    ],
)
def test_a_store_whose_description_is_damaged_is_mended(tmp_path: Path, written: bytes, place: int, bit: int) -> None:
    base, standing = folder_with_a_game(tmp_path)
    store = tmp_path / FILE_NAME
    data = bytearray(store.read_bytes())
    found = data.rindex(written)
    at = found + place if place >= 0 else found + len(written) + place
    data[at] ^= 1 << bit
    store.write_bytes(data)
    application = create_app(tmp_path, reader=object())  # type: ignore[arg-type]
    try:
        assert [notice.reason for notice in services(application).store.notices] == ["store-mended"]
        client = application.test_client()
        assert client.get(f"/api/v1{base}", headers=JSON).get_json()["standing"] == standing
        phone = Phone(client, base)
        assert phone.act(**any_legal(phone.standing, random.Random(1))).status_code == 200
        assert client.get("/").status_code == 200
    finally:
        services(application).close()
