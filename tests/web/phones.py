"""A phone at a table, for tests."""

import io
import itertools
import json
import random
from typing import Any

import msgspec
from flask.testing import FlaskClient

from web.table.view import View

JSON = {"Accept": "application/json"}


def api_of(address: str) -> str:
    """The address for the requests of a table whose page is at `address`."""
    return address.replace("/tables/", "/api/v1/tables/", 1)


class Phone:
    """A phone at a table: it remembers the newest state that it was told."""

    _requests = itertools.count(1)

    def __init__(self, client: FlaskClient, base: str) -> None:
        self.client = client
        self.base = base
        self.state: dict[str, Any] = {}
        self.look()

    @property
    def key(self) -> str:
        return self.base.rpartition("/")[2]

    @property
    def standing(self) -> dict[str, Any]:
        return self.state["standing"]

    def look(self) -> dict[str, Any]:
        self.state = as_declared(self.client.get(f"/api/v1{self.base}", headers=JSON))
        return self.state

    def get(self, path: str) -> Any:
        """The JSON of an address below that of the table."""
        return self.client.get(f"/api/v1{self.base}/{path}", headers=JSON).get_json()

    def record(self) -> Any:
        return self.client.get(f"{self.base}/record.json").get_json()

    def post(self, path: str, **body: Any) -> Any:
        body.setdefault("version", self.state["version"])
        body.setdefault("request", f"request-{next(self._requests):06}")
        response = self.client.post(f"/api/v1{self.base}/{path}", json=body, headers=JSON)
        if response.status_code == 200 and "standing" in response.get_json():
            self.state = as_declared(response)
        return response

    def act(self, **action: Any) -> Any:
        return self.post("actions", action=action)

    def throw(self, *dice: int) -> Any:
        return self.act(do="throw", dice=list(dice))


def as_declared(response: Any) -> dict[str, Any]:
    """The state of a table that came, which must be what `web.table.view` says."""
    if response.status_code in (200, 202):
        msgspec.json.decode(response.data, type=View)
    return response.get_json()


def start(client: FlaskClient, game: str = "ones-and-fives", *players: str, **options: Any) -> str:
    """Starts a table from the form and returns its address."""
    form: dict[str, Any] = {"game": game, "player": list(players or ("Ada", "Bob"))}
    form.update({f"{game}.{name}": str(value) for name, value in options.items()})
    response = client.post("/tables", data=form)
    assert response.status_code == 303, response.get_data(as_text=True)
    return str(response.headers["Location"])


def device_of(client: FlaskClient) -> str:
    """What a server knows this phone by."""
    return client.get_cookie("device").value


def send_record(client: FlaskClient, record: Any, **headers: str) -> Any:
    """Uploads a record, or these bytes, as a browser's form does."""
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return client.post("/import", data={"record": (io.BytesIO(data), "record.json")}, headers=headers)


def bring(client: FlaskClient, record: Any) -> Phone:
    """A phone at a table that goes on from a record."""
    answer = send_record(client, record)
    assert answer.status_code == 303, answer.get_data(as_text=True)
    return Phone(client, answer.headers["Location"])


def end(client: FlaskClient, base: str) -> None:
    """Ends the game of a table as its menu does, wherever it stands."""
    answer = Phone(client, base).act(do="adjust", what="game", over=True)
    assert answer.status_code == 200, answer.get_data(as_text=True)


def any_legal(standing: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """One of the legal actions of a standing that is not over, as a phone would send it."""
    return with_dice(dice.choice(standing["legal"]), dice)


def with_dice(entry: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """An entry of `legal` as it is, and with dice or points if it needs them."""
    if "low" in entry:
        return {**entry, "points": dice.randint(max(-9, entry["low"]), min(60, entry["high"]))}
    if entry["do"] == "throw":
        return {**entry, "dice": [dice.randint(1, 6) for _ in range(entry["count"])]}
    if entry["do"] == "keep":
        return {**entry, "dice": entry["from"][: dice.randint(0, len(entry["from"]) - 1)]}
    return dict(entry)


def upload_form(photo: bytes, version: int) -> tuple[bytes, dict[str, str]]:
    """The body of an upload as a browser sends it, and its header."""
    edge = "photo-of-a-throw"
    body = (
        f'--{edge}\r\nContent-Disposition: form-data; name="version"\r\n\r\n{version}\r\n--{edge}\r\n'
        'Content-Disposition: form-data; name="photo"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    ).encode()
    return body + photo + f"\r\n--{edge}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={edge}"}
