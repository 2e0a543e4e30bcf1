"""Create the records of moves to another database, and the list of rows that changed while one runs."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None

_serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "moves",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.Column("progress", sa.JSON, nullable=False),
        sa.Column("started", sa.Double, nullable=False),
        sa.Column("ended", sa.Double),
        sa.CheckConstraint("role IN ('source', 'target')", name="role"),
        sa.CheckConstraint("state IN ('copying', 'moved', 'complete')", name="state"),
    )
    op.create_table(
        "move_changes",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        sa.Column("changed", sa.String, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("move_changes")
    op.drop_table("moves")
