"""Create the settings that users choose on the page, and add an error code to documents."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "choices",
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("owner", "key"),
    )
    op.add_column("documents", sa.Column("error_code", sa.String, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("documents", "error_code")
    op.drop_table("choices")
