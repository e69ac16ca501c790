"""Decides who comes to a table, and what becomes of it: phones, programs, webhooks, closing, deleting and erasing."""

from dataclasses import replace

from web.problems.problem import Problem
from web.table import commands, events
from web.table.access_list import (
    LONGEST_NAME,
    MOST_PHONES,
    MOST_PROGRAMS,
    MOST_WEBHOOKS,
    PROGRAM,
    ConnectedProgram,
    ConnectedWebhook,
    Deletion,
    KnownPhone,
    deleted_problem,
    tag,
)
from web.table.commands import OTHERS, Asker, Given
from web.table.events import Event
from web.table.names import program_name
from web.table.state import State


def is_program(asker: Asker) -> bool:
    return (asker.phone or "").startswith(PROGRAM)


def is_new(state: State, asker: Asker) -> bool:
    """Whether a table with an owner does not yet list this phone by this name."""
    known = state.access.phones.get(asker.phone or "")
    return bool(state.access.owner and asker.phone) and (known is None or known.name != asker.name or known.out)


def arrive(state: State, command: commands.Arrive, asker: Asker, given: Given) -> list[Event]:
    if not command.invited:
        state.access.check(asker.phone)
    if not is_new(state, asker):
        return []
    device = asker.phone or ""
    known = state.access.phones.get(device)
    return [join_event(state, device, KnownPhone(asker.name, given.at if known is None else known.at))]


def join_event(state: State, device: str, phone: KnownPhone) -> Event:
    """A phone in the list. If more than MOST_PHONES are not removed, the one that came first makes room."""
    access = state.access
    there = {each: known.at for each, known in access.phones.items() if not known.out and each != access.owner}
    there.pop(device, None)
    full = len(there) >= MOST_PHONES and device != access.owner
    forgotten = min(there, key=lambda each: there[each]) if full else None
    return events.PhoneJoined(device, replace(phone, name=phone.name[:LONGEST_NAME]), forgotten)


def remove_phone(state: State, command: commands.RemovePhone, asker: Asker, given: Given) -> list[Event]:
    access, key = state.access, state.row.key
    others = {each: phone for each, phone in access.phones.items() if each != access.owner}
    meant = {each: phone for each, phone in others.items() if command.phone in (OTHERS, tag(key, each))}
    if not meant and command.phone != OTHERS:
        raise Problem("no-such-phone", 404)
    phones = {each: replace(phone, out=command.out) for each, phone in meant.items()}
    return [events.AccessChanged(phones, access.guarded or command.out, given.code if command.out else None)]


def connect_program(state: State, command: commands.ConnectProgram, asker: Asker, given: Given) -> list[Event]:
    access = state.access
    name = program_name(command.name)[:LONGEST_NAME]
    if len(access.programs) >= MOST_PROGRAMS:
        raise Problem("programs-full", 409, most=MOST_PROGRAMS)
    return [events.ProgramConnected(command.hash, ConnectedProgram(name, command.may, given.at))]


def remove_program(state: State, command: commands.RemoveProgram, asker: Asker, given: Given) -> list[Event]:
    access, key = state.access, state.row.key
    meant = [each for each in access.programs if tag(key, each) == command.program]
    if not meant:
        raise Problem("no-such-program", 404)
    told = [id_ for id_, webhook in state.webhooks.items() if webhook.maker in meant]
    return [*map(events.ProgramConnected, meant), *map(events.WebhookConnected, told)]  # with nothing: no longer


def _check_teller(state: State, asker: Asker) -> None:
    """Who has programs told: also a program by its own token, and one of the machine's owner; and the server."""
    if asker.phone is None or asker.token or is_program(asker):
        state.access.check_acts(asker.phone)
    else:
        state.access.check_host(asker.phone)


def add_webhook(state: State, command: commands.AddWebhook, asker: Asker, given: Given) -> list[Event]:
    _check_teller(state, asker)
    state.access.check_open()
    if len(state.webhooks) >= MOST_WEBHOOKS:
        raise Problem("webhooks-full", 409, most=MOST_WEBHOOKS)
    maker = asker.token or ((asker.phone or "").removeprefix(PROGRAM) if is_program(asker) else "")
    address = program_name(command.name), command.address, command.secret
    return [events.WebhookConnected(command.id, ConnectedWebhook(*address, maker, given.at, command.origin))]


def disconnect_webhook(state: State, command: commands.DisconnectWebhook, asker: Asker, given: Given) -> list[Event]:
    _check_teller(state, asker)
    if asker.token or is_program(asker):
        state.access.check_open()
    return [events.WebhookConnected(command.webhook)] if command.webhook in state.webhooks else []


def close(state: State, command: commands.CloseTable, asker: Asker, given: Given) -> list[Event]:
    happened: list[Event] = []
    if command.closed != state.access.closed:
        happened.append(events.TableClosed(command.closed))
    return happened + (_end_watching_and_review(state) if command.closed else [])


def _end_watching_and_review(state: State) -> list[Event]:
    happened: list[Event] = [] if state.watched is None else [events.WatchChanged(None)]
    return happened + ([] if state.photo is None else [events.PhotoRemoved(state.photo.details.id)])


def delete(state: State, command: commands.DeleteTable, asker: Asker, given: Given) -> list[Event]:
    access = state.access
    if access.deletion is not None:
        if access.deletion.device != asker.phone:
            raise deleted_problem()
        return [] if command.deleted else [events.TableDeleted()]
    access.check(asker.phone)
    if not access.may_delete(asker.phone):
        raise Problem("owner-only", 403)
    if not command.deleted:
        return []
    deletion = Deletion(asker.phone or "", given.at)
    return [events.TableDeleted(deletion), *_end_watching_and_review(state)]


def erase(state: State, command: commands.EraseTable, asker: Asker, given: Given) -> list[Event]:
    return [events.TableErased()] if state.access.deletion == command.deletion else []
