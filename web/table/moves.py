"""The steps of a game, for the history: who made each, by which phone, when, and what followed.

The log has the phone, the rules have the player.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

import scorer
from scorer.game import Step
from scorer.games import is_known
from web.problems.problem import Problem
from web.table.stored_table import Entry, Json, TableRow, apply
from web.table.view import ChangedStep, Move, Score

logger = logging.getLogger(__name__)

# The prefix of the request of a companion line: a keep with its throw, what follows the throw, and their undo.
COMPANION_PREFIX = "with-"
LONGEST_REQUEST = 64  # letters
MOST_OF_A_REQUEST = 6  # actions: before the throw, itself, and `commands.MOST_THEN`
# Adjustments that every phone may make in any turn: everybody at the table sees them.
FOR_ALL = ("player-renamed", "player-added", "player-removed", "turn-skipped", "order", "game", "note")


NOTHING: Mapping[Any, Any] = MappingProxyType({})


class LineOutcome(Struct, frozen=True):
    """What a line of the log did when it was written: later corrections do not change it.

    `before`, `after`: the states of the game around it; `move`: the step that it made, None for an undo or a
    correction; `best`: the most points that a turn of the game had brought before it, None before any had ended.
    """

    before: Any
    after: Any
    move: Move | None = None
    best: float | None = None


class Steps(Struct, frozen=True):
    """The steps of a game after some lines of its log.

    `moves`: one for each action of the record. `changed`: the steps that undos and corrections changed, as they
    were, by the number of the changing line. `outcomes`: of each line. `bests`: the most points that a turn had brought
    after each of the moves; None: none had ended. `requests`: of a corrected step's line and of its corrections, by
    the line's number. `together`: how many of the last moves came with one request, as a keep with its throw; an undo
    takes them back together.
    """

    moves: tuple[Move, ...] = ()
    changed: Mapping[int, ChangedStep] = NOTHING
    outcomes: tuple[LineOutcome, ...] = ()
    bests: tuple[float | None, ...] = ()
    requests: Mapping[int, tuple[str, ...]] = NOTHING
    together: int = 1


NO_STEPS = Steps()
Turn: TypeAlias = tuple[int | None, int, int]
ENDS_A_TURN = ("score", "bank", "pass")  # actions
Pace: TypeAlias = Callable[[], None]  # called before each line of a log that is replayed; raises to give up


def no_limit() -> None:
    """The `Pace` of who replays a log to its end."""


def game_of(row: TableRow) -> scorer.Game[Any]:
    """The rules of a table. Raises `Problem` for the game of a package that is no longer installed."""
    if "file" not in row.options and not is_known(row.game):
        raise Problem("game-not-installed", 503, game=row.game)
    return scorer.game(row.game, **row.options)


def replay_log(row: TableRow, entries: Sequence[Entry], pace: Pace = no_limit) -> tuple[scorer.Table, Steps]:
    """The game after the lines of a log, and its steps: up to the first line that is illegal, `len(Steps.outcomes)`."""
    table = scorer.Table(game_of(row), row.players)
    log = StepLog(entries, NO_STEPS)
    for number, entry in enumerate(entries):
        pace()
        try:
            log.play(table, entry)
        except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
            logger.warning("line %d of the log of table %d does not follow: %s", entry.seq, row.id, error)
            return replay_log(row, entries[:number], pace)  # half of this line may be done
    return table, log.steps()


class StepLog:
    """Notes the steps of a game line by line. `entries`: of the whole log; `steps`: those before the first line."""

    def __init__(self, entries: Sequence[Entry], steps: Steps) -> None:
        self._entries = entries
        self._moves, self._outcomes, self._bests = [*steps.moves], [*steps.outcomes], [*steps.bests]
        self._changed, self._requests = {**steps.changed}, {**steps.requests}

    def steps(self) -> Steps:
        lists = tuple(self._moves), self._changed, tuple(self._outcomes), tuple(self._bests)
        return Steps(*lists, self._requests, _count_together(self._moves, self._entries))

    def play(self, table: scorer.Table, entry: Entry) -> None:
        """Does what the next line says."""
        before = table.state
        if "do" in entry.body:
            apply(table, entry.body)
            self.note_step(table.game, entry, table.steps[-1])
        elif "undo" in entry.body:
            apply(table, entry.body)
            self.note_undo(entry, before, table.state)
        else:
            self._correct(table, entry)

    def note_step(
        self, game: scorer.Game[Any], entry: Entry, step: Step, corrected_by: str | UnsetType = UNSET
    ) -> None:
        """Notes the step of the next line. `corrected_by`: the phone that corrected it later."""
        last = self._moves[-1].seq if self._moves else 0
        requests: tuple[str, ...] = (self._entries[last - 1].request,) if last else ()
        if last in self._requests:
            requests = self._requests[last]
        move = _move(game, entry, step, requests)
        if corrected_by is not UNSET:
            move = replace(move, corrected_by=corrected_by)
        before = best = self._bests[-1] if self._bests else None
        for event in step.events:
            if event["event"] == "turn":
                best = event["points"] if best is None or event["points"] > best else best
        self._moves.append(move)
        self._bests.append(best)
        self._outcomes.append(LineOutcome(step.before, step.after, move, before))

    def note_undo(self, entry: Entry, before: Any, after: Any) -> None:
        gone = self._moves.pop()
        self._bests.pop()
        self._changed[entry.seq] = ChangedStep(player=gone.player, action=gone.action)
        self._outcomes.append(LineOutcome(before, after))

    def _correct(self, table: scorer.Table, entry: Entry) -> None:
        steps, before, index = table.steps, table.state, entry.body["correct"]
        action = steps[index - 1].action
        apply(table, entry.body)
        settled = entry.body.get("settled", [])
        lines = [(move.seq, move.corrected_by) for move in self._moves]
        for edit in reversed(settled):
            # An adjustment is a step of whoever corrected, when he did.
            lines[edit["at"] - 1 : edit["at"] - 1 + edit["drop"]] = [(entry.seq, UNSET)] * len(edit["actions"])
        dropped = sum(edit["drop"] for edit in settled if not edit["actions"]) + len(lines) - table.version
        came = sum(len(edit["actions"]) for edit in settled) if settled else UNSET
        self._changed[entry.seq] = ChangedStep(action=action, dropped=dropped, settled=came)
        corrected = lines[index - 1][0]
        lines[index - 1] = corrected, entry.device
        requests = self._requests.get(corrected) or (self._entries[corrected - 1].request,)
        self._requests[corrected] = (*requests, entry.request)
        outcomes = [*self._outcomes, LineOutcome(before, table.state)]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(steps, table.steps, strict=False)))
        del self._moves[same:], self._bests[same:]
        for step, (seq, by) in zip(table.steps[same:], lines[same : table.version], strict=True):
            self.note_step(table.game, self._entries[seq - 1], step, by)
        self._outcomes = outcomes


class PlayedGame:
    """Plays a game on from a state, which it leaves alone, and remembers what steps are made of.

    `table`: the game now; `bodies`: of the log's lines, one for each action and undo.
    """

    def __init__(self, table: scorer.Table) -> None:
        self.table = table.copy()
        self.bodies: list[Json] = []
        self._done: list[tuple[Step | None, Any, Any]] = []  # for each body its step, None for an undo; the states

    def do(self, action: Json) -> None:
        """Does an action. Its body has no more of it than the rules know."""
        self.table.do(action)
        step = self.table.steps[-1]
        self._done.append((step, step.before, step.after))
        self.bodies.append({"do": step.action})

    def undo(self) -> None:
        before = self.table.state
        self.table.undo()
        self._done.append((None, before, self.table.state))
        self.bodies.append({"undo": True})

    def note(self, log: StepLog, lines: Sequence[Entry]) -> None:
        for line, (step, before, after) in zip(lines, self._done, strict=True):
            if step is None:
                log.note_undo(line, before, after)
            else:
                log.note_step(self.table.game, line, step)


def turns_of(moves: Sequence[Move], in_rounds: bool, same_throw: bool) -> list[Turn]:
    """In which turn each step is: whose it is, its number among his, and how many throws it has had. If all write the
    `same_throw`, or play `in_rounds`, turns are nobody's."""
    counts: dict[int | None, int] = {}
    whose, turn, throws, ended = None, 0, 0, True
    found: list[Turn] = []
    for move in moves:
        action = move.action
        verb, player = action["do"], None if in_rounds or same_throw else move.player
        if verb != "adjust" and (ended or player != whose or (same_throw and verb == "throw")):
            turn = counts[player] = counts.get(player, 0) + 1
            whose, throws, ended = player, 0, False
        throws += verb == "throw"
        if in_rounds:
            ended = ended and verb == "adjust"
        elif verb in ENDS_A_TURN or (verb == "adjust" and action.get("what") == "turn"):
            ended = True
        for event in move.events:
            if event["event"] in ("turn", "round"):
                ended = True
        if same_throw:
            ended = False
        found.append((whose, turn, throws))
    return found


