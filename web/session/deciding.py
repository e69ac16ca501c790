"""Decides what a command does to a table. Pure: a refused command changes nothing."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import UNSET, structs

import scorer
from web.problems import Problem
from web.session import commands, events, proof
from web.session.access_list import (
    LONGEST_NAME,
    MOST_PHONES,
    MOST_PROGRAMS,
    PROGRAM,
    AccessList,
    ConnectedProgram,
    Deletion,
    KnownPhone,
    Webhook,
    deleted_problem,
    tag,
)
from web.session.commands import NOTHING_GIVEN, OTHERS, Asker, Command, Evidence, Given
from web.session.events import Event, TableStarted
from web.session.happenings import last_number
from web.session.moves import LONGEST_REQUEST, Play, actor, companion_request, is_for_all, last_step
from web.session.names import check_shown, find_alike, program_name
from web.session.photo_state import Read, Waiting
from web.session.proposed import evidence_of_proposal, split_steps
from web.session.replay import Json, results
from web.session.state import State, evolve
from web.session.stored_table import LONGEST_DICE_SET, MOST_SAMPLES, Entry

OF_AN_IMPORT = re.compile(r"import-[0-9]{1,9}")  # what a store calls the lines that came with a record


class SentBefore(Exception):  # noqa: N818 - nothing is wrong
    """A phone sent the same photo again."""


class Decision(NamedTuple):
    """What happens. `blobs`: the pictures and samples that the events name, by their hashes. `played`: the game after
    the lines of the events, for `evolve`. `starts`: the table that begins at the same moment."""

    events: Sequence[Event] = ()
    blobs: Mapping[str, bytes] = MappingProxyType({})
    played: Play | None = None
    starts: TableStarted | None = None


def decide(state: State, command: Command, asker: Asker, given: Given = NOTHING_GIVEN) -> Decision:
    """What a command does; nothing if it was done before or changes nothing. Here alone is decided who may.

    Raises `Problem`, such as "stale" when the phone's state is not the present one, and `scorer.Refusal`.
    """
    rule = _RULES[type(command)]
    rule.check(state.access, asker)
    if isinstance(command, commands.Change):
        if state.knows(_request(command)):
            return Decision()
        check_whole(state)
    if not rule.at_closed:
        state.access.check_open()
    found = rule.happens(state, command, asker, given)
    return found if isinstance(found, Decision) else Decision(found)


def unfounded_samples(state: State) -> list[Event]:
    """Drops the samples of throws that were undone or corrected: their confirmed values were wrong."""
    stand = {move.seq for move in state.moves if move.corrected_by is UNSET}
    gone = frozenset(seq for seq in state.samples if seq > 0 and seq not in stand)
    return [events.SamplesDropped(gone)] if gone else []


def digest(table: scorer.Table) -> str | None:
    """A hash of a finished game's record: game, house rules, players and actions. None while the game runs."""
    if not table.over:
        return None
    record = json.dumps(table.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(record.encode()).hexdigest()


def names_given(actions: Iterable[Json]) -> list[str]:
    """The names that players get by these actions. The rules refuse names that are no text."""
    names = (action.get("name") for action in actions if action.get("do") == "adjust")
    return [name.strip() for name in names if isinstance(name, str) and name.strip()]


# --- the game -----------------------------------------------------------------------------------------------------


def _act(state: State, command: commands.Act, asker: Asker, given: Given) -> Decision:
    action = dict(command.action)
    if _is_stale(state, command.version, action):
        raise Problem("stale", 409)
    player = actor(state.table.moment(), action)
    if command.plays_for not in (None, player) and not is_for_all(action):
        raise Problem("other-players-turn", 403, name=state.name(command.plays_for or 0))
    check_shown(*names_given([action]))
    _check_points(state.table.game, action)
    _check_twins(state.table, action)
    evidence = command.evidence
    # One reading tells one throw: whatever is logged takes the photo under review away.
    if evidence and (state.photo is None or state.photo.details.id != evidence.reading):
        raise Problem("no-reading", 409)
    before = _action_before(command)
    if state.table.version + (before is not None) >= scorer.MOST_ACTIONS:
        raise Problem("game-too-long", most=scorer.MOST_ACTIONS)
    play = Play(state.table)
    for each in ([] if before is None else [before]) + [action]:
        play.do(each)
    if command.forced and before is None and (only := only_set_aside(play.table)) is not None:
        play.do(only)
    own, blobs = int(before is not None), {}
    if state.chosen.keeps_pictures and action.get("do") == "throw":
        picture = given.picture
        if sum(proof.hash_in(entry.body) is not None for entry in state.entries) >= proof.MOST_OF_TABLE:
            picture = None
        missing = proof.BY_HAND if evidence is None else proof.NOT_KEPT
        play.bodies[own][proof.PICTURE] = missing if picture is None else events.blob_hash(picture)
        blobs = {} if picture is None else {events.blob_hash(picture): picture}
    happened = _log_lines(state, _request(command), asker, given, play.table, play.bodies, own, evidence)
    happened += [events.PictureKept(state.version + own + 1, each) for each in blobs]
    return Decision(happened, blobs, play)


def _undo(state: State, command: commands.Undo, asker: Asker, given: Given) -> Decision:
    check_version(state, command.version)
    count, play = last_step(state.moves, state.entries), Play(state.table)
    for _ in range(count):
        play.undo()
    happened = _log_lines(state, _request(command), asker, given, play.table, play.bodies, count - 1)
    return Decision(happened, played=play)


def _correct(state: State, command: commands.Correct, asker: Asker, given: Given) -> list[Event]:
    step, action, said = command.step, dict(command.action), command.said
    check_version(state, command.version)
    check_step(step, state.table.version)
    check_shown(*names_given([action]))
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
        bodies.append({"do": table.actions[-1]})
    return _log_lines(state, _request(command), asker, given, table, bodies)


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
    requests = [request if number == own else companion_request(request) for number in range(len(bodies))]
    numbered = enumerate(zip(requests, bodies, strict=True), start=state.version + 1)
    lines = [Entry(seq, name, body, asker.name, given.at) for seq, (name, body) in numbered]
    happened: list[Event] = [events.Logged(lines, results(table), digest(table), own)]
    if state.photo is not None:
        happened.append(events.PhotoRemoved(state.photo.details.id, evidence))
    known = state.access.phones.get(asker.phone or "")
    if known is not None and known.name != asker.name:  # the owner's list has the name that the others see
        happened.append(_joined(state, asker.phone or "", replace(known, name=asker.name)))
    return happened


def _request(command: commands.Change) -> str:
    # No phone can send the dot: a request that is called like an import's line is not taken for one.
    return f".{command.request}" if OF_AN_IMPORT.fullmatch(command.request) else command.request


def _action_before(command: commands.Act) -> Json | None:
    """The keep or set-aside that comes before the throw of this command."""
    if command.keep is not None:
        return {"do": "keep", "dice": command.keep}
    return None if command.set_aside is None else {"do": "set-aside", "dice": command.set_aside}


def only_set_aside(table: scorer.Table) -> Json | None:
    """The set-aside after a throw, if it is the only legal action."""
    if table.actions[-1]["do"] != "throw" or table.version >= scorer.MOST_ACTIONS:
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
    if action != table.actions[step - 1]:
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


def check_whole(state: State) -> None:
    """Raises `Problem` if a damaged store lost lines of this table."""
    if state.lost is not None:
        raise Problem("table-damaged", 409)


def check_version(state: State, version: int | None) -> None:
    """Raises `Problem` if `version` is not the table's present one."""
    if version is not None and version != state.version:
        raise Problem("stale", 409)


def check_step(step: int, steps: int) -> None:
    if not 1 <= step <= steps:
        raise Problem("no-such-step", 404, number=step)


# --- what a table has besides its game ----------------------------------------------------------------------------


def _change_setting(state: State, command: Any, asker: Asker, given: Given) -> list[Event]:
    """Changes one of `events.SETTINGS`."""
    name, event = events.SETTINGS[type(command)]
    (value,) = structs.astuple(command)
    return [] if getattr(state.chosen, name) == value else [event(value, asker.name)]


def _name_dice(state: State, command: commands.NameDice, asker: Asker, given: Given) -> list[Event]:
    name = " ".join(command.name.split())
    if len(name) > LONGEST_DICE_SET:
        raise Problem("dice-set-long", 422, most=LONGEST_DICE_SET)
    if name:
        check_shown(name)
    return [] if state.chosen.dice_set == name else [events.DiceNamed(name)]


def _forget_dice(state: State, command: commands.ForgetDice, asker: Asker, given: Given) -> list[Event]:
    return [events.DiceForgotten(asker.name)] if state.samples else []


def _add_sample(state: State, command: commands.AddSample, asker: Asker, given: Given) -> Decision:
    name = events.blob_hash(command.body)
    dropped = sorted({*state.samples, command.seq}, reverse=True)[MOST_SAMPLES:]
    return Decision([events.SampleAdded(command.seq, name, frozenset(dropped))], {name: command.body})


def _show_watch_view(state: State, command: commands.ShowWatchView, asker: Asker, given: Given) -> list[Event]:
    if (state.access.closed or state.access.deletion) and command.watched is not None:
        return []  # the camera does not know yet
    return [events.WatchChanged(command.watched)]


def _hold_proposal(state: State, command: commands.HoldProposal, asker: Asker, given: Given) -> list[Event]:
    watched = state.watched
    if watched is None or watched.id != command.id or watched.runs_s is None:
        return []
    return [events.WatchChanged(structs.replace(watched, runs_s=None))]


def _choose_way(state: State, command: commands.ChooseWay, asker: Asker, given: Given) -> Decision:
    """Does all actions of the way in order, each throw together with the set-aside or keep before it."""
    watched = state.watched
    ways = watched.ways if watched is not None and watched.id == command.id else UNSET
    if ways is UNSET or command.way >= len(ways):
        raise Problem("stale", 409)
    happened: list[Event] = []
    blobs: dict[str, bytes] = {}
    decision, version, request = Decision(), command.version, command.request
    steps = split_steps(ways[command.way])
    for number, (before, action) in enumerate(steps, 1):
        more: Json = {} if before is None else {before["do"].replace("-", "_"): before["dice"]}
        if number == len(steps) and action["do"] == "throw":
            more["evidence"] = evidence_of_proposal(state.photo, command.way)
        picture = given.picture if more.get("evidence") is not None else None
        act = commands.Act(version=version, request=request, plays_for=command.plays_for, action=action, **more)
        decision = _act(state, act, asker, replace(given, picture=picture))
        happened += decision.events
        blobs |= decision.blobs
        state = evolve(state, decision.events, decision.played)
        version, request = state.version, f"{command.request}-{number}"[-LONGEST_REQUEST:]
    return Decision(happened, blobs, decision.played if len(steps) == 1 else None)


# --- who may come -------------------------------------------------------------------------------------------------


def is_new(state: State, asker: Asker) -> bool:
    """Whether a table with an owner does not yet list this phone by this name."""
    known = state.access.phones.get(asker.phone or "")
    return bool(state.access.owner and asker.phone) and (known is None or known.name != asker.name or known.out)


def _arrive(state: State, command: commands.Arrive, asker: Asker, given: Given) -> list[Event]:
    if not command.invited:
        state.access.check(asker.phone)
    if not is_new(state, asker):
        return []
    device = asker.phone or ""
    known = state.access.phones.get(device)
    return [_joined(state, device, KnownPhone(asker.name, given.at if known is None else known.at))]


def _joined(state: State, device: str, phone: KnownPhone) -> Event:
    """A phone in the list. If more than MOST_PHONES are not removed, the one that came first makes room."""
    access = state.access
    there = {each: known.at for each, known in access.phones.items() if not known.out and each != access.owner}
    there.pop(device, None)
    full = len(there) >= MOST_PHONES and device != access.owner
    forgotten = min(there, key=lambda each: there[each]) if full else None
    return events.PhoneJoined(device, replace(phone, name=phone.name[:LONGEST_NAME]), forgotten)


def _remove_phone(state: State, command: commands.RemovePhone, asker: Asker, given: Given) -> list[Event]:
    access, key = state.access, state.row.key
    others = {each: phone for each, phone in access.phones.items() if each != access.owner}
    meant = {each: phone for each, phone in others.items() if command.phone in (OTHERS, tag(key, each))}
    if not meant and command.phone != OTHERS:
        raise Problem("no-such-phone", 404)
    phones = {each: replace(phone, out=command.out) for each, phone in meant.items()}
    return [events.AccessChanged(phones, access.guarded or command.out, given.code if command.out else None)]


def _connect_program(state: State, command: commands.ConnectProgram, asker: Asker, given: Given) -> list[Event]:
    access = state.access
    name = program_name(command.name)[:LONGEST_NAME]
    if len(access.programs) >= MOST_PROGRAMS:
        raise Problem("programs-full", 409, most=MOST_PROGRAMS)
    return [events.ProgramConnected(command.hash, ConnectedProgram(name, command.may, given.at))]


def _remove_program(state: State, command: commands.RemoveProgram, asker: Asker, given: Given) -> list[Event]:
    access, key = state.access, state.row.key
    meant = [each for each in access.programs if tag(key, each) == command.program]
    if not meant:
        raise Problem("no-such-program", 404)
    return [events.ProgramRemoved(each) for each in meant]


def _add_webhook(state: State, command: commands.AddWebhook, asker: Asker, given: Given) -> list[Event]:
    maker = asker.token or ((asker.phone or "").removeprefix(PROGRAM) if _is_program(asker) else "")
    webhook = Webhook(program_name(command.name), command.address, command.secret, maker, given.at)
    return [events.WebhookConnected(command.id, webhook, last_number(state.version), command.origin, command.receiver)]


def _disconnect_webhook(state: State, command: commands.DisconnectWebhook, asker: Asker, given: Given) -> list[Event]:
    if asker.token or _is_program(asker):
        state.access.check_open()
    return [events.WebhookDisconnected(command.webhook)] if command.webhook in state.webhooks else []


def _give_up_webhook(state: State, command: commands.GiveUpWebhook, asker: Asker, given: Given) -> list[Event]:
    is_told = command.webhook in state.webhooks and not state.webhooks[command.webhook].given_up
    return [events.WebhookGivenUp(command.webhook, command.failure)] if is_told else []


def _retry_webhook(state: State, command: commands.RetryWebhook, asker: Asker, given: Given) -> list[Event]:
    known = state.webhooks.get(command.webhook)
    return [events.WebhookRetried(command.webhook)] if known is not None and known.given_up else []


def _close(state: State, command: commands.CloseTable, asker: Asker, given: Given) -> list[Event]:
    happened: list[Event] = []
    if command.closed != state.access.closed:
        happened.append(events.TableClosed(command.closed))
    return happened + (_end_watching_and_review(state) if command.closed else [])


def _end_watching_and_review(state: State) -> list[Event]:
    happened: list[Event] = [] if state.watched is None else [events.WatchChanged(None)]
    return happened + ([] if state.photo is None else [events.PhotoRemoved(state.photo.details.id)])


def _delete(state: State, command: commands.DeleteTable, asker: Asker, given: Given) -> list[Event]:
    access = state.access
    if access.deletion is not None:
        if access.deletion.device != asker.phone:
            raise deleted_problem()
        return [] if command.deleted else [events.TableRestored()]
    access.check(asker.phone)
    if not access.may_delete(asker.phone):
        raise Problem("owner-only", 403)
    if not command.deleted:
        return []
    deletion = Deletion(asker.phone or "", given.at, state.version)
    return [events.TableDeleted(deletion), *_end_watching_and_review(state)]


def _erase(state: State, command: commands.EraseTable, asker: Asker, given: Given) -> list[Event]:
    if state.access.deletion != command.deletion:
        return []
    # An older Rollcall that shares the store plays on at a deleted table.
    return [events.TableErased() if state.version == command.deletion.lines else events.TableRestored()]


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
    ended = {"results": results(state.table), "digest": digest(state.table)}
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
        chosen=state.chosen,
        follows=row.key,
        samples={seq - last: events.blob_hash(body) for seq, body in sorted(given.samples.items())},
        **more,
    )
    return Decision([events.NextTableSet(given.key)], blobs, starts=started)


