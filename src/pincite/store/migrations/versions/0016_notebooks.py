"""Create notebooks, the things kept in them, and highlights and comments on documents."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notebooks",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
    )
    op.create_index(None, "notebooks", ["owner", "updated"])
    op.create_table(
        "notebook_items",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("notebook", sa.String, sa.ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("conversation", sa.String, nullable=False),
        sa.Column("message", sa.String, nullable=False),
        sa.Column("proof", sa.JSON, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.CheckConstraint("kind IN ('sentence', 'answer', 'passage', 'text')", name="kind"),
    )
    op.create_index(None, "notebook_items", ["notebook", "position"])
    op.create_index(None, "notebook_items", ["owner"])
    op.create_table(
        "annotations",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("document", sa.String, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("page", sa.Integer),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("colour", sa.String, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("generation", sa.BigInteger),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.CheckConstraint("colour IN ('yellow', 'green', 'blue', 'pink')", name="colour"),
        sa.CheckConstraint("state IN ('found', 'lost')", name="state"),
    )
    op.create_index(None, "annotations", ["owner", "document", "start"])
    op.create_index(None, "annotations", ["document"])


def downgrade() -> None:
    op.drop_table("annotations")
    op.drop_table("notebook_items")
    op.drop_table("notebooks")
