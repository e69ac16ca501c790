"""The phones that a table's owner knows stand with the visits, and the revision of the store beside its version."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import make_visits_anew

revision = "7"
down_revision = "6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if not sa.inspect(op.get_bind()).has_table("members"):
        return  # the revision before made it so
    op.add_column("schema_version", sa.Column("revision", sa.String(32), nullable=False, server_default=sa.text("''")))
    make_visits_anew()
    op.execute(
        'INSERT INTO visits (device, table_id, at, hidden, "out") SELECT device, v.table_id, at, hidden, m."out"'
        " FROM visits_before v LEFT JOIN members m ON m.table_id = v.table_id AND m.member = device"
    )
    op.execute(
        'INSERT INTO visits (device, table_id, hidden, "out") SELECT member, table_id, FALSE, "out" FROM members m'
        " WHERE NOT EXISTS (SELECT 1 FROM visits WHERE visits.table_id = m.table_id AND device = member)"
    )
    op.drop_table("visits_before")
    op.drop_table("members")
