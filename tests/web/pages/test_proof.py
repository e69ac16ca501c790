"""A table may keep a small picture of each confirmed throw: on both engines, bounded, and gone with the table."""

import copy
import hashlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

import rollcall
from tests.web.apps import create_app
from tests.web.pages.test_owners import guest, owner_of
from tests.web.phones import JSON, Phone, bring, send_record
from tests.web.postgres import both_engines
from tests.web.proving import PHOTO, THROW, confirm, proving, show_photo, with_code
from web.hosts import merging
from web.photos import photo_files
from web.services import services
from web.store.maintenance.backup import back_up, copy_games
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import count_pictures as pictures_kept
from web.table import proof

Json = dict[str, Any]
OTHER_PHOTO = (Path(__file__).resolve().parents[2] / "pictures" / "throw-122333.jpg").read_bytes()


def bodies(phone: Phone) -> list[dict[str, Any]]:
    log = phone.get("history")["log"]
    return [line["body"] for line in log]


def picture(phone: Phone, seq: int) -> Any:
    return phone.client.get(f"/api/v1{phone.base}/pictures/{seq}", headers=JSON)


def count_pictures(app: Flask) -> int:
    return pictures_kept(services(app).store)


def test_a_table_without_proof_is_as_before(app: Flask, phone: Phone) -> None:
    assert confirm(app, phone, "a-photo-of-this").status_code == 200
    assert bodies(phone) == [{"do": {"do": "throw", "dice": THROW}}]
    assert "proof" not in phone.look()
    assert "proof" not in phone.record()
    assert phone.client.get(f"{phone.base}/record.zip", headers=JSON).status_code == 404
    assert picture(phone, 1).get_json()["reason"] == "no-picture"
    assert count_pictures(app) == 0


