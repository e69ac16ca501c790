"""Phones keep games that people made. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

revision = "5.own_games"
down_revision = "5.programs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_games",
        sa.Column("digest", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_table(
        "kept_games",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(16), sa.ForeignKey("own_games.digest", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
    )
