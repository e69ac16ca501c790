"""Decides what a command does to a table. Pure: a refused command changes nothing."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET, structs

from web.problems.problem import Problem
from web.table import access_decisions, commands, events, game_decisions, watch_decisions
from web.table.access_list import AccessList
from web.table.commands import NOTHING_GIVEN, Asker, Command, Given
from web.table.events import Event, TableStarted
from web.table.game_decisions import check_player, request_of
from web.table.names import dice_set_name
from web.table.photo_state import Read, Waiting
from web.table.state import Decision, State
from web.table.stored_table import MOST_SAMPLES, outcome


class SentBefore(Exception):  # noqa: N818 - nothing is wrong
    """A phone sent the same photo again."""


def decide(state: State, command: Command, asker: Asker, given: Given = NOTHING_GIVEN) -> Decision:
    """What a command does; nothing if it was done before or changes nothing. Here alone is decided who may.

    Raises `Problem`, such as "stale" when the phone's state is not the present one, and `scorer.Refusal`.
    """
    rule, asker = _RULES[type(command)], asker.with_name(state.access)
    if rule.check is not None:
        rule.check(state.access, asker.phone)
    if isinstance(command, commands.Change):
        if state.knows(request_of(command)):
            return Decision()
        state.check_whole()
    if not rule.at_closed:
        state.access.check_open()
    found = rule.happens(state, command, asker, given)
    return found if isinstance(found, Decision) else Decision(found)


def unfounded_samples(state: State) -> list[Event]:
    """Drops the samples of throws that were undone or corrected: their confirmed values were wrong."""
    if not state.samples:
        return []
    stand = {move.seq for move in state.moves if move.corrected_by is UNSET}
    gone = frozenset(seq for seq in state.samples if seq > 0 and seq not in stand)
    return [events.SamplesDropped(gone)] if gone else []


# --- what a table has besides its game ----------------------------------------------------------------------------


def _change_settings(state: State, command: Any, asker: Asker, given: Given) -> list[Event]:
    wanted = {name: value for name, value in structs.asdict(command).items() if value is not UNSET}
    if "dice_set" in wanted:
        wanted["dice_set"] = dice_set_name(wanted["dice_set"])
    changes = {name: value for name, value in wanted.items() if getattr(state.settings, name) != value}
    return [events.SettingsChanged(changes, asker.name)] if changes else []


def _forget_dice(state: State, command: commands.ForgetDice, asker: Asker, given: Given) -> list[Event]:
    return [events.DiceForgotten(asker.name)] if state.samples else []


def _add_sample(state: State, command: commands.AddSample, asker: Asker, given: Given) -> Decision:
    name = events.blob_hash(command.body)
    dropped = sorted({*state.samples, command.seq}, reverse=True)[MOST_SAMPLES:]
    return Decision([events.SampleAdded(command.seq, name, frozenset(dropped))], {name: command.body})


# --- the next table -----------------------------------------------------------------------------------------------


def _start_next(state: State, command: commands.StartNext, asker: Asker, given: Given) -> Decision:
    if state.row.next_key is None and not state.table.over:
        raise Problem("game-not-over" if state.lost is None else "table-damaged", 409)
    order = state.table.standing()["order"]
    if command.begins not in order:
        raise Problem("bad-request", 400, detail="begins must be a player's number")
    if state.row.next_key is not None:
        return Decision()
    first = order.index(command.begins)
    players = [state.table.players[number] for number in order[first:] + order[:first]]
    return _go_on(state, given, players=players, created_at=given.at)


def _continue_damaged(state: State, command: commands.ContinueDamaged, asker: Asker, given: Given) -> Decision:
    if state.lost is None:
        raise Problem("bad-request", 400, detail="this table is not damaged")
    if state.row.next_key is not None:
        return Decision()
    results, digest = outcome(state.table)
    ended = {"results": results, "digest": digest, "early": state.table.ended_early}
    log = {"lines": list(state.entries), **ended}
    return _go_on(state, given, players=list(state.row.players), created_at=state.row.created_at, **log)


def _go_on(state: State, given: Given, **more: Any) -> Decision:
    """The players go on to another table, with the same rules. The samples of the dice go along in their order, and are
    numbered before those of the new table's own throws."""
    row, last = state.row, max(given.samples, default=0)
    blobs = {events.blob_hash(body): body for body in given.samples.values()}
    started = TableStarted(
        key=given.key,
        code=given.code,
        at=given.at,
        game=row.game,
        options=row.options,
        keep_corrections=row.keep_corrections,
        owner=state.access.owner,
        settings=state.settings,
        follows=row.key,
        samples={seq - last: events.blob_hash(body) for seq, body in sorted(given.samples.items())},
        **more,
    )
    return Decision([events.NextTableSet(given.key)], blobs, starts=started)


