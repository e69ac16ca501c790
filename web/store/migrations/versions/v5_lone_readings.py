"""Photos of programs wait for the readers of a database too. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql

revision = "5.lone_readings"
down_revision = "5.owner_tokens"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if on_postgresql():
        number = sa.text("nextval(pg_get_serial_sequence('jobs', 'number'))")
        op.create_table(
            "lone_readings",
            sa.Column("reading", sa.String(64), primary_key=True),
            sa.Column("original", sa.LargeBinary),
            sa.Column("dice", sa.Integer),
            sa.Column("body", sa.Text),
            sa.Column("put_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
            sa.Column("owner", sa.String(64), nullable=False),
            sa.Column("turn", sa.BigInteger, nullable=False),
            sa.Column("number", sa.BigInteger, nullable=False, server_default=number),
            sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
            sa.Column("held_by", sa.String(32)),
            sa.Column("held_until", sa.DateTime(timezone=True)),
        )
