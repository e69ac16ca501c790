"""The journal: what happened at each table, as events. That of an older table is written from its log and settings.

Settings stand in the journal alone from now on; for lists, a table's row has some of them too.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from web.store import journalling, schema, writing
from web.store.migrations.common import on_postgresql, table_id
from web.store.migrations.old_settings import GONE, OldSettings

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
    op.create_table(
        "members",
        table_id(),
        sa.Column("member", sa.String(100), primary_key=True),
        sa.Column("out", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Index("ix_members_member", "member"),
    )
    _add_columns()
    connection = op.get_bind()
    older = OldSettings(connection)
    for number in connection.scalars(sa.select(schema.tables.c.id).order_by(schema.tables.c.id)).all():
        settings = older.read(number)
        journalling.insert_blobs(connection, number, older.blobs_of(number))
        journalling.derive(connection, number, settings)
        writing.project(connection, number, settings)
    for name in GONE:
        op.drop_table(name)
    if on_postgresql():
        op.execute("DROP TABLE IF EXISTS changes")  # the number of a table's last event says the same


def _add_columns() -> None:
    empty, no, zero = sa.text("''"), sa.text("FALSE"), sa.text("0")
    of_tables: tuple[sa.Column[Any], ...] = (
        sa.Column("owner", sa.String(64), nullable=False, server_default=empty),
        sa.Column("guarded", sa.Boolean, nullable=False, server_default=no),
        sa.Column("dice_set", sa.String(40), nullable=False, server_default=empty),
        sa.Column("reading", sa.String(64)),
        sa.Column("waiting", sa.Boolean, nullable=False, server_default=no),
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
    told = ("number", "tries", "due", "failure", "given_up", "origin", "receiver")
    of_delivery = "FROM deliveries WHERE deliveries.table_id = webhooks.table_id AND deliveries.webhook = webhooks.id"
    held = f"SELECT 1 {of_delivery}"
    op.execute(f"DELETE FROM webhooks WHERE NOT EXISTS ({held})")
    op.execute("UPDATE webhooks SET " + ", ".join(f"{name} = (SELECT {name} {of_delivery})" for name in told))
