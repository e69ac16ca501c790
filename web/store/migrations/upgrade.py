"""Prepares a store on either engine: creates an empty one, upgrades an older one.

Tables, columns and indexes that a store lacks are added as `web.store.schema` has them. What is more than that is done
by a step, by the version that it leads to. Alembic's operations are loaded only for a store that lacks something.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection, MetaData

from web.store import schema

if TYPE_CHECKING:
    from alembic.operations import Operations

NO_MORE = MetaData()  # tables, in a file


def prepare(connection: Connection, more: MetaData = NO_MORE) -> None:
    """Creates the tables of an empty store, or upgrades an older one, in the transaction of `connection`.

    `more`: the tables that only this engine has. It always writes, so that a read-only store is noticed now. Raises
    `SchemaError` for a store from a newer version, which stays as it is.
    """
    found = schema.version(connection)
    if found is None:
        schema.metadata.create_all(connection)
        more.create_all(connection)
        connection.execute(sa.insert(schema.schema_version).values(version=schema.VERSION, revision=schema.REVISION))
        schema.name_store(connection)
    elif is_older(connection, found, more):
        from alembic.operations import Operations
        from alembic.runtime.migration import MigrationContext

        op = Operations(MigrationContext.configure(connection))
        for version, step in STEPS.items():
            if found < version:
                step(connection, op, more)
        _add_missing(connection, op, more)
        connection.execute(sa.update(schema.schema_version).values(revision=schema.REVISION))
    connection.execute(sa.update(schema.schema_version).values(version=schema.VERSION))
    if connection.dialect.name == "sqlite":
        # A second copy of the version, in the file's header, so that a flipped bit in either is noticed.
        connection.exec_driver_sql(f"PRAGMA user_version = {schema.VERSION}")


def is_older(connection: Connection, version: int, more: MetaData = NO_MORE) -> bool:
    """Whether a store of this version lacks something. What a newer Rollcall added can be ignored."""
    return version < schema.VERSION or next(_missing(connection, more), None) is not None


def _missing(connection: Connection, more: MetaData) -> Iterator[sa.Table | sa.Column[Any] | sa.Index]:
    """What a store lacks; of a table that it lacks, only the table."""
    inspector = sa.inspect(connection)
    columns = {name: {each["name"] for each in found} for (_, name), found in inspector.get_multi_columns().items()}
    indexes = {name: {each["name"] for each in found} for (_, name), found in inspector.get_multi_indexes().items()}
    for table in (*schema.metadata.sorted_tables, *more.sorted_tables):
        if table.name not in columns:
            yield table
        else:
            yield from (column for column in table.columns if column.name not in columns[table.name])
            yield from (index for index in table.indexes if index.name not in indexes.get(table.name, ()))


def _add_missing(connection: Connection, op: "Operations", more: MetaData) -> None:
    for each in list(_missing(connection, more)):
        if isinstance(each, sa.Column):
            op.add_column(each.table.name, each)
            for key in each.foreign_keys:  # which do not come along
                target = key.column.table.name, [each.name], [key.column.name]
                op.create_foreign_key(None, each.table.name, *target, ondelete=key.ondelete)
        else:
            each.create(connection)


def _to_version_6(connection: Connection, op: "Operations", more: MetaData) -> None:
    """Writes the journal of each table from its log and settings, and drops these. Then it is of version 7."""
    from web.store.migrations.old_tables import GONE, write_journals

    there = set(sa.inspect(connection).get_table_names())
    columns = {each["name"] for each in sa.inspect(connection).get_columns("tables")}
    shared = connection.dialect.name == "postgresql"
    _put_visits_aside(connection, op)
    if shared:
        _open_photos(op, there)
    _add_missing(connection, op, more)
    if "active_no" not in columns:  # tables were put in order by the clock
        order = "SELECT count(*) FROM tables t WHERE (t.active_at, t.id) <= (tables.active_at, tables.id)"
        op.execute(f"UPDATE tables SET active_no = ({order})")
    op.execute(
        "INSERT INTO visits (device, table_id, at, hidden) SELECT device, table_id, at, hidden FROM visits_before"
    )
    op.drop_table("visits_before")
    if "deletions" in there:
        op.execute("INSERT INTO erased (table_id, mark) SELECT table_id, mark FROM deletions WHERE at = ''")
    if "kept_games" in there:
        of_games = "SELECT device, digest, name, file, at FROM kept_games JOIN own_games USING (digest)"
        op.execute(f"INSERT INTO phone_games (device, digest, name, file, at) {of_games}")
    if "identity" in there:
        op.execute("UPDATE schema_version SET name = (SELECT name FROM identity)")
    else:
        schema.name_store(connection)
    if "deliveries" in there:
        fields = ("number", "tries", "due", "failure", "given_up", "origin", "receiver")
        of_delivery = "FROM deliveries d WHERE d.table_id = webhooks.table_id AND d.webhook = webhooks.id"
        op.execute(f"DELETE FROM webhooks WHERE NOT EXISTS (SELECT 1 {of_delivery})")
        op.execute("UPDATE webhooks SET " + ", ".join(f"{name} = (SELECT {name} {of_delivery})" for name in fields))
    write_journals(connection)
    if shared:
        _join_photos(op, there)
    for name in (each for each in GONE if each in there):
        op.drop_table(name)
    if shared:
        op.execute("DROP FUNCTION IF EXISTS mark_stale_game()")
    for name in columns & {"sum", "head"}:
        op.drop_column("tables", name)


def _to_version_7(connection: Connection, op: "Operations", more: MetaData) -> None:
    """The phones that a table's owner knows stand with the visits."""
    op.execute("DROP TABLE IF EXISTS alembic_version")
    if not sa.inspect(connection).has_table("members"):
        return  # the step before made it so
    _put_visits_aside(connection, op)
    _add_missing(connection, op, more)
    op.execute(
        'INSERT INTO visits (device, table_id, at, hidden, "out") SELECT device, v.table_id, at, hidden, m."out"'
        " FROM visits_before v LEFT JOIN members m ON m.table_id = v.table_id AND m.member = device"
    )
    op.execute(
        'INSERT INTO visits (device, table_id, hidden, "out") SELECT member, table_id, FALSE, "out" FROM members m'
        " WHERE NOT EXISTS (SELECT 1 FROM visits WHERE visits.table_id = m.table_id AND device = member)"
    )
    for name in ("visits_before", "members"):
        op.drop_table(name)


