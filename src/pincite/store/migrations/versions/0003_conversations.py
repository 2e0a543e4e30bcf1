"""Create conversations with their messages and events, ratings, usage and personas."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _conversation() -> "sa.Column[str]":
    reference = sa.ForeignKey("conversations.id", ondelete="CASCADE")
    return sa.Column("conversation", sa.String, reference, nullable=False)


def upgrade() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
    )
    op.create_index(None, "conversations", ["owner", "updated", "id"])
    op.create_table(
        "messages",
        sa.Column("id", sa.String, primary_key=True),
        _conversation(),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("asked", sa.JSON, nullable=False),
        sa.Column("answer", sa.JSON),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("process", sa.String, nullable=False),
        sa.Column("heartbeat", sa.Double, nullable=False),
        sa.Column("stopping", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.UniqueConstraint("conversation", "position"),
        sa.CheckConstraint("role IN ('user', 'assistant')", name="role"),
        sa.CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name="state"),
    )
    op.create_table(
        "events",
        _conversation(),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("message", sa.String, nullable=False),
        sa.Column("type", sa.String, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("conversation", "seq"),
    )
    op.create_table(
        "ratings",
        sa.Column("message", sa.String, sa.ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("message", "owner"),
        sa.CheckConstraint("value IN (-1, 1)", name="value"),
    )
    op.create_table(
        "usage",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("message", sa.String, sa.ForeignKey("messages.id", ondelete="SET NULL")),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.CheckConstraint("role IN ('chat', 'system')", name="role"),
    )
    op.create_index(None, "usage", ["owner", "created"])
    op.create_index(None, "usage", ["message"])
    op.create_table(
        "personas",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("instructions", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.UniqueConstraint("owner", "name"),
    )


def downgrade() -> None:
    for table in ("personas", "usage", "ratings", "events", "messages", "conversations"):
        op.drop_table(table)
