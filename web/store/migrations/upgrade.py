"""Prepares a store on either engine: creates an empty one, upgrades an older one.

Alembic runs `migrations` and is loaded only for older stores. An up-to-date store is known by its version and its
revision; an empty file gets the present tables, which comes to the same.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, inspect, select, update

from web.store import schema

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPTS = Path(__file__).parent
REVISION = "7"  # the newest of `migrations`
LAST_OF = {5: "5.webhook_places"}  # the last revision within a version that has several

# One row, for Alembic: the revision of the store. It is there while Alembic runs, and in stores of before version 7.
revisions = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def prepare(connection: Connection) -> None:
    """Creates the tables of an empty store, or upgrades an older one, in the transaction of `connection`.

    It always writes, so that a read-only store is noticed now. Raises `SchemaError` for a store from a newer version,
    which stays as it is.
    """
    found = schema.version(connection)
    if found is None:
        _make(connection)
    elif is_older(connection, found):
        _upgrade(connection, found)
    connection.execute(update(schema.schema_version).values(version=schema.VERSION))
    if connection.dialect.name == "sqlite":
        # A second copy of the version, in the file's header, so that a flipped bit in either is noticed.
        connection.exec_driver_sql(f"PRAGMA user_version = {schema.VERSION}")


def is_older(connection: Connection, version: int) -> bool:
    """Whether a store of this version lacks a revision. A store of our version with an unknown revision does not: a
    newer Rollcall added something that this one can ignore."""
    held = revision(connection)
    return version < schema.VERSION or (held != REVISION and (held is None or held in _known_revisions()))


def revision(connection: Connection) -> str | None:
    """The store's revision by Alembic; None for a file from before Alembic."""
    found = inspect(connection)
    if any(column["name"] == "revision" for column in found.get_columns(schema.schema_version.name)):
        return str(connection.execute(select(schema.schema_version.c.revision)).scalar_one())
    return connection.execute(select(revisions.c.version_num)).scalar() if found.has_table(revisions.name) else None


def _make(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        schema.metadata.create_all(connection)
        made = REVISION
    else:
        made = _run(connection)
    connection.execute(insert(schema.schema_version).values(version=schema.VERSION, revision=made))
    schema.name_store(connection)


def _upgrade(connection: Connection, found: int) -> None:
    held = revision(connection)
    if held not in _known_revisions():
        # From before Alembic, or damaged: each version has a revision of its name, with which it began.
        held = str(found) if held is None else LAST_OF.get(found, str(found))
    made = _run(connection, held)
    connection.execute(update(schema.schema_version).values(revision=made))


def _run(connection: Connection, held: str | None = None) -> str:
    """Runs the migrations after the revision `held` in the transaction of `connection`, all or none. Returns the newest
    revision."""
    from alembic import command

    revisions.create(connection, checkfirst=True)
    connection.execute(delete(revisions))
    if held is not None:
        connection.execute(insert(revisions).values(version_num=held))
    settings = _settings()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
    made = str(connection.execute(select(revisions.c.version_num)).scalar_one())
    revisions.drop(connection)
    return made


def _known_revisions() -> set[str]:
    from alembic.script import ScriptDirectory

    return {each.revision for each in ScriptDirectory.from_config(_settings()).walk_revisions()}


def _settings() -> "Config":
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return settings
