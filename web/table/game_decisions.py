"""Decides the actions of the game at a table: actions, undos and corrections."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import scorer
from web.problems.problem import Problem
from web.table import commands, events, proof
from web.table.access_decisions import join_event
from web.table.commands import Asker, Evidence, Given
from web.table.events import Event
from web.table.moves import PlayedGame, actor, companion_request, is_for_all
from web.table.names import check_shown, find_alike, names_given
from web.table.state import Decision, State, name_in
from web.table.stored_table import Entry, Json, outcome

MOST_REPLAYED = 100_000  # steps of all corrections of a game, which each load of its table replays: some 5 s
OF_AN_IMPORT = re.compile(r"import-[0-9]{1,9}")  # what a store calls the lines that came with a record


def act(state: State, command: commands.Act, asker: Asker, given: Given) -> Decision:
    action, evidence = dict(command.action), command.evidence
    before, then = _action_before(command), list(map(dict, command.then))
    if any(_is_stale(state, command.version, each) for each in [action, *then]):
        raise Problem("stale", 409)
    # One reading tells one throw: whatever is logged takes the photo under review away.
    if evidence and (state.photo is None or state.photo.details.id != evidence.reading):
        raise Problem("no-reading", 409)
    own, blobs = int(before is not None), {}
    if state.table.version + own + len(then) >= scorer.MOST_ACTIONS:
        raise Problem("game-too-long", most=scorer.MOST_ACTIONS)
    play = PlayedGame(state.table)
    if before is not None:
        play.do(before)
    for number, each in enumerate([action, *then]):
        try:
            _check_action(play.table, command.plays_for, each)
            play.do(each)
        except (Problem, scorer.IllegalAction) as refusal:
            if then:
                refusal.params["at"] = f"then[{number - 1}]" if number else "action"
            raise
    if command.forced and not own and not then and (only := only_set_aside(play.table)) is not None:
        play.do(only)
    if state.settings.keeps_pictures and action.get("do") == "throw":
        picture = given.picture
        if sum(proof.hash_in(entry.body) is not None for entry in state.entries) >= proof.MOST_OF_TABLE:
            picture = None
        missing = proof.BY_HAND if evidence is None else proof.NOT_KEPT
        play.bodies[own][proof.PICTURE] = missing if picture is None else events.blob_hash(picture)
        blobs = {} if picture is None else {events.blob_hash(picture): picture}
    happened = _log_lines(state, request_of(command), asker, given, play.table, play.bodies, own, evidence)
    return Decision(happened, blobs, play)


def _check_action(table: scorer.Table, plays_for: int | None, action: Json) -> None:
    """Raises `Problem` if this phone may not do an action at this table, or must not write what it says."""
    if not is_for_all(action):
        check_player(table, plays_for, action)
    if action.get("do") == "adjust":
        check_shown(*names_given([action]))
        _check_points(table.game, action)
        _check_twins(table, action)


def undo(state: State, command: commands.Undo, asker: Asker, given: Given) -> Decision:
    state.check_version(command.version)
    count, play = state.steps.together, PlayedGame(state.table)
    for _ in range(count):
        play.undo()
    happened = _log_lines(state, request_of(command), asker, given, play.table, play.bodies, count - 1)
    return Decision(happened, played=play)


def correct(state: State, command: commands.Correct, asker: Asker, given: Given) -> list[Event]:
    step, action, said = command.step, dict(command.action), command.said
    state.check_version(command.version)
    check_step(step, state.table.version)
    check_shown(*names_given([action]))
    steps = [step, *(entry.body["correct"] for entry in state.entries if "correct" in entry.body)]
    if sum(max(0, state.table.version - each) for each in steps) > MOST_REPLAYED:
        raise Problem("too-many-corrections")
    edits = [] if said is None else [each.to_json() for each in propose(state.table, step, action, said).settled]
    if state.table.version + sum(len(each["actions"]) - each["drop"] for each in edits) > scorer.MOST_ACTIONS:
        raise Problem("game-too-long", most=scorer.MOST_ACTIONS)
    table = state.table.copy()
    table.correct(step, action, drop_tail=command.drop_tail, settled=edits)
    done = table.actions[step - 1]  # without what the phone added to it
    body = {"correct": step, "action": done, "drop_tail": command.drop_tail}
    bodies = [{**body, "settled": edits} if edits else body]
    if command.forced and step == table.version and (only := only_set_aside(table)) is not None:
        table.do(only)
        bodies.append({"do": table.steps[-1].action})
    return _log_lines(state, request_of(command), asker, given, table, bodies)


def _log_lines(
    state: State,
    request: str,
    asker: Asker,
    given: Given,
    table: scorer.Table,
    bodies: Sequence[Json],
    own: int = 0,
    evidence: Evidence | None = None,
) -> list[Event]:
    """The events of one request's log lines. Line number `own` (from 0) gets the request's id. `table`: the game after
    these lines."""
    lines = [
        Entry(seq, request if place == own else companion_request(request), body, asker.name, given.at)
        for place, (seq, body) in enumerate(enumerate(bodies, len(state.entries) + 1))
    ]
    over = table.over
    results, digest = outcome(table) if over else (None, None)
    happened: list[Event] = [events.Logged(lines, results, digest, own, over and table.ended_early)]
    if state.photo is not None:
        happened.append(events.PhotoRemoved(state.photo.details.id, evidence))
    known = state.access.phones.get(asker.phone or "")
    if known is not None and known.name != asker.name:  # the owner's list has the name that the others see
        happened.append(join_event(state, asker.phone or "", replace(known, name=asker.name)))
    return happened


def request_of(command: commands.Change) -> str:
    # No phone can send the dot: a request that is called like an import's line is not taken for one.
    return f".{command.request}" if OF_AN_IMPORT.fullmatch(command.request) else command.request


def _action_before(command: commands.Act) -> Json | None:
    if command.keep is not None:
        return {"do": "keep", "dice": command.keep}
    return None if command.set_aside is None else {"do": "set-aside", "dice": command.set_aside}


def only_set_aside(table: scorer.Table) -> Json | None:
    if table.steps[-1].action["do"] != "throw" or table.version >= scorer.MOST_ACTIONS:
        return None
    legal = list(table.legal)
    return legal[0] if len(legal) == 1 and legal[0]["do"] == "set-aside" else None


def _is_stale(state: State, version: int, action: Json) -> bool:
    """Whether a line that the phone has not seen concerns this action."""
    if version == state.version:
        return False
    since = state.entries[version:]
    concerns = state.table.game.concerns
    return not since or any("do" not in entry.body or concerns(action, entry.body["do"]) for entry in since)


def _check_twins(table: scorer.Table, action: Json) -> None:
    """Raises `Problem` if people would take the new name for another one at the table."""
    name = action.get("name")
    if not is_for_all(action) or not isinstance(name, str):
        return
    others = [each for number, each in enumerate(table.players) if number != action.get("player") and each != name]
    for other in others:
        if twins := find_alike([other, name.strip()]):
            raise Problem("names-alike", 422, name=twins[0], other=twins[1])


def propose(table: scorer.Table, step: int, action: Json, said: Sequence[int | None]) -> scorer.Correction:
    """The corrected game, as `scorer.Table.proposed`. Raises `Problem` too if a person wrote points out of bounds."""
    if action != table.steps[step - 1].action:
        _check_points(table.game, action)
    proposed = table.proposed(step, action, said)
    for points, place in zip(said, proposed.settled, strict=False):
        for each in place.actions if points is not None else []:
            _check_points(table.game, each)
    return proposed


def _check_points(game: scorer.Game[Any], action: Json) -> None:
    """Raises `Problem` if a person settles more or fewer points than the game may give."""
    points, what = action.get("points"), action.get("what")
    if action.get("do") != "adjust" or type(points) is not int or not isinstance(what, str):
        return  # the rules refuse other values
    low, high = game.points_by_hand(what)
    if not low <= points <= high:
        raise Problem("points-out-of-bounds", points=points, low=low, high=high)


def check_player(table: scorer.Table, plays_for: int | None, action: Json) -> None:
    """Raises `Problem` if this phone is bound to another player than the one who makes the action, if it is one's."""
    if plays_for is not None and actor(table.game, table.state, action) not in (None, plays_for):
        raise Problem("other-players-turn", 403, name=name_in(table.players, plays_for))


def check_step(step: int, steps: int) -> None:
    if not 1 <= step <= steps:
        raise Problem("no-such-step", 404, number=step)
