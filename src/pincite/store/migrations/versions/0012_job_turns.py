"""Give jobs a turn among the jobs of all owners, a count of deaths, a time to wait for, and their progress."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_QUEUED, _RUNNING = sa.text("state = 'queued'"), sa.text("state = 'running'")


def upgrade() -> None:
    # Each column has a default, so that programs of the version before may still add jobs.
    op.add_column("jobs", sa.Column("turn", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("deaths", sa.Integer, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("not_before", sa.Double, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("done", sa.Integer, nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("total", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("ix_jobs_priority_id", "jobs")
    op.create_index(
        "ix_jobs_queued",
        "jobs",
        ["step", "priority", "turn", "id"],
        sqlite_where=_QUEUED,
        postgresql_where=_QUEUED,
    )
    op.create_index("ix_jobs_running", "jobs", ["lease_until"], sqlite_where=_RUNNING, postgresql_where=_RUNNING)
    op.create_index(None, "jobs", ["owner", "priority", "step", "turn"])


def downgrade() -> None:
    op.drop_index("ix_jobs_owner_priority_step_turn", "jobs")
    op.drop_index("ix_jobs_running", "jobs")
    op.drop_index("ix_jobs_queued", "jobs")
    op.create_index(None, "jobs", ["priority", "id"])
    for name in ("turn", "deaths", "not_before", "done", "total"):
        op.drop_column("jobs", name)
