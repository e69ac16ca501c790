"""A game's file while somebody writes it: checked and played again whenever it is saved; throws may be typed."""

import queue
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorer.game import Game, score_throw
from scorer.refusals import Refusal
from scorer.sentences import event_in_words, in_terminal, with_worth
from scorer.table import Table

LOOKS_S = 0.3
MOST_STEPS = 24  # of the short game
ENOUGH = 300  # points of a turn that whoever plays banks; fewer with few dice left

Entry = Mapping[str, Any]
Check = Callable[[], Game[Any] | None]


def watch(path: Path, check: Check) -> None:
    """Calls `check` whenever the file was saved, until standard input ends or Ctrl+C: it prints what it finds, and
    returns the game if the file is fine. Between, throws may be typed.
    """
    lines = _typed_lines()
    saved, game, open_input = _state_of(path), check(), True
    _play(game)
    while open_input:
        try:
            line = lines.get(timeout=LOOKS_S)
        except queue.Empty:
            now = _state_of(path)
            if now != saved and now is not None:  # an editor that saves may take the file away for a moment
                saved, game = now, check()
                _play(game)
            continue
        open_input = line is not None
        if line and line.strip() and game is not None:
            print(*worth_in_words(game, line), sep="\n", flush=True)


def _state_of(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _typed_lines() -> "queue.Queue[str | None]":
    """The lines of standard input as they come, and None at its end."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _play(game: Game[Any] | None) -> None:
    if game is None:
        return
    print("A short game:", *short_game(game), sep="\n  ")
    if "throw" in game.actions:
        example = " ".join(str(1 + number % 6) for number in range(game.dice))
        print(f"Type a throw, such as {example}, to see what it brings. Ctrl+C ends.")
    sys.stdout.flush()


def worth_in_words(game: Game[Any], line: str) -> Sequence[str]:
    """What a typed throw brings as the first of a turn, one line each; or why it is none."""
    said = line.replace(",", " ").split()
    if not all(each.isascii() and each.isdigit() and len(each) < 3 for each in said):
        return ["  a throw is the values of the dice, such as 1 5 5"]
    try:
        document = score_throw(game, [int(each) for each in said])
    except Refusal as refusal:
        return [f"  {refusal}"]
    happened = [event_in_words(event) for event in document["events"]]
    ready = [each for each in document["legal"] if "from" not in each]
    shown = [each for each in ready if each.get("points", 1)] or ready  # of a sheet the cells that take something
    choices = [with_worth(in_terminal(game.choice(each)), each) for each in shown]
    return [f"  {each}" for each in (*happened, *choices)] or ["  nothing: the dice are thrown again"]


# --- a short game -----------------------------------------------------------------------------------------------------


def short_game(game: Game[Any]) -> Iterator[str]:
    """A line for each of the first steps of a game, the same for the same rules, and then where it stands."""
    dice = random.Random(1)
    table = Table(game, ["Ada", "Bob"][: game.most_players])
    while not table.over and len(table.actions) < MOST_STEPS:
        standing = table.standing()
        action = _choice(standing, game.dice, dice)
        player = action.get("player", standing["to_act"][0])
        table.do(action)
        step = table.steps[-1]
        happened = "".join(f"; {event_in_words(event)}" for event in step.events)
        yield f"{standing['players'][player]['name']} {in_terminal(game.step(step.action))}{happened}"
    players = table.standing()["players"]
    scores = ", ".join(f"{each['name']} {each['score']}" for each in players)
    yield f"{'The end' if table.over else 'So far'}: {scores}"


def _choice(standing: Mapping[str, Any], whole: int, dice: random.Random) -> dict[str, Any]:
    """An action as a plain player takes it: most points, bank early, keep what shows most often. `whole`: all dice."""
    entries: list[Entry] = list(standing["legal"])
    by_kind = {entry["do"]: entry for entry in entries}
    turn = standing.get("turn") or {}
    if "bank" in by_kind and (
        turn.get("points", 0) >= ENOUGH or turn.get("dice_left", whole) < min(3, whole) or len(entries) == 1
    ):
        return dict(by_kind["bank"])
    if "keep" in by_kind:
        shown = by_kind["keep"]["from"]
        most: int = max(Counter(shown).items(), key=lambda each: (each[1], each[0]))[0]
        kept = [die for die in shown if die == most]
        if len(kept) < len(shown):
            return {"do": "keep", "dice": kept}
    entry = max(entries, key=lambda each: (each["do"] in ("set-aside", "score"), each.get("points", 0)))
    if "low" in entry:
        return {**entry, "points": dice.randint(max(0, entry["low"]), min(20, entry["high"]))}
    if "count" in entry:
        return {**entry, "dice": [dice.randint(1, 6) for _ in range(entry["count"])]}
    return dict(entry)
