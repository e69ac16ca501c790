"""What a store on PostgreSQL has besides the tables of `web.store.schema`."""

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    String,
    Table,
    func,
    text,
)

from web.store import schema

metadata = MetaData()

# How often each table was changed, by whichever process: a process that knows another number catches up.
changes = Table(
    "changes",
    metadata,
    Column("table_id", Integer, ForeignKey(schema.tables.c.id), primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
)

# Photos under review: `original` as it was taken, `shown` the JPEG for the phones once there is one. `owner`: the
# address that it came from, NULL where that is not known.
photos = Table(
    "photos",
    metadata,
    Column("reading", String(64), primary_key=True),
    Column("original", LargeBinary, nullable=False),
    Column("shown", LargeBinary),
    Column("size", Integer, nullable=False),
    Column("put_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("owner", String(64)),
)

# Photos to be read, in the order of `turn` and `number`: at most one a table, gone with its photo. `owner`: the address
# that it came from. Who reads one holds it until `held_until`, by the database's clock; `tries`: how many did.
jobs = Table(
    "jobs",
    metadata,
    Column("reading", String(64), ForeignKey(photos.c.reading, ondelete="CASCADE"), primary_key=True),
    Column("table_id", Integer, ForeignKey(schema.tables.c.id), nullable=False, unique=True),
    Column("owner", String(64), nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("number", BigInteger, Identity(), nullable=False),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("held_by", String(32)),
    Column("held_until", DateTime(timezone=True)),
)

# The readers that run: each says again and again that it does.
readers = Table(
    "readers",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("seen_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

# How often visitors did what is bounded, `what`, in the span of time of this number; kept until `ends_at`. `who`: a
# phone by its cookie, or an address.
tallies = Table(
    "tallies",
    metadata,
    Column("what", String(40), primary_key=True),
    Column("who", String(160), primary_key=True),
    Column("span", BigInteger, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
    Column("ends_at", DateTime(timezone=True), nullable=False),
    Index("ix_tallies_ends", "ends_at"),
)


def moment(seconds: float) -> ColumnElement[datetime]:
    """The database's time so many seconds from now: the clocks of servers and readers may differ."""
    now: ColumnElement[datetime] = func.now() + text(f"interval '{seconds} seconds'")
    return now


# Gives `tables.active_no`: tables that are changed at the same moment must not wait for one another.
activity = Sequence("activity", metadata=metadata)
