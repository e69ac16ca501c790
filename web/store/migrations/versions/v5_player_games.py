"""Statistics get rows of their own, and lists the indexes that they need. Added beside version 5.

What only a replay of a log tells stays open here: it is worked out when somebody asks for it.
"""

import sqlalchemy as sa
from alembic import op

from web.store.migrations import old_checksums as checksums
from web.store.migrations.common import on_postgresql
from web.table.names import fold

revision = "5.player_games"
down_revision = "5.choices"
branch_labels = None
depends_on = None

AT_ONCE = 1000  # tables whose rows are in memory
NOT_OVER = sa.text("finished_at IS NULL")
BASIS = """
SELECT tables.id AS table_id, results.player, tables.game, tables.active_no AS ended_no, results.name, results.score,
  results.place, tables.digest,
  EXISTS (SELECT 1 FROM log WHERE log.table_id = tables.id AND log.seq = 1 AND log.request = 'import-1'
    AND log.device = '') AS imported
FROM results JOIN tables ON tables.id = results.table_id
WHERE tables.id > :after AND tables.id <= :last AND tables.finished_at IS NOT NULL
"""
ROWS = sa.table("player_games", *map(sa.column, (*checksums.PLAYER_GAME, "sum")))
# PostgreSQL has no triggers without a function.
MARKS = """
CREATE FUNCTION mark_stale_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO stale_games (table_id) VALUES (OLD.table_id) ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO stale_games (table_id) VALUES (NEW.table_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    _make_indexes()
    _make_tables()
    _fill()
    _make_triggers()


def _make_indexes() -> None:
    if not on_postgresql():  # which had it from the beginning
        op.create_index("ix_tables_next_key", "tables", ["next_key"])
    op.create_index("ix_tables_running", "tables", ["active_no"], sqlite_where=NOT_OVER, postgresql_where=NOT_OVER)
    op.create_index("ix_dice_sets_name", "dice_sets", ["name", "table_id"])
    op.create_index("ix_visits_table", "visits", ["table_id"])


def _of_table() -> "sa.Column[int]":
    return sa.Column(
        "table_id", sa.Integer, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )


def _make_tables() -> None:
    op.create_table(
        "player_games",
        _of_table(),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("ended_no", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("digest", sa.String(64)),
        sa.Column("replayed", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("best", sa.Integer),
        sa.Column("busts", sa.Integer),
        sa.Column("turns", sa.Integer),
        sa.Column("fell", sa.String(80)),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_index("ix_player_games_person", "player_games", ["person", "game", "ended_no"])
    op.create_index("ix_player_games_digest", "player_games", ["digest"])
    op.create_table("stale_games", _of_table())


def _fill() -> None:
    connection = op.get_bind()
    highest = connection.execute(sa.text("SELECT coalesce(max(id), 0) FROM tables")).scalar_one()
    for after in range(0, highest, AT_ONCE):
        found = connection.execute(sa.text(BASIS), {"after": after, "last": after + AT_ONCE})
        rows = []
        for basis in found.mappings():
            row = {**dict.fromkeys(checksums.PLAYER_GAME), **basis}
            row |= {"person": fold(row["name"]), "imported": bool(row["imported"]), "replayed": 0}
            row["sum"] = checksums.player_game_sum(row[name] for name in checksums.PLAYER_GAME)
            rows.append(row)
        if rows:
            connection.execute(sa.insert(ROWS), rows)


def _make_triggers() -> None:
    if on_postgresql():
        op.execute(MARKS)
        op.execute(
            "CREATE TRIGGER results_changed AFTER INSERT OR DELETE ON results"
            " FOR EACH ROW EXECUTE FUNCTION mark_stale_game()"
        )
        return
    for what, row in (("INSERT", "NEW"), ("DELETE", "OLD")):
        op.execute(
            f"CREATE TRIGGER results_{what.lower()} AFTER {what} ON results BEGIN"
            f" INSERT OR IGNORE INTO stale_games (table_id) VALUES ({row}.table_id); END"
        )
