"""Names as people take them, and what no name may hold."""

import pytest
from flask.testing import FlaskClient

from web.table.names import first_hidden

FLAG_OF_ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
FINE = ["Ada", "Žofie", "Z\u030cofie", "Łukasz O’Neil", "Nguyễn", "王小明", "مریم", "می\u200cخواهم", "ක්\u200dරි"]
EMOJI = ["👩\u200d👧", "❤️", "👍🏽", "🇨🇿", FLAG_OF_ENGLAND]
HIDDEN = [
    "Ad\u200ba",
    "Ad\u00ada",
    "\u202eadA",
    "Ada\u200f",
    "\u2066Ada\u2069",
    "Ad\u200da",
    "A\u2060",
    "Ada\ufeff",
    "\u200dمی",
]
NOTHING = ["\u200d", "\u3164", "\u2800", "\u0301", "A\U000e0041"]


@pytest.mark.parametrize("name", FINE + EMOJI)
def test_ordinary_names_and_emoji_are_fine(name: str) -> None:
    assert first_hidden([name]) is None


@pytest.mark.parametrize("name", HIDDEN + NOTHING)
def test_what_nobody_sees_is_found(name: str) -> None:
    assert first_hidden(["Bob", name]) is not None


def test_a_name_with_what_nobody_sees_is_refused_with_one_sentence(client: FlaskClient) -> None:
    form = {"game": "farkle", "player": ["Ada", "Ad\u200ba"]}
    answer = client.post("/tables", data=form, headers={"Accept-Language": "cs"})
    assert answer.status_code == 422
    assert "neviditelný znak" in answer.get_data(as_text=True)
