"""Let a notebook belong to a workspace."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_TABLE = "workspace_notebooks"
_SAID = "the account was deleted"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("notebook", sa.String, sa.ForeignKey("notebooks.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("workspace", sa.String, sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("owner", sa.String, nullable=False),
    )
    for column in ("workspace", "owner"):
        op.create_index(f"ix_{_TABLE}_{column}", _TABLE, [column])
    # Rows of a person whose account was deleted are refused, as migration 0010 does for older tables.
    begins = f"CREATE TRIGGER {_TABLE}_of_removed BEFORE INSERT ON {_TABLE}"
    if op.get_bind().dialect.name == "sqlite":
        look = "EXISTS (SELECT 1 FROM removed_people WHERE id = NEW.owner)"
        op.execute(f"{begins} WHEN {look} BEGIN SELECT RAISE(ABORT, '{_SAID}'); END")
    else:
        op.execute(f"{begins} FOR EACH ROW EXECUTE FUNCTION refuse_removed_owner()")


def downgrade() -> None:
    op.drop_table(_TABLE)
