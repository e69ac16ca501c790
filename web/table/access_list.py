"""Who may come to a table: its owner, the phones that have been there, and those that the owner removed.

Rollcall has no accounts. The random id in a phone's cookie identifies it, and nobody else learns that id. The phone
that started a table is its owner. Until the owner removes a phone, anybody with the table's key may come.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from web.problems.problem import Problem

MOST_PROGRAMS = 20  # connected to one table
MOST_WEBHOOKS = 5  # of one table
MOST_PHONES = 100  # remembered for one table: the latest, besides all that were removed
LONGEST_NAME = 60
TAG_BYTES = 6
ID_BYTES = 8
PROGRAM = "program:"  # and the hash of its token, where a phone has the id of its cookie, which has no colon


def tag(table: str, device: str) -> str:
    """The name of a phone in a table's list, which does not reveal the phone's id."""
    return hashlib.blake2b(device.encode(), key=table.encode()[:64], digest_size=TAG_BYTES).hexdigest()


@lru_cache(1000)
def table_id(key: str) -> str:
    """Names a table to programs without being a right to it, as its key is."""
    return hashlib.blake2b(key.encode(), digest_size=ID_BYTES, person=b"table id").hexdigest()


@dataclass(frozen=True)
class KnownPhone:
    """A phone that has been at a table. `name`: as others see it; `at`: when it came; `out`: the owner removed it."""

    name: str
    at: str
    out: bool = False


@dataclass(frozen=True)
class ConnectedProgram:
    """A program with a token of its own. `may`: "read", "act", or "show" for a page that only shows the table."""

    name: str
    may: str
    at: str


@dataclass(frozen=True)
class ConnectedWebhook:
    """An address where a program is told what happens at a table. `secret`: of the signatures, in bytes as hexadecimal
    digits. `maker`: the hash of the token that wanted it, "" for a phone. `origin`: the network address of the
    device that wanted it, by which places are shared."""

    name: str
    address: str
    secret: str
    maker: str
    at: str
    origin: str = ""


@dataclass(frozen=True)
class Deletion:
    """The deletion of a table, while it can be undone. `device`: the phone that deleted it; `at`: when."""

    device: str
    at: str


@dataclass(frozen=True)
class AccessList:
    """Who may come to one table. `guarded`: new phones need the short code, since the owner removed a phone."""

    owner: str = ""  # the phone that may close the table and remove others; "" for none
    closed: bool = False
    guarded: bool = False
    phones: Mapping[str, KnownPhone] = field(default_factory=dict)  # by their ids
    deletion: Deletion | None = None
    programs: Mapping[str, ConnectedProgram] = field(default_factory=dict)  # by the hashes of their tokens

    def lets_in(self, device: str | None) -> bool:
        if self.deletion is not None:
            return device is None
        if device is not None and device.startswith(PROGRAM):
            return device.removeprefix(PROGRAM) in self.programs
        if device is None or not self.guarded or device == self.owner:
            return True
        seen = self.phones.get(device)
        return seen is not None and not seen.out

    def check(self, device: str | None) -> None:
        """Raises `Problem` for a phone that may not come."""
        if self.lets_in(device):
            return
        if self.deletion is not None:
            raise deleted_problem(undo=device == self.deletion.device)
        if device is not None and device.startswith(PROGRAM):
            raise Problem("token-unknown", 401)
        removed = device is not None and device in self.phones
        raise Problem("phone-removed" if removed else "invitation-needed", 403)

    def check_acts(self, device: str | None) -> None:
        """Raises `Problem` for a phone that may not come, and for a program that may not act."""
        if not self.lets_in(device):
            self.check(device)
        program = self.programs.get((device or "").removeprefix(PROGRAM))
        if program is not None and program.may != "act":
            raise Problem("token-reads-only", 403)

    def check_host(self, device: str | None) -> None:
        """Raises `Problem` unless this phone is the owner's, or one that may come to a table without an owner."""
        self.check(device)
        if self.owner not in ("", device) or not device or device.startswith(PROGRAM):
            raise Problem("owner-only", 403)

    def check_open(self) -> None:
        """Raises `Problem` if the table is closed or deleted."""
        if self.deletion is not None:
            raise deleted_problem()
        if self.closed:
            raise Problem("table-closed", 409)

    def check_owner(self, device: str | None) -> None:
        """Raises `Problem` unless this phone is the owner's."""
        self.check(device)
        if not self.owner or device != self.owner:
            raise Problem("owner-only", 403)

    def name_of(self, device: str, kind: str) -> str:
        """What a phone without a name of its own is called: its kind, with a number if another one is called so."""
        known = self.phones.get(device)
        others = {each.name for each in self.phones.values() if each is not known}
        names = [kind, *(f"{kind} {number}" for number in range(2, len(others) + 2))]
        kept = [known.name] if known is not None and known.name in names else []
        return next(name for name in (*kept, *names) if name not in others)

    def may_delete(self, device: str | None) -> bool:
        """Whether this phone may delete the table: the owner's; any phone at a table without an owner."""
        return bool(device) and self.owner in ("", device)


def deleted_problem(undo: bool = False, final: bool = False) -> Problem:
    """Says that a table was deleted. `undo`: the phone that asks may undo it; `final`: nobody may any more."""
    return Problem("table-deleted", 410, undo=undo, final=final)
