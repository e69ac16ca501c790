"""What day a game was played is told in the zone of the phone.

Where no script runs it is the server's: `tests/web/texts/test_moments.py`.
"""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.browser.conftest import NewPhone
from tests.web.served import UNPREPARED, Served, new_table

# 26 hours apart: whatever time it is, it is not the same day in both.
SERVER, PHONE = "Etc/GMT+12", "Pacific/Kiritimati"


@pytest.fixture(scope="module")
def far_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("far") / "data", program=UNPREPARED, environment={"TZ": SERVER}) as server:
        yield server


def in_zone(moment: str, zone: str) -> datetime:
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(ZoneInfo(zone))


def test_the_day_is_that_of_the_phone(far_served: Served, new_phone: NewPhone) -> None:
    page = new_phone(locale="cs-CZ", timezone_id=PHONE)
    base = new_table(far_served, "sequence", "Ada")
    page.goto(far_served.base + base)
    for path in ("/history", f"{base}/statistics", f"{base}/luck", f"{base}/print"):
        page.goto(far_served.base + path)
        told = page.locator("time").first
        moment = told.get_attribute("datetime")
        assert moment.endswith("Z")
        day = in_zone(moment, PHONE)
        told.and_(page.get_by_text(f"{day.day}. {day.month}. {day.year}", exact=True)).wait_for()
    title = f"· {in_zone(moment, PHONE):%Y-%m-%d}"
    page.wait_for_function("end => document.title.endsWith(end)", arg=title)
