"""Create the table of tags."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_tags",
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("library", sa.String, nullable=False),
        sa.Column("document", sa.String, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("tag", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("owner", "library", "document", "tag"),
    )
    op.create_index(None, "document_tags", ["document"])


def downgrade() -> None:
    op.drop_table("document_tags")
