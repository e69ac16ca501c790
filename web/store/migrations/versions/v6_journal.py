"""The journal: what happened at each table, as events, and from now on all that is stored of it.

That of an older table is written from its log and settings. What is only read for lists follows from events.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from web.journal.codec import TRACE, NewEvent
from web.journal.journal import NO_EVENT
from web.store import journalling, projections, schema
from web.store.migrations.common import make_visits_anew, on_postgresql, table_id
from web.store.migrations.old_tables import GONE, OldTables
from web.table.events import Stored

revision = "6"
down_revision = "5.webhook_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        table_id(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("chain", sa.String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blobs",
        table_id(),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    make_visits_anew()
    of_phones = "device, table_id, at, hidden"
    op.execute(f"INSERT INTO visits ({of_phones}) SELECT {of_phones} FROM visits_before")
    op.drop_table("visits_before")
    op.create_table(
        "erased",
        sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.Index("ix_erased_mark", "mark"),
    )
    op.execute("INSERT INTO erased (table_id, mark) SELECT table_id, mark FROM deletions WHERE at = ''")
    op.create_table(
        "phone_games",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Index("ix_phone_games_digest", "digest"),
    )
    of_games = "SELECT device, digest, name, file, at FROM kept_games JOIN own_games USING (digest)"
    op.execute(f"INSERT INTO phone_games (device, digest, name, file, at) {of_games}")
    older = OldTables(op.get_bind())
    _add_columns()
    _write_journals(op.get_bind(), older)
    for name in GONE:
        op.drop_table(name)
    if on_postgresql():
        op.execute("DROP TABLE IF EXISTS changes")  # the number of a table's last event says the same
        op.execute("DROP FUNCTION IF EXISTS mark_stale_game()")
        _join_photos()
    for name, column in (("tables", "sum"), ("tables", "head")):
        op.execute(f"ALTER TABLE {name} DROP COLUMN {column}")


def _join_photos() -> None:
    """Photos of programs go to the others, and what tells when and by whom each is read."""
    for column in (
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE")),
        sa.Column("lone", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("dice", sa.Integer),
        sa.Column("body", sa.Text),
        sa.Column("turn", sa.BigInteger),
        sa.Column("number", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("held_by", sa.String(32)),
        sa.Column("held_until", sa.DateTime(timezone=True)),
    ):
        op.add_column("photos", column)
    op.alter_column("photos", "original", nullable=True)
    of_photo, size = "reading, original, put_at, owner, dice, body, tries", "coalesce(length(original), 0)"
    turn = "CASE WHEN body IS NULL THEN turn END"
    lone = f"SELECT {of_photo}, {size}, TRUE, {turn} FROM lone_readings ORDER BY number"
    op.execute(f"INSERT INTO photos ({of_photo}, size, lone, turn) {lone}")
    of_job = ", ".join(f"{name} = jobs.{name}" for name in ("table_id", "turn", "tries"))
    op.execute(f"UPDATE photos SET {of_job} FROM jobs WHERE jobs.reading = photos.reading")
    op.drop_table("lone_readings")
    op.drop_table("jobs")
    op.create_index("ix_photos_table", "photos", ["table_id"])
    op.create_index("ix_photos_turn", "photos", ["turn", "number"])


def _write_journals(connection: sa.Connection, older: OldTables) -> None:
    """Writes each table's journal, and what lists show of it. Both name its blobs, which come first."""
    journal = journalling.journal_of(connection)
    for number in older.numbers:
        for blob in older.blobs_of(number):
            journal.insert_blob(number, blob)
        happened = older.events_of(number)
        journal.append(number, NO_EVENT, [_encode(event) for event in happened])
        projections.rebuild(connection, number, happened)


def _encode(event: Stored) -> NewEvent:
    """The event as the journal keeps it. Its samples and pictures are there already."""
    new = journalling.encode_now(event, _NoBodies())
    return new._replace(blobs=[blob for blob in new.blobs if blob.kind == TRACE])


class _NoBodies(dict[str, bytes]):
    def __missing__(self, name: str) -> bytes:
        return b""


def _add_columns() -> None:
    empty, no, zero = sa.text("''"), sa.text("FALSE"), sa.text("0")
    of_tables: tuple[sa.Column[Any], ...] = (
        sa.Column("owner", sa.String(64), nullable=False, server_default=empty),
        sa.Column("guarded", sa.Boolean, nullable=False, server_default=no),
        sa.Column("dice_set", sa.String(40), nullable=False, server_default=empty),
        sa.Column("reading", sa.String(64)),
        sa.Column("waiting", sa.Boolean, nullable=False, server_default=no),
        sa.Column("imported", sa.Boolean, nullable=False, server_default=no),
        sa.Column("early", sa.Boolean, nullable=False, server_default=no),
        sa.Column("deleted_at", sa.String(32)),
    )
    of_webhooks: tuple[sa.Column[Any], ...] = (
        sa.Column("number", schema.Many, nullable=False, server_default=zero),
        sa.Column("tries", sa.Integer, nullable=False, server_default=zero),
        sa.Column("due", sa.Float, nullable=False, server_default=zero),
        sa.Column("failure", sa.String(20), nullable=False, server_default=empty),
        sa.Column("given_up", sa.Boolean, nullable=False, server_default=no),
        sa.Column("held_by", sa.String(32)),
        sa.Column("held_until", sa.Float),
        sa.Column("origin", sa.String(64), nullable=False, server_default=empty),
        sa.Column("receiver", sa.String(300), nullable=False, server_default=empty),
    )
    for table, columns in (("tables", of_tables), ("webhooks", of_webhooks)):
        for column in columns:
            op.add_column(table, column)
    for name in ("name", "revision"):
        op.add_column("schema_version", sa.Column(name, sa.String(32), nullable=False, server_default=empty))
    op.execute("UPDATE schema_version SET name = (SELECT name FROM identity)")
    told = ("number", "tries", "due", "failure", "given_up", "origin", "receiver")
    of_delivery = "FROM deliveries WHERE deliveries.table_id = webhooks.table_id AND deliveries.webhook = webhooks.id"
    held = f"SELECT 1 {of_delivery}"
    op.execute(f"DELETE FROM webhooks WHERE NOT EXISTS ({held})")
    op.execute("UPDATE webhooks SET " + ", ".join(f"{name} = (SELECT {name} {of_delivery})" for name in told))
