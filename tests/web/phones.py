"""A phone at a table, for tests."""

import itertools
from typing import Any

from flask.testing import FlaskClient

JSON = {"Accept": "application/json"}


class Phone:
    """A phone at a table: it remembers the newest state that it was told."""

    _requests = itertools.count(1)

    def __init__(self, client: FlaskClient, base: str) -> None:
        self.client = client
        self.base = base
        self.state: dict[str, Any] = {}
        self.look()

    @property
    def standing(self) -> dict[str, Any]:
        standing: dict[str, Any] = self.state["standing"]
        return standing

    def look(self) -> dict[str, Any]:
        self.state = self.client.get(f"{self.base}/state", headers=JSON).get_json()
        return self.state

    def post(self, path: str, **body: Any) -> Any:
        body.setdefault("version", self.state["version"])
        body.setdefault("request", f"request-{next(self._requests):06}")
        response = self.client.post(f"{self.base}/{path}", json=body, headers=JSON)
        if response.status_code == 200 and "standing" in response.get_json():
            self.state = response.get_json()
        return response

    def act(self, **action: Any) -> Any:
        return self.post("actions", action=action)

    def throw(self, *dice: int) -> Any:
        return self.act(do="throw", dice=list(dice))


def start(client: FlaskClient, game: str = "ones-and-fives", *players: str, **options: Any) -> str:
    """Starts a table from the form and returns its address."""
    form: dict[str, Any] = {"game": game, "player": list(players or ("Ada", "Bob"))}
    form.update({f"{game}.{name}": str(value) for name, value in options.items()})
    response = client.post("/tables", data=form)
    assert response.status_code == 303, response.get_data(as_text=True)
    return str(response.headers["Location"])
