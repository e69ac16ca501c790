"""Decides what the watching camera sees and proposes, and what of that is done. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

import scorer
from web.problems.problem import Problem
from web.table import commands, events, game_decisions, showing, umpire
from web.table.commands import Asker, Given
from web.table.events import Event, WatchChanged
from web.table.evidence import evidence_of_proposal, split_steps
from web.table.moves import LONGEST_REQUEST
from web.table.photo_state import WATCH, Read, ReadingResult
from web.table.state import Decision, State, evolve
from web.table.stored_table import Json
from web.table.watching import Look, Proposal, TableWatch


def watch(state: State, command: commands.WatchTable, asker: Asker, given: Given) -> list[Event]:
    known, wanted = state.watched, command.watching
    if known is None or known.id != wanted.id:
        return _show(state, wanted)
    runs = known.countdown if known.countdown == wanted.countdown else None
    how = replace(known, stand=wanted.stand, by_itself=wanted.by_itself, region=wanted.region, countdown=runs)
    return _show(state, how)


def stop(state: State, command: commands.StopWatching, asker: Asker, given: Given) -> list[Event]:
    return _show(state, None) if state.watched and command.watching in (None, state.watched.id) else []


def hold(state: State, command: commands.HoldProposal, asker: Asker, given: Given) -> list[Event]:
    watched = _check_watched(state)
    return _show(state, replace(watched, held=command.id, countdown=None)) if watched.proposal.id == command.id else []


def choose(state: State, command: commands.ChooseWay, asker: Asker, given: Given) -> Decision:
    watched = _check_watched(state)
    ways = watched.proposal.ways
    if watched.proposal.id != command.id or command.way >= len(ways):
        raise Problem("stale", 409)
    decision, after = _do_way(state, ways[command.way], command, asker, given, command.way)
    change = WatchChanged(replace(watched, done=after.version, countdown=None))
    return decision._replace(events=[*decision.events, change])


def look_again(state: State, command: commands.LookAgain, asker: Asker, given: Given) -> list[Event]:
    """Forgets everything seen, whatever was proposed."""
    watched, photo = _check_watched(state), state.photo
    gone = [events.PhotoRemoved(photo.details.id)] if photo is not None and photo.details.source == WATCH else []
    conclusion = umpire.look_again(state.table)
    return [*gone, WatchChanged(replace(_propose(state, watched, conclusion), looks=watched.looks + 1))]


def observe(state: State, command: commands.Observe, asker: Asker, given: Given) -> Decision:
    watched = _looked_at(state, command.look)
    return Decision() if watched is None else _conclude(state, watched, command, asker, given)


def follow(state: State, command: commands.FollowTable, asker: Asker, given: Given) -> Decision:
    """Notices what phones changed, motion that changed nothing, and a hand."""
    watched = _looked_at(state, command.look)
    if watched is None:
        return Decision()
    proposal, before = watched.proposal, watched.before_motion
    changed = state.version != proposal.version >= 0
    if not changed and command.rests and before is not None and before.version in (-1, state.version):
        shown = replace(watched, proposal=replace(before, version=proposal.version), before_motion=None)
        return Decision([WatchChanged(_count_down(shown))])
    if changed or (command.rests and (before is not None or proposal.state == "looking")):
        seen = commands.Observe(command.look, umpire.TableChanged())
        return _conclude(state, watched, seen, asker, given)
    hand = command.hand and proposal.state == "moving"
    return Decision(_show(state, replace(watched, proposal=replace(proposal, hand=hand))))


def tell_trouble(state: State, command: commands.TellTrouble, asker: Asker, given: Given) -> list[Event]:
    watched = state.watched
    if watched is None or watched.id != command.watching or watched.proposal.problem == command.problem:
        return []
    trouble = replace(watched.proposal, state="trouble", problem=command.problem, hand=False)
    # Shown again once there are pictures and nothing has changed.
    before = watched.before_motion or watched.proposal
    return _show(state, replace(watched, proposal=trouble, before_motion=before, countdown=None))


def _check_watched(state: State) -> TableWatch:
    if state.watched is None:
        raise Problem("not-watched", 409)
    return state.watched


def _looked_at(state: State, look: Look) -> TableWatch | None:
    return state.watched if state.watched is not None and state.watched.look == look else None


def _show(state: State, watched: TableWatch | None) -> list[Event]:
    return [] if watched == state.watched else [WatchChanged(watched)]


def _conclude(state: State, watched: TableWatch, seen: commands.Observe, asker: Asker, given: Given) -> Decision:
    """What the umpire concludes from an observation, and what the hands confirmed by going on."""
    waiting = umpire.update_memory(state.table, watched.memory).waiting
    conclusion, decision = umpire.conclude(state.table, watched.memory, seen.observation), Decision()
    if conclusion.state == "throw" and waiting:
        state.check_whole()
        went_on = commands.Change(version=state.version, request=f"watch-{watched.id}-{watched.number}")
        decision, state = _do_way(state, waiting, went_on, asker, given)
        watched = replace(watched, done=state.version)
        conclusion = umpire.conclude(state.table, watched.memory, seen.observation)
    watched = _propose(state, watched, conclusion)
    if isinstance(seen.observation, umpire.DiceAtRest):
        watched = replace(watched, dice=seen.observation.dice)
    elif isinstance(seen.observation, umpire.Cleared):
        watched = replace(watched, dice=())
    read = _photo_of_throw(state, conclusion, watched.dice, seen.picture)
    review = [] if read is None else [events.PhotoUnderReview(read)]
    return decision._replace(events=[*decision.events, *review, WatchChanged(watched)])


def _propose(state: State, watched: TableWatch, conclusion: umpire.Conclusion) -> TableWatch:
    before, motion = watched.proposal, watched.before_motion or watched.proposal
    if before.stands and before.version == state.version and conclusion.state in ("moving", "blind", "resting"):
        # A throw waits for its person while hands pass over it.
        found = replace(before, state=conclusion.state, reason=conclusion.reason, hand=False, problem=None)
    else:
        name = f"{watched.id}-{watched.number}"
        found = Proposal(name, state.version, conclusion.state, conclusion.reason, conclusion)
    kept = motion if conclusion.state in ("moving", "blind") else None
    return _count_down(replace(watched, memory=conclusion.memory, proposal=found, before_motion=kept))


def _count_down(watched: TableWatch) -> TableWatch:
    """A new proposal. If it is sure and the table wants it so, its countdown begins."""
    proposal, number = watched.proposal, watched.number + 1
    sure = proposal.stands and proposal.conclusion is not None and proposal.conclusion.sure
    runs = watched.by_itself and sure and proposal.state in ("throw", "resting") and proposal.id != watched.held
    return replace(watched, number=number, countdown=number if runs else None)


def _do_way(
    state: State,
    way: Sequence[umpire.Action],
    change: commands.Change,
    asker: Asker,
    given: Given,
    chosen: int | None = None,
) -> tuple[Decision, State]:
    """Does all actions of a way in order, each throw together with the set-aside or keep before it; with the state
    then. `chosen`: the number of the way, if a person or the countdown chose it: then its photo is evidence."""
    happened: list[Event] = []
    blobs: dict[str, bytes] = {}
    decision, version, request, steps = Decision(), change.version, change.request, split_steps(way)
    for number, (before, action) in enumerate(steps, 1):
        more: Json = {} if before is None else {before["do"].replace("-", "_"): before["dice"]}
        if chosen is not None and number == len(steps) and action["do"] == "throw":
            more["evidence"] = evidence_of_proposal(state.photo, chosen)
        picture = given.picture if more.get("evidence") is not None else None
        act = commands.Act(version=version, request=request, plays_for=change.plays_for, action=action, **more)
        decision = game_decisions.act(state, act, asker, replace(given, picture=picture))
        happened += decision.events
        blobs |= decision.blobs
        state = evolve(state, decision.events, decision.played)
        version, request = state.version, f"{change.request}-{number}"[-LONGEST_REQUEST:]
    return Decision(happened, blobs, decision.played if len(steps) == 1 else None), state


def _photo_of_throw(
    state: State,
    conclusion: umpire.Conclusion,
    dice: Sequence[umpire.RestingDie],
    picture: Read | None,
) -> Read | None:
    """A watched throw as a photo under review, so that a person can correct its dice.

    None if the actions are more than one throw and the keep or set-aside before it, or if no throw may come now.
    """
    if picture is None or conclusion.state != "throw":
        return None
    *before, _ = conclusion.actions or ({},)
    if len(before) > 1 or any(each["do"] not in ("set-aside", "keep") for each in before):
        return None
    aside = dict(before[0]) if before else None
    try:
        expects, beside = showing.next_throw(state, before=aside)
    except (Problem, scorer.IllegalAction):
        return None
    if showing.count_is_chosen(state.table.legal):
        expects = len(conclusion.thrown)
    logged_with = {} if aside is None else {aside["do"].replace("-", "_"): aside["dice"]}
    taken = structs.replace(picture.details, version=state.version, expects=expects, beside=beside, **logged_with)
    lie_aside = {die.box for die in conclusion.aside}
    thrown, beside_it = (
        [found for die, found in zip(dice, picture.result.dice, strict=True) if (die.box in lie_aside) is lies]
        for lies in (False, True)
    )
    found = ReadingResult(thrown, beside_it, sure=conclusion.sure, trace=picture.result.trace)
    return structs.replace(picture, details=taken, result=found)