def companion_request(request: str) -> str:
    return (COMPANION_PREFIX + request)[:LONGEST_REQUEST]


def _count_together(moves: Sequence[Move], entries: Sequence[Entry]) -> int:
    requests = [entries[move.seq - 1].request for move in moves[-MOST_OF_A_REQUEST:]]
    count = 1
    while count < len(requests) and _is_companion(requests[-count - 1], requests[-count]):
        count += 1
    return count


def _is_companion(one: str, other: str) -> bool:
    """Whether neighbouring lines of the log came from one request."""
    if not (one.startswith(COMPANION_PREFIX) or other.startswith(COMPANION_PREFIX)):
        return False
    return one == other or one == companion_request(other) or other == companion_request(one)


def actor(game: scorer.Game[Any], state: Any, action: Json) -> int | None:
    named = action.get("player")
    if isinstance(named, int):
        return named
    return None if is_for_all(action) else game.player_in_turn(state)


def scores_of(game: scorer.Game[Any], state: Any) -> list[Score]:
    scores = list(game.scores(state))
    ranked = zip(state.seats.names, scores, game.places(state, scores), strict=True)
    return [Score(name=name, score=score, place=place) for name, score, place in ranked]


def is_for_all(action: Json) -> bool:
    return action.get("do") == "adjust" and action.get("what") in FOR_ALL


def _move(game: scorer.Game[Any], entry: Entry, step: Step, requests: Iterable[str]) -> Move:
    """The step of a line as phones see it. `requests`: of the step before."""
    with_throw = step.action["do"] == "set-aside" and entry.request in map(companion_request, requests)
    forced = with_throw and len(game.legal(step.before)) == 1
    return Move(
        player=actor(game, step.before, step.action),
        action=step.action,
        device=entry.device,
        at=entry.at,
        seq=entry.seq,
        events=step.events,
        gained=game.turn(step.after)["points"] - game.turn(step.before)["points"] if forced else UNSET,
    )
