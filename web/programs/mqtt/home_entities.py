"""What a smart home is told of a table, and how Home Assistant is told to show it. Pure.

A device stands for a table, and one for the table that was used last, so that an automation need not know tonight's
table. The form is that of Home Assistant's MQTT discovery by device (since its version 2024.11):
https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec

import scorer
from scorer.texts import N_
from web.problems.problem import Problem
from web.table.access_list import table_id
from web.table.commands import SERVER, Act
from web.table.deciding import decide
from web.table.evidence import evidence_of
from web.table.happenings import Kind, TableEvent
from web.table.json_document import Document
from web.table.moves import scores_of
from web.table.photo_state import Read, Waiting
from web.table.state import State
from web.table.view import Score
from web.texts.languages import translations
from web.texts.release import VERSION

DISCOVERY = "homeassistant"  # where Home Assistant listens unless somebody chose another place
LATEST = "latest"  # in the place of a table's id: the table that was used last
MOST_LETTERS = 255  # of a state in Home Assistant
ONLINE, OFFLINE = "online", "offline"

Translate: TypeAlias = Callable[[str], str]
TableStatus: TypeAlias = Literal["playing", "reading", "confirm", "look", "over", "closed", "damaged", "none"]
STATUSES: Mapping[TableStatus, str] = {
    "playing": N_("The game is running"),
    "reading": N_("The photo is being read"),
    "confirm": N_("A throw waits to be confirmed"),
    "look": N_("Somebody must look at the photo"),
    "over": N_("The game is over"),
    "closed": N_("The table is closed"),
    "damaged": N_("The table is damaged"),
    "none": N_("Nobody plays"),
}


class HomeTable(Document, frozen=True, kw_only=True):
    """A table as a smart home sees it.

    `status`: a key that stays the same, `shown` the same in words. `player`: whose turn it is. `throw`: the dice that
    were confirmed last; `points`: of the running turn. `photo`: the id of the photo whose throw the button confirms,
    null if there is nothing to confirm; `dice`: what was read in the photo under review.
    """

    table: str
    game: str
    status: TableStatus
    shown: str
    player: str
    players: Sequence[Score]
    scores: str
    throw: str
    points: int | None
    photo: str | None
    dice: Sequence[int]
    version: int


class Topics(NamedTuple):
    """The MQTT topics of one store's tables. `home`: its id, the same after every start. `table`: an id, or LATEST."""

    home: str

    @property
    def status(self) -> str:
        """Whether a server tells of the tables now."""
        return f"rollcall/{self.home}/status"

    def state(self, table: str) -> str:
        return f"rollcall/{self.home}/{table}/state"

    def event(self, table: str) -> str:
        return f"rollcall/{self.home}/{table}/event"

    def confirm(self, table: str) -> str:
        return f"rollcall/{self.home}/{table}/confirm"

    def config(self, table: str) -> str:
        # No further part before the table's: Home Assistant does not take such devices away (tried with 2025.3).
        return f"{DISCOVERY}/device/rollcall_{self.home}_{table}/config"

    def table_of(self, config: str) -> str | None:
        """The table in such a topic; None in one of another device."""
        before, _, after = self.config("*").partition("*")
        found = config.removeprefix(before).removesuffix(after)
        return found if config == self.config(found) else None


def home_table(state: State, language: str) -> HomeTable:
    translate: Translate = translations(language).gettext
    standing, key = state.table.standing(), _status_of(state)
    over = standing["over"]
    scores, photo = scores_of(state.table.game, state.table.state), state.photo
    last = next((move.action["dice"] for move in reversed(state.moves) if move.action["do"] == "throw"), ())
    return HomeTable(
        table=table_id(state.row.key),
        game=translate(scorer.in_language(state.table.game, language).title),
        status=key,
        shown=translate(STATUSES[key]),
        player="" if over else _shorten(", ".join(state.name(player) for player in standing["to_act"])),
        players=scores,
        scores=_shorten(", ".join(f"{each.name} {each.score}" for each in sorted(scores, key=_by_place))),
        throw=" ".join(map(str, last)),
        points=None if over else (standing["turn"] or {}).get("points"),
        photo=photo.details.id if photo is not None and key == "confirm" else None,
        dice=[die.value for die in photo.result.dice] if isinstance(photo, Read) else [],
        version=state.version,
    )


def no_table(language: str) -> HomeTable:
    """What is told of the table that was used last if there is none."""
    translate = translations(language).gettext
    texts: dict[str, str] = dict.fromkeys(("table", "game", "player", "scores", "throw"), "")
    return HomeTable(
        status="none",
        shown=translate(STATUSES["none"]),
        players=(),
        points=None,
        photo=None,
        dice=(),
        version=0,
        **texts,
    )


def event_message(event: TableEvent) -> bytes:
    """An event as Home Assistant takes it: the same as for other programs, with its kind as `event_type`."""
    return msgspec.json.encode({"event_type": event.event, **msgspec.to_builtins(event)})


