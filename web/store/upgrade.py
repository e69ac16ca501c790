"""Prepares a store on either engine: creates an empty one, or takes an older one to the present version in numbered
steps. A store in a file is copied before (`web.store.sqlite`), a database by who runs it."""

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy import Connection, MetaData

from web.store import schema
from web.store.store_errors import damage_as_problem

NO_MORE = MetaData()  # tables, in a file

# By the version that it leads to, what makes such a store of one of the version before.
STEPS: dict[int, Callable[[Connection], None]] = {}  # bounded: one for each version


def prepare(connection: Connection, more: MetaData = NO_MORE) -> None:
    """Creates the tables of an empty store, or upgrades an older one, in the transaction of `connection`.

    `more`: the tables that only this engine has. It always writes, so that a read-only store is noticed now. Raises
    `SchemaError` for a store that another Rollcall wrote and this one cannot use; it stays as it is.
    """
    found, kept = schema.version(connection), schema.schema_version
    if found is None:
        schema.metadata.create_all(connection)
        more.create_all(connection)
        connection.execute(sa.insert(kept).values(version=schema.VERSION, readable_by=schema.READABLE_BY))
        schema.name_store(connection)
        found = schema.VERSION
    with damage_as_problem():
        for version in range(found + 1, schema.VERSION + 1):
            STEPS[version](connection)
    if found < schema.VERSION:
        connection.execute(sa.update(kept).values(version=schema.VERSION, readable_by=schema.READABLE_BY))
    connection.execute(sa.update(kept).values(version=kept.c.version))
    if connection.dialect.name == "sqlite":
        # A second copy of the version, in the file's header, so that a flipped bit in either is noticed.
        connection.exec_driver_sql(f"PRAGMA user_version = {max(found, schema.VERSION)}")
