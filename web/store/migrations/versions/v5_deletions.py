"""Tables can be deleted, and statistics tell games apart that people ended early. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "5.deletions"
down_revision = "5.player_games"
branch_labels = None
depends_on = None

# Games that people may have ended by hand: their rows are derived again before anybody reads them.
MARK = """
INSERT INTO stale_games (table_id) SELECT DISTINCT log.table_id FROM log JOIN tables ON tables.id = log.table_id
WHERE tables.finished_at IS NOT NULL AND log.body LIKE '%"game"%'
AND log.table_id NOT IN (SELECT table_id FROM stale_games)
"""


def upgrade() -> None:
    op.create_table(
        "deletions",
        sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_index("ix_deletions_mark", "deletions", ["mark"])
    op.create_table(
        "early_games",
        table_id(),
        sa.Column("ended_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.execute(MARK)