def _put_visits_aside(connection: Connection, op: "Operations") -> None:
    """What were `visits` are `visits_before` then."""
    inspector = sa.inspect(connection)
    if any(each["name"] == "ix_visits_table" for each in inspector.get_indexes("visits")):
        op.drop_index("ix_visits_table", "visits")
    if all(each["name"] != "hidden" for each in inspector.get_columns("visits")):
        op.add_column("visits", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.text("FALSE")))
    op.rename_table("visits", "visits_before")


def _open_photos(op: "Operations", there: set[str]) -> None:
    """Lets photos wait for readers: first, each was held by the server that it came to."""
    if "jobs" not in there:
        for name in ("held_by", "held_until"):
            op.drop_column("photos", name)
    op.alter_column("photos", "original", nullable=True)


def _join_photos(op: "Operations", there: set[str]) -> None:
    """Photos of programs go to the others, and what tells when and by whom each is read."""
    if "lone_readings" in there:
        of_photo, size = "reading, original, put_at, owner, dice, body, tries", "coalesce(length(original), 0)"
        lone = (
            f"SELECT {of_photo}, {size}, TRUE, CASE WHEN body IS NULL THEN turn END FROM lone_readings ORDER BY number"
        )
        op.execute(f"INSERT INTO photos ({of_photo}, size, lone, turn) {lone}")
    if "jobs" in there:
        of_job = ", ".join(f"{name} = jobs.{name}" for name in ("table_id", "turn", "tries"))
        op.execute(f"UPDATE photos SET {of_job} FROM jobs WHERE jobs.reading = photos.reading")


STEPS: dict[int, Callable[[Connection, "Operations", MetaData], None]] = {6: _to_version_6, 7: _to_version_7}
