"""What a command does to a table, as `web.table.deciding` and the modules beside it decide it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from web.table.events import Event, TableStarted
from web.table.moves import PlayedGame


class Decision(NamedTuple):
    """What happens. `blobs`: the pictures and samples that the events name, by their hashes. `played`: the game after
    the lines of the events, for `evolve`. `starts`: the table that begins at the same moment."""

    events: Sequence[Event] = ()
    blobs: Mapping[str, bytes] = MappingProxyType({})
    played: PlayedGame | None = None
    starts: TableStarted | None = None
