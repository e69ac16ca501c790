"""The tables of the store, for SQLite and PostgreSQL alike; `upgrade` takes an older store to them."""

import secrets

import sqlalchemy as sa

from web.store.store_errors import damage_as_problem

metadata = sa.MetaData()

# For counts over all tables, which may exceed 32 bits. SQLite's integers have 64 anyway.
Many = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# For a partial index, so that lists of running tables skip finished ones.
NOT_OVER = "finished_at IS NULL"


def _table_id() -> "sa.Column[int]":
    """The column by which a row belongs to a table and is deleted with it."""
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.Integer, of_table, primary_key=True, autoincrement=False)


# One row: the version of the schema that this store has, and its random name, which the file of ends beside it also
# has. A backup gets another name. `readable_by`: READABLE_BY, perhaps of a newer Rollcall.
schema_version = sa.Table(
    "schema_version",
    metadata,
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(32), nullable=False, server_default=sa.text("''")),
    sa.Column("readable_by", sa.Integer, nullable=False),
)

# What lists show of each table. All columns but `id` and `active_no` follow from its events (`web.store.projections`).
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(64), nullable=False, unique=True),
    sa.Column("code", sa.String(8), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("players", sa.Text, nullable=False),  # JSON list of names
    sa.Column("keep_corrections", sa.Boolean, nullable=False),
    sa.Column("created_at", sa.String(32), nullable=False),  # UTC, ISO 8601
    sa.Column("active_at", sa.String(32), nullable=False),
    sa.Column("finished_at", sa.String(32)),
    # Counted up with every change of any table: the order of changes, also if the clock was set back.
    sa.Column("active_no", Many, nullable=False, server_default=sa.text("0")),
    sa.Column("next_key", sa.String(64)),  # of the table that was started with "play again"
    sa.Column("digest", sa.String(64)),  # of the record of a game that is over: the same game has the same
    # How many lines its log has, and how many events are lost by damage (0: some; None: none).
    sa.Column("lines", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("lost", sa.Integer),
    # The phone that started it, whether new phones need the short code, the name of its dice, the
    # photo under review, which may wait for the reader; whether the game, or its beginning, came with a record; whether
    # people ended it by hand; since when it is deleted, while that can be undone.
    sa.Column("owner", sa.String(64), nullable=False, server_default=sa.text("''")),
    sa.Column("guarded", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    sa.Column("dice_set", sa.String(40), nullable=False, server_default=sa.text("''")),
    sa.Column("reading", sa.String(64)),
    sa.Column("waiting", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    sa.Column("early", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    sa.Column("deleted_at", sa.String(32)),
    sa.Index("ix_tables_code", "code"),
    sa.Index("ix_tables_active", "active_no"),
    sa.Index("ix_tables_next_key", "next_key"),  # the table before one
    sa.Index("ix_tables_running", "active_no", sqlite_where=sa.text(NOT_OVER)),
)

# What happened at each table, from number 1 without gaps, as `web.journal` writes it.
events = sa.Table(
    "events",
    metadata,
    _table_id(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # JSON
    sa.Column("at", sa.String(32), nullable=False),
    sa.Column("by", sa.String(100), nullable=False),  # the phone or program that asked, "" for the server itself
    sa.Column("request", sa.String(64), nullable=False),  # the phone's own random id of its request, "" without one
    sa.Column("chain", sa.String(32), nullable=False),
    sqlite_with_rowid=False,  # the events of a table lie together
)

# Large things that events name by their hashes: pictures, training samples, and from what a sample is made. `seq`: the
# line of the log that it belongs to.
blobs = sa.Table(
    "blobs",
    metadata,
    _table_id(),
    sa.Column("kind", sa.String(8), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

# Which phone has been at which table, and which phones and programs its owner knows: by the ids in their cookies, or
# PROGRAM and the hashes of their tokens. `at`: when it was there last, for its statistics, and for its own list unless
# `hidden` there; NULL: never. `out`, by the table's events: whether the owner removed it; NULL: he does not know it.
visits = sa.Table(
    "visits",
    metadata,
    sa.Column("device", sa.String(100), primary_key=True),
    _table_id(),
    sa.Column("at", sa.String(32)),
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    sa.Column("out", sa.Boolean),
    sa.Index("ix_visits_table", "table_id"),
)

# One row for each player of a finished game, so that statistics need not read whole logs; see `player_rows`.
player_games = sa.Table(
    "player_games",
    metadata,
    _table_id(),
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    # The folded name.
    sa.Column("person", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("ended_no", Many, nullable=False),  # `tables.active_no` of the action that ended the game
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("imported", sa.Boolean, nullable=False),  # the game, or its beginning, came with a record
    sa.Column("digest", sa.String(64)),
    # As in `stored_table.PlayerResult`; `fell` separated by spaces.
    sa.Column("best", sa.Integer),
    sa.Column("busts", sa.Integer),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("fell", sa.String(80), nullable=False),
    sa.Index("ix_player_games_person", "person", "game", "ended_no"),
    sa.Index("ix_player_games_digest", "digest"),
)

# The numbers of erased tables, which are never given again, and codes of their keys (`codes.mark_of`).
erased = sa.Table(
    "erased",
    metadata,
    sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mark", sa.String(16), nullable=False),
    sa.Index("ix_erased_mark", "mark"),
)

# Games that people made, as phones keep them: their files, by the end of `scorer.own_key`. A table has its own copy
# among its options.
phone_games = sa.Table(
    "phone_games",
    metadata,
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(16), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Index("ix_phone_games_digest", "digest"),
)


def name_store(connection: sa.Connection) -> None:
    connection.execute(sa.update(schema_version).values(name=secrets.token_hex(16)))


# The last Rollcall that reads stores of development, by their newest VERSION.
LAST_READERS = {7: "0.4.0", 100: "0.5.0.dev0 (6bfe5d9c)"}
FIRST = max(LAST_READERS) + 1
# Raise VERSION with each change, and add a step to `upgrade.STEPS`. READABLE_BY: the VERSION of the oldest Rollcall
# that can go on with such a store. It stays for a new table or index, or a column that may be empty or has a default.
VERSION = READABLE_BY = FIRST


class SchemaError(RuntimeError):
    """Another Rollcall wrote the store, and this one cannot use it."""


class OlderStoreError(SchemaError):
    """A development version of Rollcall wrote the store. `reader`: the last one that reads it."""

    def __init__(self, found: int) -> None:
        self.reader = next(reader for newest, reader in LAST_READERS.items() if found <= newest)
        super().__init__(
            f"a development version of Rollcall wrote it (store {found}); the last one that reads it is"
            f" Rollcall {self.reader}, and nothing in it was changed"
        )


class DatabaseError(Exception):
    """A database cannot be used as the store: one sentence that says what was wrong and what would be right."""


def check_version(found: int, readable_by: int) -> None:
    """Raises `SchemaError` unless this Rollcall can use, or upgrade, a store of the version `found`."""
    if found < FIRST:
        raise OlderStoreError(found)
    if readable_by > VERSION:
        raise SchemaError(
            f"it was written by a newer Rollcall (store {found}, this one knows {VERSION}); update Rollcall"
        )


def version(connection: sa.Connection) -> int | None:
    """The version of a store, or None if it is empty. Raises `SchemaError` if this Rollcall cannot use it, and
    `Problem` if it is damaged."""
    kept = schema_version.c
    with damage_as_problem():
        if not sa.inspect(connection).has_table(schema_version.name):
            return None
        found: int = connection.execute(sa.select(kept.version)).scalar_one()
        newer = connection.execute(sa.select(kept.readable_by)).scalar_one() if found > VERSION else found
    check_version(found, newer)
    return found
