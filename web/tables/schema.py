"""The tables of the store, and how an older store becomes the present one.

Only what both SQLite and PostgreSQL do is used here.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import (
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
    and_,
    bindparam,
    delete,
    insert,
    inspect,
    select,
    text,
    update,
)

from web.tables import vouching

metadata = MetaData()

# What counts the actions of all tables together: more than 32 bits hold, on many machines. SQLite's have 64 anyway.
Many = BigInteger().with_variant(Integer(), "sqlite")

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
    # `vouching`: how many lines the log has, the last one's checksum, how many a damage took (0: some; None: none).
    Column("lines", Integer, nullable=False, server_default=text("0")),
    Column("head", String(32), nullable=False, server_default=text("''")),
    Column("lost", Integer),
    Column("sum", String(32), nullable=False, server_default=text("''")),
    Index("ix_tables_code", "code"),
    Index("ix_tables_active", "active_no"),
)

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
    Column("body", LargeBinary, nullable=False),  # as `vision.Lesson` writes it
    Column("sum", String(32), nullable=False, server_default=text("''")),
)

# What the people at a table chose for all its phones: how much it advises (`store.ADVICE`). Added beside version 5, to
# stores that have it already too: an older Rollcall of that version goes on without looking at it.
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
)


def _count_activity(connection: Connection) -> None:
    """Version 2: tables are put in order by a count, no longer by the clock."""
    connection.execute(text("ALTER TABLE tables ADD COLUMN active_no INTEGER NOT NULL DEFAULT 0"))
    oldest_first = select(tables.c.id).order_by(tables.c.active_at, tables.c.id)
    numbered = [
        {"table": table, "number": number}
        for number, table in enumerate(connection.execute(oldest_first).scalars().all(), start=1)
    ]
    if numbered:
        one = update(tables).where(tables.c.id == bindparam("table")).values(active_no=bindparam("number"))
        connection.execute(one, numbered)
    connection.execute(text("CREATE INDEX ix_tables_active ON tables (active_no)"))


def _follow_and_hide(connection: Connection) -> None:
    """Version 3: a table knows the next one and the digest of its record, a phone's list what was taken off it."""
    connection.execute(text("ALTER TABLE tables ADD COLUMN next_key VARCHAR(64)"))
    connection.execute(text("ALTER TABLE tables ADD COLUMN digest VARCHAR(64)"))
    connection.execute(text("ALTER TABLE visits ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT FALSE"))


def _learn(connection: Connection) -> None:
    """Version 4: a table remembers how its own dice look."""
    connection.execute(
        text(
            "CREATE TABLE lessons (table_id INTEGER NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,"
            " PRIMARY KEY (table_id, seq), FOREIGN KEY(table_id) REFERENCES tables (id) ON DELETE CASCADE)"
        )
    )


def _vouch(connection: Connection) -> None:
    """Version 5: rows that matter carry checksums, lines of a log each with that of the line before."""
    for name, columns in VOUCHED.items():
        for column in columns:
            connection.execute(text(f"ALTER TABLE {name} ADD COLUMN {column}"))
    setups.create(connection)
    identity.create(connection)
    name_store(connection)
    _vouch_logs(connection)
    rules: list[tuple[Table, Callable[[dict[str, Any]], str]]] = [
        (results, vouching.result_sum),
        (lessons, lambda row: vouching.lesson_sum(row["table_id"], row["seq"], row["body"])),
        (pending, lambda row: vouching.pending_sum(row["table_id"], row["reading"], row["body"])),
    ]
    for table, rule in rules:
        keys = list(table.primary_key.columns)
        for held in connection.execute(select(table)).mappings().all():
            same = and_(*(column == held[column.name] for column in keys))
            connection.execute(update(table).where(same).values(sum=rule(dict(held))))


def _vouch_logs(connection: Connection) -> None:
    """The checksums of all tables and their logs: in few statements, since there may be thousands of tables."""
    rows = {row["id"]: dict(row) for row in connection.execute(select(tables)).mappings()}
    for row in rows.values():
        row |= {"lines": 0, "head": vouching.birth(row["id"], row), "lost": None}
    columns = (log.c.id, log.c.table_id, *(log.c[name] for name in vouching.LINE))
    sums = []
    for line, table_id, *fields in connection.execute(select(*columns).order_by(log.c.table_id, log.c.seq)):
        row = rows[table_id]
        row |= {"lines": fields[0], "head": vouching.chained(row["head"], *fields)}
        sums.append({"line": line, "value": row["head"]})
    if sums:
        connection.execute(update(log).where(log.c.id == bindparam("line")).values(sum=bindparam("value")), sums)
    if rows:
        connection.execute(insert(setups), [setup_row(row) for row in rows.values()])
        values = [
            {"number": row["id"], "many": row["lines"], "end": row["head"], "value": vouching.table_sum(row)}
            for row in rows.values()
        ]
        each = update(tables).where(tables.c.id == bindparam("number"))
        each = each.values(lines=bindparam("many"), head=bindparam("end"), sum=bindparam("value"))
        connection.execute(each, values)


def setup_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of `setups` for a row of `tables`."""
    return {
        "table_id": row["id"],
        **{name: row[name] for name in vouching.SETUP},
        "sum": vouching.birth(row["id"], row),
    }


def name_store(connection: Connection) -> None:
    """Gives a store a new name of its own."""
    connection.execute(delete(identity))
    connection.execute(insert(identity).values(name=secrets.token_hex(16)))


# What version 5 added to tables that were there.
SUM = "sum VARCHAR(32) NOT NULL DEFAULT ''"
VOUCHED = {
    "tables": ("lines INTEGER NOT NULL DEFAULT 0", "head VARCHAR(32) NOT NULL DEFAULT ''", "lost INTEGER", SUM),
    "log": (SUM,),
    "results": (SUM,),
    "lessons": (SUM,),
    "pending": (SUM,),
}

VERSION = 5

# MIGRATIONS[n] takes a store from version n to n + 1. All that a store needs are done in one transaction, or none.
# Add one with every change of the tables above, after `tests/reliability/old_stores.py` has kept a store as it was.
MIGRATIONS: dict[int, Callable[[Connection], None]] = {1: _count_activity, 2: _follow_and_hide, 3: _learn, 4: _vouch}


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


def prepare(connection: Connection) -> None:
    """Makes the tables in an empty store, or takes an older one to the present version.

    Give it a connection in a transaction. Something is always written, so that a store that may not be written is
    noticed now. Raises `SchemaError` for a store from a newer version, which is left as it is.
    """
    found = version(connection)
    if found is None:
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=VERSION))
        name_store(connection)
        _sign(connection)
        return
    for older in range(found, VERSION):
        MIGRATIONS[older](connection)
    preferences.create(connection, checkfirst=True)
    for beside in (dice_sets, owners, phones):
        beside.create(connection, checkfirst=True)
    connection.execute(update(schema_version).values(version=VERSION))
    _sign(connection)


def _sign(connection: Connection) -> None:
    """Writes the version once more, into the file's header: by both together a flipped bit in one is noticed."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
