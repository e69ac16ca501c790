"""Version 2: tables are put in order by a count, no longer by the clock."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None

TABLES = sa.table("tables", sa.column("id"), sa.column("active_at"), sa.column("active_no"))


def upgrade() -> None:
    many = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("tables", sa.Column("active_no", many, nullable=False, server_default=sa.text("0")))
    oldest_first = sa.select(TABLES.c.id).order_by(TABLES.c.active_at, TABLES.c.id)
    connection = op.get_bind()
    numbered = [
        {"table": table, "number": number}
        for number, table in enumerate(connection.execute(oldest_first).scalars().all(), start=1)
    ]
    if numbered:
        one = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("table")).values(active_no=sa.bindparam("number"))
        connection.execute(one, numbered)
    op.create_index("ix_tables_active", "tables", ["active_no"])
