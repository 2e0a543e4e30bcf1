"""Let a conversation have several versions of a question: the message before each, and which version is chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Older questions have no parent: each follows the message before it by position.
    op.add_column("messages", sa.Column("parent", sa.String))
    op.add_column("messages", sa.Column("chosen", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("messages") as table:
        table.drop_column("chosen")
        table.drop_column("parent")
