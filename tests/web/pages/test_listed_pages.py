"""Each page of the application is in the list that axe and the ruler go through (tests/browser/pages.py)."""

from collections.abc import Iterator
from contextlib import closing

from flask import Flask
from werkzeug.exceptions import NotFound

from tests.browser.games import whole_game
from tests.browser.pages import ADDRESSES, ELSEWHERE, OWN_GAME
from tests.reliability.test_security import routes
from tests.web.phones import Phone, start
from tests.web.postgres import both_engines
from web.hosts.laptop import welcome
from web.hosts.laptop.this_machine import ThisMachine, opening_url

HERE = "http://localhost/welcome"


def pages(app: Flask, phone: Phone, digest: str) -> Iterator[str]:
    """The endpoints that give this phone a page."""
    made = phone.client.post(f"/api/v1{phone.base}/programs", json={"name": "Stream", "may": "show"}).get_json()
    for rule, path in routes(app, phone, digest=digest, token=made["token"]):
        if "GET" in (rule.methods or ()):
            with closing(phone.client.get(path)) as answer:
                if answer.status_code == 200 and answer.mimetype == "text/html":
                    yield rule.endpoint


@both_engines
def test_each_page_is_examined_in_the_browser(app: Flask, phone: Phone) -> None:
    machine = ThisMachine(HERE)
    app.extensions[welcome.EXTENSION] = machine
    phone.client.get(opening_url(HERE, machine.secret))
    own = phone.client.post("/own-games", json=OWN_GAME).get_json()["page"].rpartition("/")[2]
    finished = Phone(phone.client, start(phone.client, "knaster"))
    for action in whole_game("knaster"):
        assert finished.act(**action).status_code == 200
    found = {*pages(app, phone, own), *pages(app, finished, own)}
    assert ELSEWHERE.keys() <= found
    assert found - ELSEWHERE.keys() - {*listed_endpoints(app)} == set(), "list an address in tests/browser/pages.py"


def listed_endpoints(app: Flask) -> Iterator[str]:
    router = app.url_map.bind("localhost")
    for address in ADDRESSES.values():
        path = address.format(
            table="/tables/a",
            sheet="/tables/b",
            figures="/tables/c",
            running="/tables/d",
            night="/clubs/n",
            key="a",
            digest="e",
            first="f",
        )
        try:
            yield router.match(path.partition("#")[0].partition("?")[0])[0]
        except NotFound:
            continue  # the page of what is not there