@both_engines
def test_a_confirmed_throw_has_a_small_picture_without_metadata(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    assert phone.state["settings"]["keeps_pictures"] is True
    assert confirm(app, phone, "a-photo-of-this").status_code == 200
    phone.act(do="set-aside", dice=[1, 1, 5, 5])
    phone.throw(1, 2)
    first, aside, typed = bodies(phone)
    kept = picture(phone, 1)
    assert first == {"do": {"do": "throw", "dice": THROW}, "picture": hashlib.sha256(kept.data).hexdigest()}
    assert proof.PICTURE not in aside, "only throws have pictures"
    assert typed["picture"] == "by-hand"
    assert (kept.mimetype, kept.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    best = phone.get("ending")["best"]
    assert best == {"player": 0, "dice": THROW, "points": 300, "picture": 1}, "the ending shows it"
    image = Image.open(io.BytesIO(kept.data))
    assert (image.format, max(image.size)) == ("JPEG", 640)
    assert len(kept.data) <= proof.MOST_BYTES
    assert not image.getexif()
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert picture(phone, 3).status_code == picture(phone, 99).status_code == 404


def test_a_picture_that_is_hard_to_pack_is_still_small(app: Flask, client: FlaskClient) -> None:
    noise = io.BytesIO()
    Image.effect_noise((1600, 1600), 120).convert("RGB").save(noise, "JPEG", quality=95)
    phone = proving(client)
    show_photo(app, phone, "a-noisy-photo", noise.getvalue())
    phone.post("actions", action={"do": "throw", "dice": THROW}, evidence={"reading": "a-noisy-photo", "dice": []})
    (body,) = bodies(phone)
    assert body["picture"] == "not-kept" or len(picture(phone, 1).data) <= proof.MOST_BYTES


def test_everybody_sees_who_switched_it_on_and_off(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client, "ones-and-fives", "Ada", "Bob")
    other = guest(app, owner.base)
    owner.throw(1, 2, 3, 4, 6, 6)
    assert "proof" not in other.look()
    other.client.set_cookie("device-name", "Ola")
    assert other.post("settings", keeps_pictures=True).status_code == 200
    told = owner.look()
    assert (told["settings"]["keeps_pictures"], told["set_by"]) == (True, {"keeps_pictures": "Ola"})
    assert other.look()["proof"] == told["proof"]
    owner.act(do="set-aside", dice=[1])
    assert confirm(app, owner, "a-photo-of-this", 1, 2, 3, 4, 6).status_code == 200
    assert other.post("settings", keeps_pictures=False).status_code == 200
    assert owner.look()["settings"]["keeps_pictures"] is False, "the code of what was proved stays"
    owner.act(do="set-aside", dice=[1])
    owner.throw(1, 2, 3, 4)
    assert [proof.PICTURE in body for body in bodies(owner)] == [False, False, True, False, False]


def test_the_code_changes_with_each_line_and_is_the_same_after_a_restart(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data")
    phone = proving(app.test_client())
    codes = [phone.state["proof"]["code"]]
    assert confirm(app, phone, "a-photo-of-this").status_code == 200
    codes.append(phone.state["proof"]["code"])
    phone.act(do="set-aside", dice=[1, 1])
    codes.append(phone.state["proof"]["code"])
    phone.post("undo")
    codes.append(phone.state["proof"]["code"])
    kept = picture(phone, 1).data
    assert phone.post("corrections", step=1, action={"do": "throw", "dice": [1, 1, 2, 4, 5, 6]}).status_code == 200
    codes.append(phone.look()["proof"]["code"])
    assert len(set(codes)) == 5
    assert picture(phone, 1).data == kept, "the picture of a corrected throw stays"
    services(app).close()
    again = create_app(tmp_path / "data")
    phone = Phone(again.test_client(), phone.base)
    assert phone.state["proof"]["code"] == codes[-1]
    assert picture(phone, 1).data == kept
    services(again).close()


def test_a_throw_with_a_keep_has_its_picture_at_the_throw(app: Flask, client: FlaskClient) -> None:
    phone = proving(client, "yahtzee")
    assert confirm(app, phone, "the-first-photo", 1, 1, 2, 4, 5).status_code == 200
    assert confirm(app, phone, "the-second-photo", 3, 3, 6, keep=[1, 1]).status_code == 200
    assert [proof.hash_in(body) is not None for body in bodies(phone)] == [True, False, True]
    assert picture(phone, 3).status_code == 200


def test_a_photo_that_is_gone_is_told_as_not_kept(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    show_photo(app, phone, "a-photo-of-this")
    services(app).photos.files.delete("a-photo-of-this")
    evidence = {"reading": "a-photo-of-this", "dice": []}
    assert phone.post("actions", action={"do": "throw", "dice": THROW}, evidence=evidence).status_code == 200
    assert bodies(phone)[0]["picture"] == "not-kept"


@pytest.mark.parametrize("bound", ["MOST_OF_TABLE", "MOST_OF_SERVER"])
def test_more_pictures_than_there_is_place_for(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(proof, bound, 1)
    phone = proving(client)
    confirm(app, phone, "the-first-photo")
    phone.act(do="set-aside", dice=[1, 1])
    assert confirm(app, phone, "the-second-photo", 1, 2, 3, 4).status_code == 200
    assert [body.get("picture", "")[:8] for body in bodies(phone)][1:] == ["", "not-kept"]
    assert count_pictures(app) == 1


def test_a_throw_counts_where_its_picture_has_no_room(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data")
    phone = proving(app.test_client())
    with services(app).store.write() as connection:  # the file may grow by a line, but not by a picture
        pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 3}")
    assert confirm(app, phone, "a-photo-of-this").status_code == 200
    assert bodies(phone) == [{"do": {"do": "throw", "dice": THROW}, "picture": "not-kept"}]
    phone.act(do="set-aside", dice=[1, 1])
    assert phone.look()["version"] == 2
    services(app).close()


def test_no_picture_takes_the_last_room_of_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(tmp_path / "data")
    phone = proving(app.test_client())
    monkeypatch.setattr(photo_files, "LEAST_FREE", 1 << 60)
    assert confirm(app, phone, "a-photo-of-this").status_code == 200
    assert bodies(phone)[0]["picture"] == "not-kept"
    services(app).close()


def test_the_record_has_the_log_and_a_second_file_the_pictures(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    confirm(app, phone, "a-photo-of-this")
    phone.post("undo")
    confirm(app, phone, "another-photo", 1, 1, 2, 4, 5, 6)
    record = phone.record()
    assert record["actions"] == [{"do": "throw", "dice": [1, 1, 2, 4, 5, 6]}]
    told = record["proof"]
    assert [line["line"] for line in told["log"]] == [1, 2, 3]
    assert told["code"] == phone.look()["proof"]["code"]
    assert phone.key not in json.dumps(record), "who has the record cannot join the table"
    archive = ZipFile(io.BytesIO(client.get(f"{phone.base}/record.zip").data))
    assert json.loads(archive.read("record.json")) == record
    named = {proof.picture_name(line["line"]): line["body"]["picture"] for line in told["log"] if "do" in line["body"]}
    packed = {name: archive.read(name) for name in archive.namelist() if name != "record.json"}
    assert {name: hashlib.sha256(data).hexdigest() for name, data in packed.items()} == named


def test_a_record_that_was_brought_names_its_pictures_and_says_that_they_are_not_here(
    app: Flask, client: FlaskClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = proving(client)
    for number, dice in enumerate(([1, 1, 2, 4, 5, 5], [1, 1, 2, 4, 5, 6])):
        show_photo(app, phone, f"a-photo-{number}", PHOTO if number else OTHER_PHOTO)
        evidence = {"reading": f"a-photo-{number}", "dice": []}
        assert phone.post("actions", action={"do": "throw", "dice": dice}, evidence=evidence).status_code == 200
        if not number:
            phone.post("undo")
    phone.act(do="set-aside", dice=[1, 1])
    phone.throw(2, 3, 4, 6)
    phone.post("corrections", step=1, action={"do": "throw", "dice": [1, 1, 2, 4, 5, 5]})
    record = phone.record()
    with ZipFile(io.BytesIO(client.get(f"{phone.base}/record.zip").data)) as archive:
        archive.extractall(tmp_path / "pictures")

    printed = client.get(f"{phone.base}/print?pictures=1")
    assert (printed.status_code, printed.get_data(as_text=True).count("<img loading")) == (200, 2)
    there = bring(client, record)
    assert there.state["version"] == len(record["proof"]["log"]) == phone.state["version"]
    assert there.state["standing"] == phone.state["standing"]
    assert (there.state["settings"]["keeps_pictures"], there.state["proof"]["elsewhere"]) == (False, 2)
    assert there.act(do="set-aside", dice=[]).status_code == 422
    assert picture(there, 1).status_code == 404
    printed = client.get(f"{there.base}/print?pictures=1")
    assert (printed.status_code, printed.get_data(as_text=True).count("<img loading")) == (200, 0)
    again = there.record()
    assert [line["body"] for line in again["proof"]["log"]] == [line["body"] for line in record["proof"]["log"]]
    for name, told in (("record.json", record), ("again.json", again)):
        (tmp_path / name).write_text(json.dumps(told))
        arguments = ["verify", str(tmp_path / name), "--pictures", str(tmp_path / "pictures")]
        assert rollcall.main(arguments) == 0, capsys.readouterr().out
        assert "Pictures: matches 2." in capsys.readouterr().out
    third = bring(client, again)  # also when it is brought once more, and played on
    assert third.state["proof"]["elsewhere"] == 2
    assert third.post("undo").status_code == 200
    assert third.record()["proof"]["log"][-1]["body"] == {"undo": True}


def changed_logs(record: Json) -> Iterator[tuple[str, Json]]:
    """Records whose log is not that of their game."""

    def with_log(change: Callable[[list[Json]], Any], fit: bool = True) -> Json:
        told = copy.deepcopy(record)
        change(told["proof"]["log"])
        return with_code(told) if fit else told

    yield "a line changed", with_log(lambda log: log[0].update(device="Eve"), fit=False)
    yield "a line missing", with_log(lambda log: log.pop())
    yield "another throw", with_log(lambda log: log[0]["body"]["do"].update(dice=[1, 1, 1, 1, 1, 1]))
    yield "no body", with_log(lambda log: log[0].update(body=None))
    yield "another body", with_log(lambda log: log[0].update(body={"evil": 1}))
    yield "a correction of nothing", with_log(lambda log: log.append({**log[0], "body": {"correct": 9}}))
    for told in (None, [], {}, {"log": 7, "setup": 8}, {"log": [[]], "setup": {}}, {"log": {}, "setup": {}}):
        yield f"proof {told}", {**record, "proof": told}


def test_a_record_whose_log_is_not_that_of_its_game_is_brought_without_it(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    confirm(app, phone, "a-photo-of-this")
    record = phone.record()
    for what, told in changed_logs(record):
        there = bring(client, told)
        assert "proof" not in there.state, what
        assert there.record()["actions"] == record["actions"], what


def test_what_a_picture_of_a_brought_log_may_be(app: Flask, client: FlaskClient) -> None:
    """Only what a log of ours has: nothing else of a line is kept."""
    phone = proving(client)
    confirm(app, phone, "a-photo-of-this")
    phone.act(do="set-aside", dice=[1, 1])
    record = phone.record()
    told = copy.deepcopy(record)
    told["proof"]["log"][1]["body"].update(picture="<b>", more={"x": 1})
    there = bring(client, with_code(told))
    again = there.record()
    assert [line["body"] for line in again["proof"]["log"]] == [line["body"] for line in record["proof"]["log"]]


def test_a_hidden_name_that_was_taken_back_is_not_brought_either(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    confirm(app, phone, "a-photo-of-this")
    assert phone.act(do="adjust", what="player-renamed", player=0, name="Eve").status_code == 200
    assert phone.post("undo").status_code == 200
    told = phone.record()
    told["proof"]["log"][1]["body"]["do"]["name"] = "\u202eEve"
    assert send_record(client, with_code(told)).status_code == 422


@pytest.fixture
def proved(tmp_path: Path) -> tuple[Path, Phone, bytes]:
    """The data folder of an ended server, a table with a picture, and that picture."""
    app = create_app(tmp_path / "data")
    phone = proving(app.test_client())
    confirm(app, phone, "a-photo-of-this")
    kept = picture(phone, 1).data
    services(app).close()
    return tmp_path / "data", phone, kept


def has_all(folder: Path, phone: Phone, kept: bytes) -> None:
    app = create_app(folder)
    there = Phone(app.test_client(), phone.base)
    assert there.state["proof"] == phone.state["proof"]
    assert picture(there, 1).data == kept
    services(app).close()


def test_a_backup_and_a_copy_have_the_pictures(proved: tuple[Path, Phone, bytes], tmp_path: Path) -> None:
    data, phone, kept = proved
    back_up(data, tmp_path / "backup")
    has_all(tmp_path / "backup", phone, kept)
    copy_games(data / FILE_NAME, tmp_path / "copy.db")
    other = SqliteStore(tmp_path / "other")
    assert merging.bring_games(other, tmp_path / "copy.db").came == 1
    other.close()
    has_all(tmp_path / "other", phone, kept)


def test_a_program_gets_record_and_pictures(app: Flask, client: FlaskClient) -> None:
    phone = proving(client)
    confirm(app, phone, "a-photo-of-this")
    address = f"/api/v1/tables/{phone.key}"
    assert client.get(f"{address}/record").get_json() == phone.record()
    assert client.get(f"{address}/pictures/1").data == picture(phone, 1).data
    for line in ("2", "x", "-1", "9" * 30):
        assert client.get(f"{address}/pictures/{line}").status_code == 404
