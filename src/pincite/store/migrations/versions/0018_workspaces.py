"""Create workspaces with their libraries and conversations."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TABLES = ("workspaces", "workspace_libraries", "workspace_conversations")
_SAID = "the account was deleted"


def upgrade() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("instructions", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.UniqueConstraint("owner", "name"),
    )
    op.create_table(
        "workspace_libraries",
        sa.Column("workspace", sa.String, sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("library_owner", sa.String, nullable=False),
        sa.Column("library", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("workspace", "library_owner", "library"),
    )
    op.create_table(
        "workspace_conversations",
        sa.Column("conversation", sa.String, sa.ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("workspace", sa.String, sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
    )
    for table, column in (
        ("workspace_libraries", "owner"),
        ("workspace_libraries", "library_owner"),
        ("workspace_conversations", "workspace"),
        ("workspace_conversations", "owner"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
    for table in _TABLES:
        _refuse_removed_owners(table)


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _refuse_removed_owners(table: str) -> None:
    """Refuse rows of a person whose account was deleted, as migration 0010 does for older tables."""
    begins = f"CREATE TRIGGER {table}_of_removed BEFORE INSERT ON {table}"
    if op.get_bind().dialect.name == "sqlite":
        look = "EXISTS (SELECT 1 FROM removed_people WHERE id = NEW.owner)"
        op.execute(f"{begins} WHEN {look} BEGIN SELECT RAISE(ABORT, '{_SAID}'); END")
    else:
        op.execute(f"{begins} FOR EACH ROW EXECUTE FUNCTION refuse_removed_owner()")