def discovery_message(
    topics: Topics,
    table: str,
    known: HomeTable,
    language: str,
    page: str | None,
    before: Collection[str] = (),
) -> dict[str, Any]:
    """How Home Assistant shows a table. `page`: the server's address for people. `before`: the components that this
    device had; those that it has no more are taken away."""
    translate: Translate = translations(language).gettext
    latest, home = table == LATEST, f"rollcall_{topics.home}"
    own = home if latest else f"rollcall_{table}"
    names = ", ".join(each.name for each in known.players)
    device = {
        "identifiers": [own],
        "name": "Rollcall" if latest else _shorten(f"{known.game}: {names}", 100),
        "manufacturer": "Rollcall",
        "model": "Rollcall" if latest else known.game,
        "sw_version": VERSION,
        **({} if latest else {"via_device": home}),
        **({} if page is None else {"configuration_url": page}),
    }
    state = topics.state(table)
    components = {
        "player": _sensor(translate(N_("Whose turn")), state, "player", icon="mdi:account"),
        "state": _sensor(
            translate(N_("State")),
            state,
            "shown",
            icon="mdi:dice-multiple",
            device_class="enum",
            options=[translate(text) for text in STATUSES.values()],
            json_attributes_topic=state,
        ),
        "scores": _sensor(translate(N_("Scores")), state, "scores", icon="mdi:scoreboard"),
        "throw": _sensor(translate(N_("Last throw")), state, "throw", icon="mdi:dice-5"),
        "points": _sensor(translate(N_("Points of the turn")), state, "points", state_class="measurement"),
        "event": {
            "platform": "event",
            "name": translate(N_("What happened")),
            "state_topic": topics.event(table),
            "event_types": list(get_args(Kind)),
            "icon": "mdi:bell-outline",
        },
        "confirm": _button(topics, table, translate),
    }
    if not latest:
        for number, player in enumerate(known.players):
            components[f"score_{number}"] = _sensor(
                player.name, state, f"players[{number}].score", state_class="measurement", icon="mdi:counter"
            )
    for name, component in components.items():
        component["unique_id"] = f"{own}_{name}"
        if latest:
            component["default_entity_id"] = f"{component['platform']}.rollcall_{name}"
    gone = {name: {"platform": "sensor"} for name in before if name not in components}
    return {
        "device": device,
        "origin": {"name": "Rollcall", "sw_version": VERSION},
        "availability": [_server_runs(topics)],
        "components": components | gone,
        "qos": 1,
    }


def _sensor(name: str, topic: str, value: str, **more: Any) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": name,
        "state_topic": topic,
        "value_template": f"{{{{ value_json.{value} }}}}",
        **more,
    }


def _button(topics: Topics, table: str, translate: Translate) -> dict[str, Any]:
    """It is there while a throw waits, and names the photo that its presser saw, so that no other one is confirmed."""
    state = topics.state(table)
    return {
        "platform": "button",
        "name": translate(N_("Confirm the throw")),
        "command_topic": topics.confirm(table),
        "command_template": "{{ this.attributes.get('photo') or '' }}",
        "json_attributes_topic": state,
        "json_attributes_template": "{{ {'photo': value_json.photo, 'dice': value_json.dice} | tojson }}",
        "availability_mode": "all",
        "availability": [
            _server_runs(topics),
            {"topic": state, "value_template": f"{{{{ '{ONLINE}' if value_json.photo else '{OFFLINE}' }}}}"},
        ],
        "icon": "mdi:check",
    }


def _server_runs(topics: Topics) -> dict[str, str]:
    return {"topic": topics.status}


def _status_of(state: State) -> TableStatus:
    if state.lost is not None:
        return "damaged"
    if state.access.closed:
        return "closed"
    if state.table.over:
        return "over"
    if state.photo is None:
        return "playing"
    if isinstance(state.photo, Waiting):
        return "reading"
    return "look" if sure_throw(state) is None else "confirm"


def sure_throw(state: State) -> Act | None:
    """The command that confirms the photo under review, if the reader is sure of it and the rules allow the throw.

    The same photo gives the same request: it is confirmed once, however often somebody asks.
    """
    photo = state.photo
    if not isinstance(photo, Read) or photo.problem is not None or not photo.result.sure:
        return None
    taken, dice = photo.details, [die.value for die in photo.result.dice]
    if taken.version != state.version or taken.expects not in (0, len(dice)):
        return None
    act = Act(
        version=state.version,
        request=f"home-{taken.id}",
        action={"do": "throw", "dice": dice},
        keep=taken.keep,
        set_aside=taken.set_aside,
        forced=True,
        evidence=evidence_of(photo),
    )
    try:
        decide(state, act, SERVER)
    except (Problem, scorer.Refusal):
        return None
    return act


def _by_place(score: Score) -> tuple[bool, int]:
    """The best first; who has left has no place and comes last."""
    return score.place is None, score.place or 0


def _shorten(text: str, most: int = MOST_LETTERS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
