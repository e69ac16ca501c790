"""Makes a store on PostgreSQL ready for this Rollcall, by Alembic."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, insert, select, text, update

from web.tables import schema

SCRIPTS = Path(__file__).with_name("migrations")
LOCK = 0x526F6C6C  # an advisory lock's number: of servers that start at once, one makes the store ready


def prepare(engine: Engine) -> None:
    """Makes the tables in an empty database, or takes an older store to the present version: all of it, or nothing.

    Raises `SchemaError` for a store from a newer version, which is left as it is.
    """
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        found = schema.version(connection)
        if found == schema.VERSION and revision(connection) not in _older():
            return
        upgrade(connection)
        if found is None:
            connection.execute(insert(schema.schema_version).values(version=schema.VERSION))
            schema.name_store(connection)
        else:
            connection.execute(update(schema.schema_version).values(version=schema.VERSION))


def upgrade(connection: Connection) -> None:
    """Runs what `migrations/` has and the store has not, in the transaction of `connection`."""
    settings = Config()
    settings.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")


def _older() -> list[str]:
    """The revisions that this Rollcall has a step from. One that it does not know was added beside by a newer one."""
    return [each.revision for each in ScriptDirectory(str(SCRIPTS)).walk_revisions()][1:]


def revision(connection: Connection) -> str | None:
    """The revision that the store has, as Alembic counts."""
    found: str | None = connection.execute(select(text("version_num")).select_from(text("alembic_version"))).scalar()
    return found
