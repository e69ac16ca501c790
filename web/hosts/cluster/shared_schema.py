"""The tables that only a store in PostgreSQL has, besides those of `web.store.schema`."""

import sqlalchemy as sa

from web.store import schema

DRIVER = "postgresql+psycopg"  # with which an address of a database begins

metadata = sa.MetaData()

# Photos under review, and `lone` ones of programs, which belong to no table. `original`: as taken; `shown`: the JPEG
# for phones once there is one; `owner`: the address that it came from, NULL if unknown. Of a lone photo `dice` says how
# many were thrown, NULL if unknown; once it is read, `body` has what was found, as JSON, and `original` is NULL.
# Photos with a `turn` are to be read, in the order of `turn` and `number`, at most one of each table. `held_by`: the
# reader that took it last. `tries`: how many took it.
photos = sa.Table(
    "photos",
    metadata,
    sa.Column("reading", sa.String(64), primary_key=True),
    sa.Column("original", sa.LargeBinary),
    sa.Column("shown", sa.LargeBinary),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("put_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("owner", sa.String(64)),
    sa.Column("table_id", sa.Integer, sa.ForeignKey(schema.tables.c.id, ondelete="CASCADE")),
    sa.Column("lone", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("dice", sa.Integer),
    sa.Column("body", sa.Text),
    sa.Column("turn", sa.BigInteger),
    sa.Column("number", sa.BigInteger, sa.Identity(), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("held_by", sa.String(32)),
    sa.Index("ix_photos_table", "table_id"),
    sa.Index("ix_photos_turn", "turn", "number"),
)
# Photos are packed already: PostgreSQL need not try.
_PACKED = "ALTER TABLE photos ALTER original SET STORAGE EXTERNAL, ALTER shown SET STORAGE EXTERNAL"
sa.event.listen(photos, "after_create", sa.DDL(_PACKED))  # type: ignore[no-untyped-call]

# Here, since it loads PostgreSQL's dialect, which takes a laptop half a second.
_running = next(each for each in schema.tables.indexes if each.name == "ix_tables_running")
_running.dialect_options["postgresql"]["where"] = sa.text(schema.NOT_OVER)

# The readers that run, each with its last heartbeat.
readers = sa.Table(
    "readers",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
)

# The tokens of the servers' owner: their hashes, see `web.store.server_tokens`.
owner_tokens = sa.Table(
    "owner_tokens",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)

# Wrong codes of a phone, of an address or of everybody (`who`) in each minute since 1970.
guesses = sa.Table(
    "guesses",
    metadata,
    sa.Column("kind", sa.String(8), primary_key=True),
    sa.Column("who", sa.String(160), primary_key=True),
    sa.Column("minute", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("count", sa.Integer, nullable=False),
)

# Gives `tables.active_no`, so that simultaneous changes of tables do not wait for one another.
activity = sa.Sequence("activity", metadata=metadata)