def _pass_erased(state: State, command: commands.PassErased, asker: Asker, given: Given) -> list[Event]:
    return [events.NextTableSet(command.next_key)] if state.row.next_key == command.erased else []


# --- the photo under review ---------------------------------------------------------------------------------------


def _show_photo(state: State, command: commands.ShowPhoto, asker: Asker, given: Given) -> list[Event]:
    taken, known = command.photo.details, state.photo
    if taken.version != state.version:
        raise Problem("stale", 409)
    if known is not None and taken.request and known.details.request == taken.request and known.details.id != taken.id:
        raise SentBefore
    # A person may be looking at it: another phone's photo takes its place only if somebody chose so.
    if isinstance(known, Waiting | Read) and command.replaces not in (None, known.details.id):
        raise Problem("photo-waits", 409)
    return [events.PhotoUnderReview(command.photo)]


def _change_photo(state: State, command: commands.ChangePhoto, asker: Asker, given: Given) -> list[Event]:
    present = state.photo is not None and state.photo.details.id == command.replaces
    return [events.PhotoUnderReview(command.photo)] if present or command.replaces is None else []


def _discard(state: State, command: commands.Discard, asker: Asker, given: Given) -> list[Event]:
    if state.photo is None or state.photo.details.id != command.reading:
        return []
    player = command.plays_for
    if player is not None and actor(state.table.moment(), {"do": "throw"}) != player:
        raise Problem("other-players-turn", 403, name=state.name(player))
    return [events.PhotoRemoved(state.photo.details.id)]


