"""The tables of the store; `migrations` takes an older store to them.

Only what both SQLite and PostgreSQL do is used here.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)

from web.store import checksums

metadata = MetaData()

# What counts the actions of all tables together: more than 32 bits hold, on many machines. SQLite's have 64 anyway.
Many = BigInteger().with_variant(Integer(), "sqlite")

# Of a partial index: lists of running tables must not look through all that are over. The migration says the same for
# PostgreSQL, whose dialect is not to be loaded for a file.
NOT_OVER = "finished_at IS NULL"

# One row: the version of the schema that this store has.
schema_version = Table("schema_version", metadata, Column("version", Integer, primary_key=True, autoincrement=False))

tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("code", String(8), nullable=False),
    Column("game", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("players", Text, nullable=False),  # JSON list of names
    Column("keep_corrections", Boolean, nullable=False),
    Column("created_at", String(32), nullable=False),  # UTC, ISO 8601
    Column("active_at", String(32), nullable=False),
    Column("finished_at", String(32)),
    # Counted up with every change of any table: what came first, though the clock may have been set back in between.
    Column("active_no", Many, nullable=False, server_default=text("0")),
    Column("next_key", String(64)),  # of the table that was started with "play again"
    Column("digest", String(64)),  # of the record of a game that is over: the same game has the same
    # `checksums`: how many lines the log has, the last one's checksum, how many a damage took (0: some; None: none).
    Column("lines", Integer, nullable=False, server_default=text("0")),
    Column("head", String(32), nullable=False, server_default=text("''")),
    Column("lost", Integer),
    Column("sum", String(32), nullable=False, server_default=text("''")),
    Index("ix_tables_code", "code"),
    Index("ix_tables_active", "active_no"),
    Index("ix_tables_next_key", "next_key"),  # the table before one
    Index("ix_tables_running", "active_no", sqlite_where=text(NOT_OVER)),
)

IMPORTED = "import-{}"  # the request of a line of the log that came with a record

# Append-only. `body` is one of {"do": ...}, {"undo": true}, {"correct": index, "action": {...}, "drop_tail": bool}, the
# last perhaps with "settled": [{"at", "drop", "actions"}], the adjustments that let the rest of the game stand.
log = Table(
    "log",
    metadata,
    Column("id", Many, primary_key=True),
    Column("table_id", Integer, ForeignKey("tables.id"), nullable=False),
    Column("seq", Integer, nullable=False),  # from 1, without gaps
    Column("request", String(64), nullable=False),  # the phone's own random id of this request
    Column("body", Text, nullable=False),  # JSON
    Column("device", String(60), nullable=False),
    Column("at", String(32), nullable=False),
    Column("sum", String(32), nullable=False, server_default=text("''")),
    UniqueConstraint("table_id", "seq"),
    UniqueConstraint("table_id", "request"),
)

# The photo that a table is looking at before its throw is confirmed: at most one, gone with the confirmation.
pending = Table(
    "pending",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("reading", String(64), nullable=False),
    Column("body", Text, nullable=False),  # JSON
    Column("sum", String(32), nullable=False, server_default=text("''")),
)

# What confirmed photos taught of how this table's own dice look: numbers, never pictures. The line of the log that
# confirmed the photo is named by `seq`; from 0 down it is a line of the table that this one was played again from.
lessons = Table(
    "lessons",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),  # as `vision.DiceSample` writes it
    Column("sum", String(32), nullable=False, server_default=text("''")),
)

# What the people at a table chose for all its phones: how much it advises. Added beside version 5, to stores that have
# it already too: an older Rollcall of that version goes on without looking at it.
preferences = Table(
    "preferences",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("advice", String(8), nullable=False),
    Column("sum", String(32), nullable=False),
)

# What the people call the dice of a table, where they told it. Added as `preferences` was.
dice_sets = Table(
    "dice_sets",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("name", String(40), nullable=False),
    Column("sum", String(32), nullable=False),
    Index("ix_dice_sets_name", "name", "table_id"),
)

# Whoever started a table: the phone, by the id in its cookie, and what it has decided. Added as `preferences` was.
owners = Table(
    "owners",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("device", String(64), nullable=False),
    Column("closed", Boolean, nullable=False, server_default=text("FALSE")),
    Column("guarded", Boolean, nullable=False, server_default=text("FALSE")),  # new phones need the short code
    Column("sum", String(32), nullable=False),
)

# The phones of a table that has an owner, as its people know them; `out`: removed by the owner. Added as well.
phones = Table(
    "phones",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("device", String(64), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("at", String(32), nullable=False),
    Column("out", Boolean, nullable=False, server_default=text("FALSE")),
    Column("sum", String(32), nullable=False),
)

# Results of finished games, one row a player: made from the log when a game ends, taken away when its end is undone.
results = Table(
    "results",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id"), primary_key=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("name", String(60), nullable=False),
    Column("score", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("sum", String(32), nullable=False, server_default=text("''")),
)

# How each table was set up, once more, for a table whose own row is damaged.
setups = Table(
    "setups",
    metadata,
    Column("table_id", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False),
    Column("game", String(40), nullable=False),
    Column("options", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("keep_corrections", Boolean, nullable=False),
    Column("created_at", String(32), nullable=False),
    Column("sum", String(32), nullable=False),
)

# One row: a random name of this store, by which the file of heads beside it knows it; a backup has another one.
identity = Table("identity", metadata, Column("name", String(32), primary_key=True))

# Which phone has been at which table: what its statistics count, and its own list shows unless it is taken off there.
visits = Table(
    "visits",
    metadata,
    Column("device", String(64), primary_key=True),
    Column("table_id", Integer, ForeignKey("tables.id"), primary_key=True),
    Column("at", String(32), nullable=False),
    Column("hidden", Boolean, nullable=False, server_default=text("FALSE")),
    Index("ix_visits_table", "table_id"),
)

# Statistics read these rows in the place of whole logs: one row for each player of a finished game. `player_rows`
# derives them from `tables`, `results` and `log`. Added beside version 5, as `preferences` was.
player_games = Table(
    "player_games",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("person", Text().with_variant(Text(collation="C"), "postgresql"), nullable=False),  # the folded name
    Column("game", String(40), nullable=False),
    Column("ended_no", Many, nullable=False),  # `tables.active_no` of the action that ended the game
    Column("name", String(60), nullable=False),
    Column("score", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("imported", Boolean, nullable=False),  # the game, or its beginning, came with a record
    Column("digest", String(64)),
    # Only a replay of the log tells these. NULL until somebody asks: best turn, busts and number of turns of the
    # player; how often each value 1..6 fell in the whole game, separated by spaces.
    Column("replayed", Integer, nullable=False, server_default=text("0")),  # 1: yes; 2: the log cannot be replayed
    Column("best", Integer),
    Column("busts", Integer),
    Column("turns", Integer),
    Column("fell", String(80)),
    Column("sum", String(32), nullable=False),
    Index("ix_player_games_person", "person", "game", "ended_no"),
    Index("ix_player_games_digest", "digest"),
)

# The tables whose rows of `player_games` are to be derived again. Triggers on `results` fill it, also for an older
# Rollcall, which knows neither.
stale_games = Table(
    "stale_games",
    metadata,
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
)

# In the order in which they are to be made; `migrations` has its own copy.
TRIGGERS = tuple(
    DDL(  # type: ignore[no-untyped-call]
        f"CREATE TRIGGER results_{what.lower()} AFTER {what} ON results BEGIN"
        f" INSERT OR IGNORE INTO stale_games (table_id) VALUES ({row}.table_id); END"
    )
    for what, row in (("INSERT", "NEW"), ("DELETE", "OLD"))
)
for _trigger in TRIGGERS:
    event.listen(metadata, "after_create", _trigger.execute_if(dialect="sqlite"))


def setup_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of `setups` for a row of `tables`."""
    return {
        "table_id": row["id"],
        **{name: row[name] for name in checksums.SETUP},
        "sum": checksums.setup_sum(row["id"], row),
    }


def name_store(connection: Connection) -> None:
    """Gives a store a new name of its own."""
    connection.execute(delete(identity))
    connection.execute(insert(identity).values(name=secrets.token_hex(16)))


# Raise it with a change that an older Rollcall cannot go on with, and add a revision of that name to `migrations`; what
# it can do without gets a revision beside: "5.owners".
VERSION = 5


class SchemaError(RuntimeError):
    """The store was written by a newer Rollcall, which this one cannot read."""


class DatabaseError(Exception):
    """A database cannot be used as the store: one sentence that says what was wrong and what would be right."""


def newer(found: int) -> SchemaError:
    return SchemaError(f"it was written by a newer Rollcall (store {found}, this one knows {VERSION}); update Rollcall")


def version(connection: Connection) -> int | None:
    """The version that a store has, or None when it is empty. Raises `SchemaError` for one from a newer Rollcall."""
    if not inspect(connection).has_table(schema_version.name):
        return None
    found: int = connection.execute(select(schema_version.c.version)).scalar_one()
    if found > VERSION:
        raise newer(found)
    return found
