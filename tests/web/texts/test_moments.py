"""Moments of the store, as pages and files tell them: in the zone of where people are."""

import csv
import io
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from web.texts import formats as moments

WEB = Path(moments.__file__).resolve().parent.parent
STORED = "2026-11-24T01:30:00Z"  # Monday evening in New York, Tuesday afternoon in Auckland
ZONES = {
    "America/New_York": ("2026-11-23", "2026-11-23T20:30:00-05:00"),
    "Pacific/Auckland": ("2026-11-24", "2026-11-24T14:30:00+13:00"),
    "UTC": ("2026-11-24", "2026-11-24T01:30:00+00:00"),
}
WRITTEN = {
    "en": {"2026-11-23": "Nov 23, 2026", "2026-11-24": "Nov 24, 2026"},
    "cs": {"2026-11-23": "23. 11. 2026", "2026-11-24": "24. 11. 2026"},
    "pl": {"2026-11-23": "23 lis 2026", "2026-11-24": "24 lis 2026"},
}


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The zone of the computer that serves."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("language", WRITTEN)
def test_a_day_is_the_one_of_the_servers_zone(app: Flask, zone: str, language: str) -> None:
    date, stamp = ZONES[zone]
    with app.test_request_context(headers={"Accept-Language": language}):
        written = f'<time datetime="{STORED}">{WRITTEN[language][date]}</time>'
        assert moments.day(STORED) == moments.ago("2020" + STORED[4:]).replace("2020", "2026") == written
    assert (moments.local_date(STORED), moments.local_stamp(STORED)) == (date, stamp)


@pytest.mark.parametrize("zone", ["America/New_York"], indirect=True)
@pytest.mark.usefixtures("zone")
def test_summer_time_is_that_of_the_moment() -> None:
    """The night in November in which one hour comes twice, and a summer that is over."""
    assert moments.local_stamp("2026-07-01T03:59:59Z") == "2026-06-30T23:59:59-04:00"
    assert moments.local_stamp("2026-11-01T05:30:00Z") == "2026-11-01T01:30:00-04:00"
    assert moments.local_stamp("2026-11-01T06:30:00Z") == "2026-11-01T01:30:00-05:00"
    assert moments.local_date("2026-11-01T04:30:00Z") == "2026-11-01"


def test_every_page_and_file_tells_the_servers_day(
    client: FlaskClient, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_795_483_800.0)  # STORED
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", target=25))
    client.get(phone.base)
    phone.throw(1, 2, 3, 4, 5, 6)
    date, stamp = ZONES[zone]
    assert phone.look()["recent"][0]["at"] == STORED, "programs are told UTC"
    player = "/history/player?name=Ada&game=sequence"
    for path in ("/history", player, f"{phone.base}/statistics", f"{phone.base}/luck", f"{phone.base}/print"):
        page = client.get(path).get_data(as_text=True)
        assert re.findall(r"<time ([^>]*)>([^<]*)</time>", page) == [(f'datetime="{STORED}"', WRITTEN["en"][date])], (
            path
        )
        shown = re.sub(r'(?:datetime|content)="[^"]*"|<script .*?</script>', "", page, flags=re.DOTALL)
        assert "2026-11-24" not in shown or date == "2026-11-24", path
    assert f"· {date}</title>" in page
    exported = client.get(f"{phone.base}/record.json").headers["Content-Disposition"]
    assert exported == f"attachment; filename=sequence-{date}.json"
    for path, column in (("/history.csv", 0), (f"{phone.base}/throws.csv", 2)):
        heads, line, *_ = csv.reader(io.StringIO(client.get(path).data.decode("utf-8-sig")))
        assert (heads[column], line[column]) == ("Time", stamp)


# A stamp that is cut, or that a template prints as it is stored.
CUT = re.compile(r'(?:\w_at|\.at|\["at"\]|moment)\)?(?:\[:\s*\d|\.(?:slice|substring|substr|split)\()')
PRINTED = re.compile(r"\{\{[^}]*\b\w+_at\b(?!\s*\|\s*(?:day|ago|local_date)\b)[^}]*\}\}")
ATTRIBUTE = re.compile(r'[\w-]+="\{\{[^}]*\}\}"')  # which a script reads


def test_no_page_cuts_a_stamp() -> None:
    for cut in ("row.created_at[:10]", "entry.at.slice(0, 16)", 'move["at"][:10]'):
        assert CUT.search(cut), cut
    assert PRINTED.search("<p>{{ row.created_at }}</p>")
    assert not PRINTED.search("{{ row.created_at | day }}")
    sources = [path for suffix in ("py", "html", "js") for path in WEB.rglob(f"*.{suffix}")]
    assert len(sources) > 100
    assert [str(path) for path in sources if CUT.search(path.read_text())] == []
    pages = [path for path in sources if path.suffix == ".html"]
    assert [str(path) for path in pages if PRINTED.search(ATTRIBUTE.sub("", path.read_text()))] == []
