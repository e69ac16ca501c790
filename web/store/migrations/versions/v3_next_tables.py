"""Version 3: a table knows the next one and the digest of its record, a phone's list what was taken off it."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("next_key", sa.String(64)))
    op.add_column("tables", sa.Column("digest", sa.String(64)))
    op.add_column("visits", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.text("FALSE")))
