"""Makes a store ready for this Rollcall, whichever engine holds it: an empty one is made, an older one made newer.

Alembic takes older stores through `migrations`. It is loaded for these alone: a store that is ready says so by its
version and its revision, and an empty file is made from the tables as they are now, which comes to the same.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, inspect, select, update

from web.store import schema

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPTS = Path(__file__).parent
REVISION = "5.player_games"  # the newest of `migrations`

# One row, which is Alembic's: the last revision that this store went through.
revisions = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def prepare(connection: Connection) -> None:
    """Makes the tables in an empty store, or takes an older one to the present version.

    Give it a connection in a transaction. Something is always written, so that a store that may not be written is
    noticed now. Raises `SchemaError` for a store from a newer version, which is left as it is.
    """
    found = schema.version(connection)
    if found is None:
        _make(connection)
    elif is_older(connection, found):
        _upgrade(connection, found)
    connection.execute(update(schema.schema_version).values(version=schema.VERSION))
    if connection.dialect.name == "sqlite":
        # The version once more, in the file's header: by both together a flipped bit in one is noticed.
        connection.exec_driver_sql(f"PRAGMA user_version = {schema.VERSION}")


def is_older(connection: Connection, version: int) -> bool:
    """Whether this Rollcall has a revision that a store of this version has not. One of its own version may name a
    revision that nobody knows here: a newer Rollcall added something beside, and it is left alone."""
    held = revision(connection)
    return version < schema.VERSION or (held != REVISION and (held is None or held in _known_revisions()))


def revision(connection: Connection) -> str | None:
    """The revision that the store has, as Alembic counts; None for a file from before Alembic."""
    if not inspect(connection).has_table(revisions.name):
        return None
    found: str | None = connection.execute(select(revisions.c.version_num)).scalar()
    return found


def _make(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        schema.metadata.create_all(connection)
        revisions.create(connection)
        connection.execute(insert(revisions).values(version_num=REVISION))
    else:
        _run(connection)
    connection.execute(insert(schema.schema_version).values(version=schema.VERSION))
    schema.name_store(connection)


def _upgrade(connection: Connection, found: int) -> None:
    revisions.create(connection, checkfirst=True)
    if revision(connection) not in _known_revisions():
        # From before Alembic, or the row is damaged: each version has a revision of its name.
        connection.execute(delete(revisions))
        connection.execute(insert(revisions).values(version_num=str(found)))
    _run(connection)


def _run(connection: Connection) -> None:
    """Runs what `migrations` has and the store has not, in the transaction of `connection`: all of it, or nothing."""
    from alembic import command

    settings = _settings()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")


def _known_revisions() -> set[str]:
    from alembic.script import ScriptDirectory

    return {each.revision for each in ScriptDirectory.from_config(_settings()).walk_revisions()}


def _settings() -> "Config":
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return settings
