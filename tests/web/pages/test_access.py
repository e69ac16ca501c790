"""Who may come to a table: every route of the application, from its map, asked for by everybody; on both engines."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

import vision
from tests.reliability.test_security import everything, routes
from tests.web import under_review
from tests.web.apps import create_app
from tests.web.asgi import ask_application
from tests.web.pages.test_owners import close, guest, phones_by_name, turn_out
from tests.web.phones import JSON, Phone, device_of, start, upload_form
from tests.web.waiting import wait_until
from web.hosts.laptop.serving import asgi_application
from web.pages.access import DECIDED, FOR_ANYBODY, SAFE_METHODS
from web.pages.large_bodies import LARGER, SMALL_LIMIT
from web.problems.problem import Problem
from web.programs.webhooks.outgoing import AllowedNetworks
from web.services import services
from web.table.commands import SERVER, AddSample, Asker

PLAYERS = ("Zdeňka", "Władysław")  # of the table, whom nobody learns of that may not come
PHOTO = b"what is in the photo's file"
READING = "a-reading"
SAMPLE = vision.DiceSample((0,), ((0.0,) * 4,), 0).to_bytes()
DICE = (1, 1, 6, 6, 3, 4)

# Who asks, and whether he may come: to a table from which the owner has removed somebody, and to any other.
AT_A_GUARDED_TABLE = {"owner": True, "guest": True, "removed": False, "stranger": False, "without a cookie": False}
AT_AN_OPEN_TABLE = dict.fromkeys(("owner", "guest", "stranger", "without a cookie"), True)
# The short code lets any phone in, and is told by the table alone.
INVITATIONS = {"pages.join", "pages.short"}

NEXT_DOOR = AllowedNetworks(also=["192.168.77.0/24"])

# Who may come is answered with success, but here: what else the table tells him, as it stands in these tests.
OTHERWISE = {
    "api.send_photo": (409, "no-throw-now"),
    "api.take_photo": (409, "no-throw-now"),
    "api.take_frame": (409, "not-watched"),
    "api.take_rest": (409, "not-watched"),
    "api.try_frame": (422, "photo-format"),
    "api.watch_choose": (409, "stale"),  # of an empty table nothing is proposed
    "api.show_picture": (404, "no-picture"),
    "api.see_photo": (404, "no-reading"),  # no phone looks into its photo
    "pages.record_with_pictures": (404, "no-picture"),
    "pages.go_on": (400, "bad-request"),
    "pages.again": (409, "game-not-over"),
}
FOR_THE_OWNER = {
    "api.list_phones",
    "api.list_programs",
    "api.connect_program",
    "api.remove_program",
    "api.list_webhooks",
    "api.connect_webhook",
    "api.disconnect_webhook",
    "api.turn_out",
    "api.close",
    "api.delete",
    "pages.ask_delete",
    "pages.bring_back",
    "pages.delete_table",
}
FOR_TOKENS = {"api.list_webhooks", "api.connect_webhook"}  # the key alone is not enough
CLOSED = (409, "table-closed")
# At a closed table everything that is no GET is answered by CLOSED, but here.
WHEN_CLOSED = {
    "api.close": None,
    "api.delete": None,
    "api.remove_program": None,
    "api.disconnect_webhook": None,
    "api.turn_out": None,
    "pages.ask_delete": None,
    "pages.bring_back": None,
    "pages.delete_table": None,
    "api.preview_correction": None,
    "api.preview_throw": None,
    "api.discard_photo": None,
    "api.show_watched": (409, "not-watched"),
}


class Table:
    """A camera that shows an empty table."""

    def next_photo(self) -> vision.Photo:
        return self.next_frame()[1]

    def next_frame(self) -> tuple[float, vision.Photo]:
        return time.monotonic(), vision.Photo(np.full((90, 120, 3), 110, np.uint8))


@pytest.fixture
def app(tmp_path: Path, database: str | None) -> Iterator[Flask]:
    application = create_app(tmp_path / "data", camera=Table(), database=database, webhooks_to=NEXT_DOOR)
    yield application
    services(application).close()


class Scene:
    """A table that the camera watches, with a throw, a photo under review and samples of its dice; and who asks."""

    def __init__(self, app: Flask, data: Path, guarded: bool, closed: bool) -> None:
        self.app, self.data = app, data
        client = app.test_client()
        base = start(client, "ones-and-fives", *PLAYERS)
        client.get(base)
        self.owner = Phone(client, base)
        self.clients = {"owner": client, "guest": guest(app, base, "Guest").client}
        self.clients["stranger"] = app.test_client()
        self.clients["stranger"].get("/")
        assert self.clients["stranger"].get_cookie("device") is not None
        self.clients["without a cookie"] = app.test_client(use_cookies=False)
        if guarded:
            self.clients["removed"] = guest(app, base, "Removed").client
            turn_out(self.owner, "Removed")
        self.guest = phones_by_name(self.owner)["Guest"]["phone"]
        self.runner, self.key = services(app).runner, self.owner.key
        self.closed = False
        self.prepare()
        if closed:
            close(self.owner)
            self.closed = True
            self.prepare()

    def prepare(self) -> None:
        """What is to be done and seen at the table is there (again)."""
        self.owner.client.post(f"/history/undelete/{self.key}")
        state = self.owner.look()
        if not self.closed and "set-aside" not in [entry["do"] for entry in state["standing"]["legal"]]:
            if state["steps"]:
                self.owner.post("undo")
            else:
                self.owner.throw(*DICE)
        if not self.closed and not state["learnt"]:
            # As a confirmed photo leaves it; what is in it nobody asks here.
            self.runner.do(self.key, AddSample(1, SAMPLE))
        if not self.closed and not self.programs():
            self.owner.client.post(f"/api/v1{self.owner.base}/programs", json={"name": "lamp"})
            self.owner.client.post(
                f"/api/v1{self.owner.base}/webhooks", json={"name": "x", "address": "http://192.168.77.7/"}
            )
        pending = {"id": READING, "status": "read", "device": "", "dice": [], "version": state["version"]}
        under_review.put(self.app, self.key, pending)
        pictures = services(self.app).photos.files
        if pictures.original(READING) is None:
            pictures.put_original(READING, PHOTO)
        pictures.put_shown(READING, PHOTO)
        if not self.closed:
            services(self.app).photos.watched.start(self.key, SERVER, by_itself=True)
            wait_until(lambda: self.is_watched())
        self.owner.look()

    def programs(self) -> list[str]:
        """The tags of the programs that the table lets in."""
        return [each["program"] for each in self.owner.get("programs")]

    def webhooks(self) -> list[str]:
        """The ids of the addresses where programs are told."""
        return [each["webhook"] for each in self.owner.get("webhooks")["items"]]

    def is_watched(self) -> bool:
        """Whether the camera has told what it makes of the table as it is now; it tells nothing more then."""
        told, watched = self.owner.look()["watched"], self.runner.look(self.key).watched
        return watched.proposal.version == self.owner.state["version"] and told["state"] not in ("looking", "moving")

    def bodies(self, endpoint: str) -> list[dict[str, Any]]:
        """What may be sent to a route, each of which does something if it is taken."""
        state = self.owner.look()
        asked = {"version": state["version"], "request": f"request-{time.monotonic_ns()}"}
        watched = (state["watched"] or {}).get("id", "")
        throw = {"do": "throw", "dice": [1, 1, 1, 5, 2, 4]}
        sent: dict[str, list[dict[str, Any]]] = {
            "api.act": [{**asked, "action": {"do": "set-aside", "dice": [1, 1]}}],
            "api.undo": [asked],
            "api.correct": [{**asked, "step": 1, "action": throw, "said": []}],
            "api.preview_correction": [{"step": 1, "action": throw}],
            "api.preview_throw": [{"dice": [1, 2, 3, 4, 5]}],
            "api.change_settings": [{"advice": "best"}, {"dice_set": "red"}, {"dice_set": "", "keeps_pictures": True}],
            "api.turn_out": [{"phone": self.guest, "out": False}],
            "api.connect_program": [{"name": "lamp"}],
            "api.connect_webhook": [{"name": "lamp", "address": "http://192.168.77.7/"}],
            "api.disconnect_webhook": [{"webhook": each} for each in self.webhooks()[:1]],
            "api.remove_program": [{"program": each} for each in self.programs()[:1]],
            "api.close": [{"closed": self.closed}],
            "api.delete": [{"deleted": False}],
            "api.take_photo": [{"version": state["version"]}],
            "api.set_watching": [{"on": True, "by_itself": False}, {"on": False}],
            "api.watch_again": [{}],
            "api.see_photo": [{"number": 0}],
            "api.watch_hold": [{"id": watched}],
            "api.watch_choose": [{**asked, "id": watched, "way": 0}],
        }
        if endpoint == "api.send_photo":
            body, headers = upload_form(b"a photo", state["version"])
            return [{"data": body, "headers": {**JSON, **headers}}]
        if endpoint in sent:
            return [{"json": body} for body in sent[endpoint]]
        return [{"data": {"begins": "0"}}]

    def worse_bodies(self, endpoint: str) -> list[dict[str, Any]]:
        """The same, and what only the owner may do and what would shut him out."""
        worse = {
            "api.turn_out": [{"phone": "others"}, {"phone": self.guest, "out": True}],
            "api.close": [{"closed": not self.closed}],
            "api.delete": [{"deleted": True}],
            "api.set_watching": [{"on": True, "region": [0, 0, 0.5, 0, 0.5, 0.5, 0, 0.5]}],
        }
        return [*self.bodies(endpoint), *({"json": body} for body in worse.get(endpoint, []))]

    def questions(self, endpoint: str) -> list[dict[str, Any]]:
        """What is asked of a route that changes nothing."""
        asked = {"api.show_table": {"stamp": self.owner.look()["stamp"]}, "api.show_watched": {"after": "-1"}}
        return [{}, {"query_string": asked[endpoint]}] if endpoint in asked else [{}]

    def everything_seen(self) -> list[Any]:
        """All that a request could change: the store and the files, what phones are told (its stamp is another one
        each time that they are told something), and what the camera is at."""
        camera = self.runner.look(self.key).watched
        return [everything(self.app, self.data), json.loads(self.runner.snapshot(self.key).view), camera]


def ask(client: FlaskClient, path: str, method: str, **sent: Any) -> tuple[int, str, str]:
    """The status, the reason of a refusal, and all that was told."""
    answer = client.open(path, method=method, **{"headers": JSON, **sent})
    told = answer.data.decode(errors="replace")
    answer.close()
    error = json.loads(told) if answer.status_code >= 400 and told.startswith("{") else {"reason": ""}
    return answer.status_code, error["reason"], told + str(answer.headers)


def is_of_table(rule: Rule) -> bool:
    return bool({"key", "table"} & rule.arguments)


def is_change(method: str) -> bool:
    return method not in SAFE_METHODS


@pytest.mark.whole
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("who", [who for who, may in AT_A_GUARDED_TABLE.items() if not may])
def test_who_may_not_come_gets_and_changes_nothing_by_any_route(
    app: Flask, tmp_path: Path, who: str, closed: bool
) -> None:
    scene = Scene(app, tmp_path / "data", guarded=True, closed=closed)
    client, refused = scene.clients[who], "phone-removed" if who == "removed" else "invitation-needed"
    no_token = (401, "token-wanted")
    wrong, tried, before = [], 0, scene.everything_seen()
    for rule, path in routes(app, scene.owner, photo=READING):
        for method in sorted(rule.methods or ()):
            if rule.endpoint in INVITATIONS or (is_change(method) and not is_of_table(rule)):
                continue  # it starts a table of his own, say
            if is_of_table(rule) and method == "OPTIONS":
                continue  # Flask answers it, and no table
            for sent in scene.worse_bodies(rule.endpoint) if is_change(method) else scene.questions(rule.endpoint):
                status, reason, told = ask(client, path, method, **sent)
                after = scene.everything_seen()
                faults = [f"it tells {secret}" for secret in (*PLAYERS, PHOTO.decode()) if secret in told]
                if rule.endpoint not in FOR_ANYBODY:
                    wanted = no_token if who == "without a cookie" and rule.endpoint in FOR_TOKENS else (403, refused)
                    if is_of_table(rule) and (status, reason if method != "HEAD" else wanted[1]) != wanted:
                        faults.append("it is not refused")
                    if after != before:
                        faults.append("it does something")
                before = after
                wrong += [f"{method} {rule} {sent}: {status} {reason}: {fault}" for fault in faults]
                tried += is_of_table(rule)
    assert not wrong, "\n".join(wrong)
    assert tried > 90


@pytest.mark.whole
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize(
    ("guarded", "who"),
    [
        (guarded, who)
        for guarded, everybody in ((True, AT_A_GUARDED_TABLE), (False, AT_AN_OPEN_TABLE))
        for who, may in everybody.items()
        if may
    ],
)
def test_who_may_come_is_answered_by_the_table_and_changes_nothing_where_it_is_closed(
    app: Flask, tmp_path: Path, who: str, guarded: bool, closed: bool
) -> None:
    scene = Scene(app, tmp_path / "data", guarded, closed)
    wrong, tried = [], 0
    for rule, path in routes(app, scene.owner, photo=READING):
        for method in sorted(rule.methods or ()) if is_of_table(rule) else ():
            scene.prepare()
            for sent in scene.bodies(rule.endpoint) if is_change(method) else [{}]:
                wanted = wanted_of(rule.endpoint, method, who, closed)
                before = [] if wanted is None else scene.everything_seen()
                status, reason, _ = ask(scene.clients[who], path, method, **sent)
                faults = []
                if status >= 400 if wanted is None else (status, reason if method != "HEAD" else wanted[1]) != wanted:
                    faults.append("it is not answered so (Scene.bodies has what may be sent there)")
                if wanted is not None and scene.everything_seen() != before:
                    faults.append("it does something")
                wrong += [f"{method} {rule} {sent}: {status} {reason}: {fault}" for fault in faults]
                tried += 1
    assert not wrong, "\n".join(wrong)
    assert tried > 80


def wanted_of(endpoint: str, method: str, who: str, closed: bool) -> tuple[int, str] | None:
    """What a route answers somebody who may come to the table; None: what he asked for."""
    if method == "OPTIONS" or endpoint in FOR_ANYBODY:
        return None
    if endpoint in FOR_TOKENS and who == "without a cookie":
        return 401, "token-wanted"
    if endpoint in FOR_THE_OWNER and who != "owner":
        return 403, "owner-only"
    if closed and endpoint in WHEN_CLOSED:
        return WHEN_CLOSED[endpoint]
    return CLOSED if closed and is_change(method) else OTHERWISE.get(endpoint)


@pytest.mark.whole
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("guarded", [False, True], ids=["for all", "guarded"])
def test_what_is_asked_for_beside_flask_is_asked_for_alike(
    app: Flask, tmp_path: Path, guarded: bool, closed: bool
) -> None:
    """Live streams, and whether the body of a photo is read at all."""
    scene = Scene(app, tmp_path / "data", guarded, closed)
    application = asgi_application(app, services(app).hub, threads=1)
    before = scene.everything_seen()
    for who, may in (AT_A_GUARDED_TABLE if guarded else AT_AN_OPEN_TABLE).items():
        client = scene.clients[who]
        device = device_of(client) if who != "without a cookie" else ""
        stream = ask_application(application, "GET", f"/api/v1{scene.owner.base}/states", device)
        assert (stream.status, PLAYERS[0] in stream.told) == ((200, True) if may else (403, False)), who
        photo = ask_application(
            application, "POST", f"/api/v1{scene.owner.base}/photos", device, bytes(2 * SMALL_LIMIT)
        )
        status = 403 if not may else 409 if closed else 415  # it is no photo
        assert (photo.status, photo.pieces > 0) == (status, status == 415), who
        assert scene.everything_seen() == before, who


def test_what_a_table_became_is_not_told_by_the_lists_of_a_phone_that_was_removed(app: Flask) -> None:
    client = app.test_client()
    client.get(base := start(client, "sequence", *PLAYERS, target=25))
    owner, bob = Phone(client, base), guest(app, base)
    assert PLAYERS[0] in bob.client.get("/").get_data(as_text=True)
    turn_out(owner, "Bob")
    throws = iter([(1, 2, 3, 4, 5, 6), (1, 2, 2, 2, 2, 2)])
    while not owner.standing["over"]:
        assert owner.throw(*next(throws)).status_code == 200
    player = f"/history/player?name={PLAYERS[0]}&game=sequence&luck=1"
    lists = ("/", "/history", "/history.csv", player)
    assert [PLAYERS[0] in client.get(path).get_data(as_text=True) for path in lists] == [True] * 4
    assert [PLAYERS[0] in bob.client.get(path).get_data(as_text=True) for path in lists[:3]] == [False] * 3
    assert bob.client.get(player).status_code == 404
    turn_out(owner, "Bob", out=False)
    assert [PLAYERS[0] in bob.client.get(path).get_data(as_text=True) for path in lists] == [True] * 4


def test_a_watching_that_a_table_refuses_keeps_the_camera_from_no_other(app: Flask) -> None:
    """It is asked for by a phone that was let in, and is removed before it begins."""
    tables = [start(app.test_client()) for _ in range(2)]
    first, second = (base.rpartition("/")[2] for base in tables)
    client = app.test_client()
    client.get(base := start(client))
    owner, bob = Phone(client, base), guest(app, base)
    turn_out(owner, "Bob")
    with pytest.raises(Problem, match="removed"):
        services(app).photos.watched.start(owner.key, Asker(device_of(bob.client)))
    services(app).photos.watched.start(first, SERVER)
    with pytest.raises(Problem, match="watching another"):
        services(app).photos.watched.start(second, SERVER)


def test_exceptions_are_of_routes_that_there_are(app: Flask) -> None:
    there = {rule.endpoint for rule in app.url_map.iter_rules()}
    for listed in (FOR_ANYBODY, DECIDED, INVITATIONS, OTHERWISE, FOR_THE_OWNER, WHEN_CLOSED, LARGER):
        assert set(listed) <= there


def test_every_route_below_tables_names_the_table_as_its_key(app: Flask) -> None:
    """By which alone it is asked who comes to a page; an operation of `/api/v1` says it itself."""
    below = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/tables/") if is_of_table(rule)]
    assert len(below) > 10
    assert [rule for rule in below if not rule.rule.startswith("/tables/<key>")] == []
