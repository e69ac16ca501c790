"""The steps of a game, for the history: who made each, by which phone, when, and what followed.

The log has the phone, the rules have the player.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

import scorer
from scorer.game import Step
from web.table.stored_table import Entry, Json, TableRow, apply
from web.table.view import ChangedStep, Move, Score

# The prefix of the request of a companion line: a keep with its throw, a throw's only set-aside, and their undo.
COMPANION_PREFIX = "with-"
LONGEST_REQUEST = 64  # letters
# Adjustments that every phone may make in any turn: everybody at the table sees them.
FOR_ALL = ("player-renamed", "player-added", "player-removed", "turn-skipped", "order", "game", "note")


class Steps(NamedTuple):
    """`moves`: one for each action of the record. `changed`: the steps that undos and corrections changed, as they
    were, by the number of the changing line."""

    moves: tuple[Move, ...]
    changed: Mapping[int, ChangedStep]


def replay_log(row: TableRow, entries: Sequence[Entry]) -> tuple[scorer.Table, Steps]:
    """The game after all lines of a log, and its steps."""
    if not any("correct" in entry.body for entry in entries):
        played = PlayedGame(scorer.Table(scorer.game(row.game, **row.options), row.players))
        for entry in entries:
            played.apply(entry.body)
        return played.table, played.steps((), Steps((), {}), entries)
    lines: list[tuple[Entry, str | None]] = []  # of each step, and the phone that corrected it
    requests: dict[int, tuple[str, ...]] = {}  # of a step's line and of its corrections, by the line's number
    changed: dict[int, ChangedStep] = {}
    table = scorer.Table(scorer.game(row.game, **row.options), row.players)
    for entry in entries:
        if "do" in entry.body:
            apply(table, entry.body)
            lines.append((entry, None))
        elif "undo" in entry.body:
            action = table.steps[-1].action
            apply(table, entry.body)
            lines.pop()
            changed[entry.seq] = ChangedStep(player=actor(table.game, table.state, action), action=action)
        else:
            index = entry.body["correct"]
            action = table.steps[index - 1].action
            apply(table, entry.body)
            settled = entry.body.get("settled", [])
            for edit in reversed(settled):
                # An adjustment is a step of whoever corrected, when he did.
                lines[edit["at"] - 1 : edit["at"] - 1 + edit["drop"]] = [(entry, None)] * len(edit["actions"])
            dropped = sum(edit["drop"] for edit in settled if not edit["actions"]) + len(lines) - table.version
            came = sum(len(edit["actions"]) for edit in settled) if settled else UNSET
            changed[entry.seq] = ChangedStep(action=action, dropped=dropped, settled=came)
            corrected = lines[index - 1][0]
            lines[index - 1] = (corrected, entry.device)
            requests[corrected.seq] = (*requests.get(corrected.seq, (corrected.request,)), entry.request)
            del lines[table.version :]
    moves: list[Move] = []
    before_it: tuple[str, ...] = ()  # the requests of the step before
    for step, (entry, corrected_by) in zip(table.steps, lines, strict=True):
        move = _move(table.game, entry, step, before_it)
        moves.append(move if corrected_by is None else replace(move, corrected_by=corrected_by))
        before_it = requests.get(entry.seq, (entry.request,))
    return table, Steps(tuple(moves), changed)


class PlayedGame:
    """Plays a game on from a state, which it leaves alone, and remembers what steps are made of.

    `table`: the game now; `bodies`: of the log's lines, one for each action and undo.
    """

    def __init__(self, table: scorer.Table) -> None:
        self.table = table.copy()
        self.bodies: list[Json] = []
        self._steps: list[Step | None] = []  # one for each body; None for an undo

    def do(self, action: Json) -> None:
        """Does an action. Its body has no more of it than the rules know."""
        self.table.do(action)
        step = self.table.steps[-1]
        self._steps.append(step)
        self.bodies.append({"do": step.action})

    def undo(self) -> None:
        self.table.undo()
        self._steps.append(None)
        self.bodies.append({"undo": True})

    def apply(self, body: Json) -> None:
        """Does again what the body of a line says, which is no correction."""
        apply(self.table, body)
        self._steps.append(self.table.steps[-1] if "do" in body else None)
        self.bodies.append(body)

    def steps(self, entries: Sequence[Entry], steps: Steps, lines: Sequence[Entry]) -> Steps:
        """The steps with those of `lines`, which have these bodies and come after `entries`."""
        moves, changed = list(steps.moves), dict(steps.changed)
        request = entries[-1].request if entries else ""  # of the line before
        for line, step in zip(lines, self._steps, strict=True):
            if step is None:
                gone = moves.pop()
                changed[line.seq] = ChangedStep(player=gone.player, action=gone.action)
            else:
                moves.append(_move(self.table.game, line, step, [request]))
            request = line.request
        return Steps(tuple(moves), changed)


def companion_request(request: str) -> str:
    """The request of the companion line of this request."""
    return (COMPANION_PREFIX + request)[:LONGEST_REQUEST]


def last_step(moves: Sequence[Move], entries: Sequence[Entry]) -> int:
    """How many actions an undo takes back: two if one request made both, as a keep with its throw."""
    if len(moves) < 2:
        return 1
    before, last = entries[moves[-2].seq - 1].request, entries[moves[-1].seq - 1].request
    if not (before.startswith(COMPANION_PREFIX) or last.startswith(COMPANION_PREFIX)):
        return 1
    return 2 if before == companion_request(last) or last == companion_request(before) else 1


def actor(game: scorer.Game[Any], state: Any, action: Json) -> int | None:
    """The player who makes this action in this state of the game."""
    named = action.get("player")
    if isinstance(named, int):
        return named
    return None if is_for_all(action) else game.player_in_turn(state)


def scores_of(table: scorer.Table) -> list[Score]:
    """The scores and places of all players."""
    scores = table.scores
    ranked = zip(table.players, scores, table.game.places(table.state, scores), strict=True)
    return [Score(name=name, score=score, place=place) for name, score, place in ranked]


def is_for_all(action: Json) -> bool:
    return action.get("do") == "adjust" and action.get("what") in FOR_ALL


def _move(game: scorer.Game[Any], entry: Entry, step: Step, requests: Iterable[str]) -> Move:
    """The step of a line as phones see it. `requests`: of the step before."""
    with_throw = step.action["do"] == "set-aside" and entry.request in map(companion_request, requests)
    return Move(
        player=actor(game, step.before, step.action),
        action=step.action,
        device=entry.device,
        at=entry.at,
        seq=entry.seq,
        events=step.events,
        gained=game.turn(step.after)["points"] - game.turn(step.before)["points"] if with_throw else UNSET,
    )
