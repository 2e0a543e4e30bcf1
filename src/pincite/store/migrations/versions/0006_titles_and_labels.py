"""Add the titles that users give to documents, and the labels printed on pages."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("documents", sa.Column("given_title", sa.Text, nullable=False, server_default=""))
    op.add_column("pages", sa.Column("label", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("pages", "label")
    op.drop_column("documents", "given_title")