def _move_photo(state: State, command: commands.MovePhoto, asker: Asker, given: Given) -> list[Event]:
    photo = state.photo
    if not isinstance(photo, Waiting) or photo.place == command.place:
        return []
    return [events.PhotoMoved(command.place)]


def _is_program(asker: Asker) -> bool:
    return (asker.phone or "").startswith(PROGRAM)


def _anybody(access: AccessList, asker: Asker) -> None:
    """For commands that decide it themselves."""


def _server(access: AccessList, asker: Asker) -> None:
    if asker.phone is not None:
        raise Problem("owner-only", 403)


def _acts(access: AccessList, asker: Asker) -> None:
    access.check_acts(asker.phone)


def _host(access: AccessList, asker: Asker) -> None:
    access.check_host(asker.phone)


def _owner(access: AccessList, asker: Asker) -> None:
    access.check_owner(asker.phone)


def _host_or_program(access: AccessList, asker: Asker) -> None:
    """Who has programs told: also a program by its own token, and one of the machine's owner; and the server."""
    if asker.phone is None or asker.token or _is_program(asker):
        access.check_acts(asker.phone)
    else:
        access.check_host(asker.phone)


class _Rule(NamedTuple):
    """What a command does. `check`: who may; `at_closed`: also at a closed or deleted table."""

    happens: Callable[[State, Any, Asker, Given], Decision | list[Event]]
    check: Callable[[AccessList, Asker], None] = _acts
    at_closed: bool = False


