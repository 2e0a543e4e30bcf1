"""Create the tables of providers and models that are set on the page."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_providers",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("encrypted", sa.Text, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
    )
    op.create_table(
        "known_models",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("added", sa.Double),
        sa.Column("tried", sa.Double),
        sa.Column("streams", sa.Boolean),
        sa.Column("tools", sa.Boolean),
        sa.Column("judges", sa.Boolean),
    )


def downgrade() -> None:
    op.drop_table("known_models")
    op.drop_table("model_providers")
