"""What may be asked of a table. Phones send the first ones as they stand here; the others come from the server's own
camera, queue and reader."""

from dataclasses import dataclass

from web.session.photo import UnderReview
from web.session.replay import Json
from web.session.view import Watched


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change of the game. `version`: the number of log lines that the phone had seen. `request`: its own id of this
    change, which it may send again. `plays_for`: the player whom it is bound to, None for all."""

    version: int
    request: str
    plays_for: int | None = None


@dataclass(frozen=True, kw_only=True)
class Act(Change):
    """Does one action of the game.

    `keep`, `set_aside`: the dice that were kept or set aside before this throw: both are done, or neither. `forced`: a
    throw that allows a single set-aside is set aside with it, unless something came before it. `evidence`: {"reading":
    id, "dice": [{"value", "box"}], "aside": [...]} when the action is a throw read from a photo.
    """

    action: Json
    keep: list[int] | None = None
    set_aside: list[int] | None = None
    forced: bool = False
    evidence: Json | None = None


@dataclass(frozen=True, kw_only=True)
class Undo(Change):
    """Takes back the last action, with what came with it: a throw's keep or set-aside."""


@dataclass(frozen=True, kw_only=True)
class Correct(Change):
    """Replaces step `step` (from 1).

    `said`: everything after it stands, a turn that no longer holds is settled: worth the points that are said for it,
    in order, None for what it was worth. Without: what no longer holds is refused, or goes with `drop_tail`.
    """

    step: int
    action: Json
    drop_tail: bool = False
    said: list[int | None] | None = None


@dataclass(frozen=True)
class SetAdvice:
    """Has the table advise so much, one of `log.ADVICE`, on all its phones."""

    advice: str


@dataclass(frozen=True)
class NameDice:
    """Notes what the people call their dice; "" for no name."""

    name: str


@dataclass(frozen=True)
class ForgetDice:
    """Forgets how this table's dice look."""


@dataclass(frozen=True)
class TurnOut:
    """Removes the phone of this tag (`access_list.tag`), or lets it in again; None: all but the owner's.

    `code`: the new short code, which phones need from the first removal on; None: it stays.
    """

    phone: str | None
    out: bool = True
    code: str | None = None


@dataclass(frozen=True)
class Close:
    """Has nothing more be done at the table, or again what may be done."""

    closed: bool = True


@dataclass(frozen=True)
class Arrive:
    """Notes the phone of this id by this name. `invited`: by the short code, which lets any phone in."""

    phone: str
    name: str
    invited: bool = False


@dataclass(frozen=True)
class Discard:
    """Puts the photo of this id away, if it is still under review."""

    reading: str
    plays_for: int | None = None


@dataclass(frozen=True)
class ShowPhoto:
    """Has a photo under review in the place of any other, for the state of the table that it names."""

    photo: UnderReview


@dataclass(frozen=True)
class ChangePhoto:
    """Has the photo `replaces` (None: whatever is there) give way to `photo`, if it is still under review."""

    photo: UnderReview
    replaces: str | None


@dataclass(frozen=True)
class MovePhoto:
    """The photo that waits to be read has this place in the queue now, 1 for next."""

    place: int


@dataclass(frozen=True)
class AddSample:
    """Keeps what the photo of the throw in line `seq` taught of the table's dice."""

    seq: int
    body: bytes


@dataclass(frozen=True)
class Watch:
    """Shows all phones what the watching camera sees; None: nothing watches."""

    watched: Watched | None


Command = (
    Act | Undo | Correct | SetAdvice | NameDice | ForgetDice | TurnOut | Close | Arrive
    | Discard | ShowPhoto | ChangePhoto | MovePhoto | AddSample | Watch
)  # fmt: skip


@dataclass(frozen=True)
class Asker:
    """Who sends a command. `phone`: its id, "" for one without; None: the server itself. `name`: what the others see.
    `at`: when, as the store writes it."""

    phone: str | None = None
    name: str = ""
    at: str = ""
