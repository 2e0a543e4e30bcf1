"""Create the measurements of how well each judging model agrees with human readers."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calibrations",
        sa.Column("model", sa.String, primary_key=True),
        sa.Column("agreed", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("doubted", sa.Integer, nullable=False),
        sa.Column("unjudged", sa.Integer, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("when", sa.Double, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("calibrations")
