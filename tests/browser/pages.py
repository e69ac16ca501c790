"""The pages that axe and the ruler go through: each kind once, from a list that a test compares with all routes."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import scorer
from scorer.definitions.game_link import link_of
from scorer.games import text_of
from tests.browser.games import import_record, record

# Names as long as they come, so that nothing fits only by luck.
NAMES = ("Kateřina", "Maksymilian", "Ada")
LONG_AGO = 10**9
# `{table}`: a finished game; `{sheet}`, `{figures}`: likewise, of other families; `{running}`: one that goes on;
# `{digest}`: a game that people made; `{night}`: a club's night in its first round; `{first}`: who sits first.
ADDRESSES = {
    "start": "/",
    "join": "/join",
    "join-wrong": "/join?code=ABCDEF",
    "history": "/history",
    "history-older": f"/history?finished={LONG_AGO}",
    "players": "/history/players?after=A",
    "files": "/history/files",
    "delete": "/history/delete/{key}",
    "player": "/history/player?name={first}&game=ones-and-fives",
    "player-older": f"/history/player?name={{first}}&game=ones-and-fives&before={LONG_AGO}",
    "table": "{table}",
    "board": "{table}/board",
    "print": "{table}/print",
    "camera": "{running}/camera",
    "table-rules": "{table}/rules",
    "statistics": "{table}/statistics",
    "statistics-figures": "{figures}/statistics",
    "statistics-sheet": "{sheet}/statistics",
    "luck": "{table}/luck",
    "luck-figures": "{figures}/luck",
    "luck-sheet": "{sheet}/luck",
    # Not beside `linked-game`: between addresses that differ after # alone, a page reloads itself after `goto`.
    "linked-game-cut-off": "/game#g=fifty.eNpL",
    "help": "/help",
    "error": "/nothing-here",
    "error-table": "/tables/no-such-table",
    "rules": "/rules/knaster",
    "edit": "/games/yatzy/edit",
    "own-game": "/g/{digest}",
    "own-game-edit": "/g/{digest}/edit",
    "own-game-gone": "/g/gone",
    "linked-game": f"/game#{link_of(text_of('fifty'), 'fifty')}",
    "club": "/clubs?rules=1&game=kosci-single",
    "club-person": "{night}",
    "club-desk": "{night}/desk",
    "club-join": "{night}/desk/join",
    "club-board": "{night}/board",
    "club-print": "{night}/print",
    "club-season": "{night}/season",
    "club-season-person": "{night}/season/1",
    "programs": "/api",
    "offline": "/offline",
}
# Pages that are none of the list, and why.
ELSEWHERE = {
    "welcome.page": "it is for a browser of the serving computer, which `test_welcome` opens",
    "overlay.show_overlay": "it lies over a stream and has nothing to tap; `test_stream_and_television` looks at it",
}
OWN_GAME = {
    "name": "Grandma's sheet",
    "toml": text_of("yatzy").replace('title = "Yatzy"', 'title = "Grandma\'s sheet"', 1),
}


def addresses(page: Any, base: str, names: Sequence[str] = NAMES) -> dict[str, str]:
    """The whole addresses of the list, for a game that this phone gets, and tables of all who fit there of `names`."""
    made = {
        name: import_record(page, base, record(game, names[: scorer.game(game).most_players], part))
        for name, game, part in (
            ("table", "ones-and-fives", 1.0),
            ("figures", "drapky", 1.0),
            ("sheet", "kosci-triple", 1.0),
            ("running", "knaster", 0.5),
        )
    }
    answer = page.context.request.post(f"{base}/own-games", data=OWN_GAME)
    assert answer.ok, answer.text()
    digest = answer.json()["page"].rpartition("/")[2]
    made["night"] = start_night(page, base, names)
    key = urlsplit(made["table"]).path.rpartition("/")[2]
    filled = {
        name: address.format(**made, key=key, digest=digest, first=names[0]) for name, address in ADDRESSES.items()
    }
    return {name: address if address.startswith(base) else base + address for name, address in filled.items()}


def start_night(page: Any, base: str, names: Sequence[str]) -> str:
    """Starts a club's night of two tables, of which one has told its totals; returns its address."""
    people = [*names, *(f"{name} II." for name in names), "Pan Dlouhojmenovský z Horní Lhoty"]
    plan = {"name": "Vánoční kostky SDH", "game": "yahtzee", "rounds": "3", "seats": "4", "minutes": "40"}
    kind = {"Content-Type": "application/x-www-form-urlencoded"}

    def post(address: str, **form: Any) -> Any:
        answer = page.context.request.post(address, data=urlencode(form, doseq=True), headers=kind, max_redirects=0)
        assert answer.status == 303, answer.text()
        return answer

    night = f"{base}{post(f'{base}/clubs', adds='places', **plan).headers['location']}".removesuffix("/desk")
    post(f"{night}/do/people", names="\n".join(people))
    post(f"{night}/do/draw")
    post(f"{night}/bell")
    first = page.context.request.get(f"{night}/night.json").json()["round"]["tables"][0]
    points = [100 + number for number, _ in enumerate(first["people"])]
    post(f"{night}/do/totals", round=1, table=1, points=points)
    return night
