"""What a store on PostgreSQL has besides the tables of `web.tables.schema`."""

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    String,
    Table,
    func,
)

from web.tables import schema

metadata = MetaData()

# How often each table was changed, by whichever process: a process that knows another number catches up.
changes = Table(
    "changes",
    metadata,
    Column("table_id", Integer, ForeignKey(schema.tables.c.id), primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
)

# Photos under review: `original` as it was taken, `shown` the JPEG for the phones once there is one. The server that
# reads it holds it until `held_until`, by the database's clock.
photos = Table(
    "photos",
    metadata,
    Column("reading", String(64), primary_key=True),
    Column("original", LargeBinary, nullable=False),
    Column("shown", LargeBinary),
    Column("size", Integer, nullable=False),
    Column("put_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("held_by", String(32), nullable=False),
    Column("held_until", DateTime(timezone=True), nullable=False),
)

# Gives `tables.active_no`: tables that are changed at the same moment must not wait for one another.
activity = Sequence("activity", metadata=metadata)

# By this index of `tables` the table before one is found; a laptop's few tables need none.
FOLLOWED = "ix_tables_next_key"
