"""Photos under review tell from which address they came. Added beside version 5, of which the games themselves are."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql

revision = "5.photo_owners"
down_revision = "5.owners"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if on_postgresql():
        op.add_column("photos", sa.Column("owner", sa.String(64)))
