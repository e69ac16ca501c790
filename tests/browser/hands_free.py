"""Whole games played by hands before the server's camera: what is thrown and left lying as a script for a film, and the
person who taps only what the hands did not say."""

import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import scorer
from tests.browser.conftest import PATIENCE_MS
from tests.browser.playing import state

REST_S = 1.3  # of the film, after dice have come to rest, that is shown before the table must have told it
BEFORE_MOVING_S = 0.1
PATIENCE_S = PATIENCE_MS / 1000

Action = dict[str, Any]
Throw = tuple[list[int], list[int]]  # the values thrown, and those of all dice on the table that then stay


def game_by_hands(key: str, players: tuple[str, ...], seed: int, **options: Any) -> tuple[list[Action], list[Throw]]:
    """The actions of a game to its end, and the throws that show it."""
    chance = random.Random(seed)
    table = scorer.Table(scorer.game(key, **options), players)
    script: list[Throw] = []
    aside: list[int] = []  # what lies beside the throw
    while not table.over:
        legal = list(table.legal)
        count = next(entry["count"] for entry in legal if entry["do"] == "throw")
        thrown = [chance.randint(1, 6) for _ in range(count)]
        table.do({"do": "throw", "dice": thrown})
        aside = _set_dice_aside(table, aside) if "ones" in key else _keep_or_write(table, chance)
        script.append((thrown, aside))
    return list(table.record()["actions"]), script


def _set_dice_aside(table: scorer.Table, aside: list[int]) -> list[int]:
    """All that scores is set aside, and banked as soon as that is allowed; what lies there then."""
    choices = [entry for entry in table.legal if entry["do"] == "set-aside"]
    if not choices:
        return []
    best = max(choices, key=lambda entry: entry["points"])
    table.do({"do": "set-aside", "dice": best["dice"]})
    if any(entry["do"] == "bank" for entry in table.legal):
        table.do({"do": "bank"})
        return []
    return [] if best["dice_left"] == table.game.dice else sorted([*aside, *best["dice"]])


def _keep_or_write(table: scorer.Table, chance: random.Random) -> list[int]:
    """What there is most of is kept, or after some throws, the third at last, written where it brings most; what lies
    there then."""
    keep = next((entry for entry in table.legal if entry["do"] == "keep"), None)
    if keep is not None and chance.random() < 0.5:
        value, many = max(Counter(keep["from"]).items(), key=lambda pair: (pair[1], pair[0]))
        if many < len(keep["from"]):
            table.do({"do": "keep", "dice": [value] * many})
            return [value] * many
    cells = [entry for entry in table.legal if entry["do"] == "score"]
    best = max(cells, key=lambda entry: entry["points"] + entry["bonus"])
    table.do({name: best[name] for name in ("do", "category")})
    return []


@dataclass
class Table:
    """A watched table in the browser. `taps`: what a person did, each with why."""

    page: Any
    film: Path
    actions: list[Action]
    done: int = 0  # of the actions
    taps: list[str] = field(default_factory=list)

    def tap(self, why: str, selector: str) -> None:
        self.taps.append(why)
        self.page.locator(selector).first.click()

    def watch(self) -> None:
        """Watching is switched on, and what is certain is to be confirmed by itself."""
        self.page.locator('[data-act="watch-start"]').click()
        self.page.locator('[data-act="watch-by-itself"]').click()
        self.wait_until(lambda watched: watched["by_itself"], "confirming by itself is off")
        self.page.locator('#panel [data-act="close"]').click()

    def play(self, events: list[dict[str, Any]]) -> None:
        """Shows the film, one event after the other, and does what the hands did not."""
        for number, event in enumerate(events):
            if event["event"] == "moving":
                continue
            moving = next((each["at"] for each in events[number + 1 :] if each["event"] == "moving"), float("inf"))
            self.show(min(event["at"] + REST_S, moving - BEFORE_MOVING_S))
            if event["event"] == "cleared":
                self._handle_clearing()
            elif len(event["stayed"]) < len(event["values"]) and not event.get("pushed"):
                self._handle_throw()
            else:
                self.wait_until(
                    lambda watched: watched["state"] in ("put", "resting"), "dice that were put aside are not seen"
                )

    def show(self, until: float) -> None:
        note = Path(f"{self.film}.until")
        part = note.with_suffix(".part")
        part.write_text(str(until))
        part.replace(note)

    def _handle_throw(self) -> None:
        """A throw lies there: it counts by itself, or a person says what it is; then whatever is written."""
        before = self.done
        while self.actions[self.done]["do"] != "throw":
            self.done += 1
        self.done += 1
        self.wait_until(
            lambda watched: self._has(self.done) or watched.get("question") or watched.get("refused"),
            "the throw is not told",
        )
        if not self._has(self.done):
            self._choose(self.actions[before : self.done], "asked")
        while self.done < len(self.actions) and self.actions[self.done]["do"] == "score":
            self._write(self.actions[self.done])

    def _handle_clearing(self) -> None:
        """All dice are lifted: banked, where that was played; else nothing."""
        coming = self.actions[self.done : self.done + 2]
        if [action["do"] for action in coming] != ["set-aside", "bank"]:
            self.wait_until(lambda watched: watched["state"] in ("clear", "over"), "cleared dice are not seen")
            return
        self.wait_until(lambda watched: watched["state"] == "clear" and watched.get("ways"), "banking is not asked")
        self.done += 2
        self._choose(coming, "banked")

    def _choose(self, actions: list[Action], why: str) -> None:
        ways = self.watched_state()["ways"]
        number = next((i for i, way in enumerate(ways) if _alike(way, actions)), None)
        assert number is not None, f"{actions} is not offered: {self.watched_state()}"
        self.tap(why, f'[data-act="watch-choose"][data-arg="{number}"]')
        self.wait_until(lambda _: self._has(self.done), "what was chosen is not done")

    def _write(self, action: Action) -> None:
        entry = next(each for each in self.standing()["legal"] if each.get("category") == action["category"])
        cell = self.page.locator('[data-act="cell"]')
        shown = [json.loads(each) for each in cell.evaluate_all("all => all.map(one => one.dataset.arg)")]
        place = next(i for i, each in enumerate(shown) if each["category"] == entry["category"])
        self.taps.append("cell")
        cell.nth(place).click()
        self.done += 1
        self.tap("written", '[data-act="act"]')
        self.wait_until(lambda _: self._has(self.done), "the cell is not written")

    def _has(self, count: int) -> bool:
        """Whether the table has so many actions, and that its version says no more."""
        return bool(self.standing()["version"] >= count)

    def watched_state(self) -> dict[str, Any]:
        return dict(state(self.page)["watched"] or {})

    def standing(self) -> dict[str, Any]:
        return dict(state(self.page)["standing"])

    def wait_until(self, holds: Any, what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds(self.watched_state()):
            assert time.monotonic() < end, f"{what}; {self.done} of {self.actions}; {self.watched_state()}"
            time.sleep(0.1)


def _alike(way: list[Action], actions: list[Action]) -> bool:
    def plain(action: Action) -> tuple[Any, ...]:
        return action["do"], sorted(action.get("dice", ()))

    return [plain(action) for action in way] == [plain(action) for action in actions]