_RULES: Mapping[type, _Rule] = {
    commands.Act: _Rule(_act),
    commands.Undo: _Rule(_undo),
    commands.Correct: _Rule(_correct),
    **dict.fromkeys(events.SETTINGS, _Rule(_change_setting)),
    commands.NameDice: _Rule(_name_dice),
    commands.ForgetDice: _Rule(_forget_dice),
    commands.AddSample: _Rule(_add_sample, _server, at_closed=True),
    commands.HoldProposal: _Rule(_hold_proposal),
    commands.ChooseWay: _Rule(_choose_way),
    commands.ShowWatchView: _Rule(_show_watch_view, at_closed=True),
    commands.Arrive: _Rule(_arrive, _anybody, at_closed=True),
    commands.RemovePhone: _Rule(_remove_phone, _owner, at_closed=True),
    commands.ConnectProgram: _Rule(_connect_program, _host),
    commands.RemoveProgram: _Rule(_remove_program, _host, at_closed=True),
    commands.AddWebhook: _Rule(_add_webhook, _host_or_program),
    commands.DisconnectWebhook: _Rule(_disconnect_webhook, _host_or_program, at_closed=True),
    commands.RetryWebhook: _Rule(_retry_webhook, _host_or_program, at_closed=True),
    commands.GiveUpWebhook: _Rule(_give_up_webhook, _server, at_closed=True),
    commands.CloseTable: _Rule(_close, _owner, at_closed=True),
    commands.DeleteTable: _Rule(_delete, _anybody, at_closed=True),
    commands.EraseTable: _Rule(_erase, _server, at_closed=True),
    commands.StartNext: _Rule(_start_next),
    commands.ContinueDamaged: _Rule(_continue_damaged),
    commands.PassErased: _Rule(_pass_erased, _server, at_closed=True),
    commands.ShowPhoto: _Rule(_show_photo),
    commands.ChangePhoto: _Rule(_change_photo, _server, at_closed=True),
    commands.Discard: _Rule(_discard, at_closed=True),
    commands.MovePhoto: _Rule(_move_photo, _server, at_closed=True),
}