# --- a club's night ---------------------------------------------------------------------------------------------------


def _change_night(state: State, command: commands.ChangeNight, asker: Asker, given: Given) -> list[Event]:
    if command.after not in (None, len(state.changes)):
        raise Problem("stale", 409)
    return [events.NightChanged(each) for each in command.changes]


# --- the photo under review ---------------------------------------------------------------------------------------


def _show_photo(state: State, command: commands.ShowPhoto, asker: Asker, given: Given) -> list[Event]:
    taken, known = command.photo.details, state.photo
    state.check_version(taken.version)
    if known is not None and taken.request and known.details.request == taken.request and known.details.id != taken.id:
        raise SentBefore
    # A person may be looking at it: another phone's photo takes its place only if somebody chose so.
    if isinstance(known, Waiting | Read) and command.replaces not in (None, known.details.id):
        raise Problem("photo-waits", 409)
    return [events.PhotoUnderReview(command.photo)]


def _change_photo(state: State, command: commands.ChangePhoto, asker: Asker, given: Given) -> list[Event]:
    present = None if state.photo is None else state.photo.details.id
    if command.replaces not in (None, present):
        return []
    same = command.photo.details.id == present
    return [events.PhotoRead(command.photo) if same else events.PhotoUnderReview(command.photo)]


def _discard(state: State, command: commands.Discard, asker: Asker, given: Given) -> list[Event]:
    if state.photo is None or state.photo.details.id != command.reading:
        return []
    check_player(state.table, command.plays_for, {"do": "throw"})
    return [events.PhotoRemoved(state.photo.details.id)]


def _move_photo(state: State, command: commands.MovePhoto, asker: Asker, given: Given) -> list[Event]:
    photo = state.photo
    if not isinstance(photo, Waiting) or photo.place == command.place:
        return []
    return [events.PhotoMoved(command.place)]


def _server(access: AccessList, device: str | None) -> None:
    if device is not None:
        raise Problem("owner-only", 403)


class _Rule(NamedTuple):
    """What a command does. `check`: who may, None: that is decided with it; `at_closed`: also at a closed or deleted
    table."""

    happens: Callable[[State, Any, Asker, Given], Decision | list[Event]]
    check: Callable[[AccessList, str | None], None] | None = AccessList.check_acts
    at_closed: bool = False


_RULES: Mapping[type, _Rule] = {
    commands.Act: _Rule(game_decisions.act),
    commands.Undo: _Rule(game_decisions.undo),
    commands.Correct: _Rule(game_decisions.correct),
    commands.ChangeSettings: _Rule(_change_settings),
    commands.ForgetDice: _Rule(_forget_dice),
    commands.AddSample: _Rule(_add_sample, _server, at_closed=True),
    commands.HoldProposal: _Rule(watch_decisions.hold),
    commands.ChooseWay: _Rule(watch_decisions.choose),
    commands.LookAgain: _Rule(watch_decisions.look_again),
    commands.WatchTable: _Rule(watch_decisions.watch),
    commands.StopWatching: _Rule(watch_decisions.stop),
    # The camera does not know yet that the table was closed, and is no longer watched.
    commands.Observe: _Rule(watch_decisions.observe, _server, at_closed=True),
    commands.FollowTable: _Rule(watch_decisions.follow, _server, at_closed=True),
    commands.TellTrouble: _Rule(watch_decisions.tell_trouble, _server, at_closed=True),
    commands.Arrive: _Rule(access_decisions.arrive, None, at_closed=True),
    commands.RemovePhone: _Rule(access_decisions.remove_phone, AccessList.check_owner, at_closed=True),
    commands.ConnectProgram: _Rule(access_decisions.connect_program, AccessList.check_host),
    commands.RemoveProgram: _Rule(access_decisions.remove_program, AccessList.check_host, at_closed=True),
    commands.AddWebhook: _Rule(access_decisions.add_webhook, None, at_closed=True),
    commands.DisconnectWebhook: _Rule(access_decisions.disconnect_webhook, None, at_closed=True),
    commands.CloseTable: _Rule(access_decisions.close, AccessList.check_owner, at_closed=True),
    commands.DeleteTable: _Rule(access_decisions.delete, None, at_closed=True),
    commands.EraseTable: _Rule(access_decisions.erase, _server, at_closed=True),
    commands.ChangeNight: _Rule(_change_night, _server, at_closed=True),  # a night is closed for all but `web.clubs`
    commands.StartNext: _Rule(_start_next),
    commands.ContinueDamaged: _Rule(_continue_damaged),
    commands.ShowPhoto: _Rule(_show_photo),
    commands.ChangePhoto: _Rule(_change_photo, _server, at_closed=True),
    commands.Discard: _Rule(_discard, at_closed=True),
    commands.MovePhoto: _Rule(_move_photo, _server, at_closed=True),
}
