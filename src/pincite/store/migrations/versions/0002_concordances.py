"""Create concordances, which locating needs; they are made when a document is read."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    reference = sa.ForeignKey("documents.id", ondelete="CASCADE")
    op.create_table(
        "concordances",
        sa.Column("document", sa.String, reference, nullable=False, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("concordances")
