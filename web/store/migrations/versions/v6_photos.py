"""The queue of photos to read, and the photos of programs, become columns of `photos`.

A photo that waits is queued anew by the servers; a program sends anew what was not read yet.
"""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql

revision = "6.photos"
down_revision = "6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if not on_postgresql():
        return
    op.drop_table("lone_readings")
    op.drop_table("jobs")
    op.alter_column("photos", "original", nullable=True)
    for column in (
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE")),
        sa.Column("lone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("dice", sa.Integer),
        sa.Column("body", sa.Text),
        sa.Column("turn", sa.BigInteger),
        sa.Column("number", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("held_by", sa.String(32)),
        sa.Column("held_until", sa.DateTime(timezone=True)),
    ):
        op.add_column("photos", column)
    op.create_index("ix_photos_table", "photos", ["table_id"])
    op.create_index("ix_photos_turn", "photos", ["turn", "number"])
