"""Create what several servers share: requests to end searches, rate limits, passwords of waiting documents."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A default lets servers of the former version go on adding messages.
    op.add_column("messages", sa.Column("stopping_retrieval", sa.Boolean, nullable=False, server_default=sa.false()))
    running = sa.text("state = 'running'")
    op.create_index("ix_messages_running", "messages", ["conversation"], postgresql_where=running, sqlite_where=running)
    op.create_table(
        "rate_buckets",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("full_at", sa.Double, nullable=False),
    )
    op.create_table(
        "document_passwords",
        sa.Column("document", sa.String, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("encrypted", sa.String, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("document_passwords")
    op.drop_table("rate_buckets")
    op.drop_index("ix_messages_running", "messages")
    op.drop_column("messages", "stopping_retrieval")
