"""Create the balances, reservations and bookings of credits, quota overrides and warnings, and referrals."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "credit_balances",
        sa.Column("account", sa.String, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("spent", sa.BigInteger, nullable=False),
        sa.Column("reserved", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account", "month"),
        sa.CheckConstraint("spent >= 0 AND reserved >= 0", name="amounts"),
    )
    op.create_index(None, "credit_balances", ["month"])
    op.create_table(
        "credit_reservations",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("holder", sa.String, nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.CheckConstraint("state IN ('open', 'settled', 'returned')", name="state"),
        sa.CheckConstraint("amount >= 0", name="amount"),
    )
    op.create_index(None, "credit_reservations", ["account"])
    op.create_index(None, "credit_reservations", ["state", "holder"])
    op.create_table(
        "credit_bookings",
        sa.Column("reservation", sa.String, sa.ForeignKey("credit_reservations.id"), nullable=False),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("reservation", "model"),
        sa.CheckConstraint("amount >= 0", name="amount"),
    )
    op.create_index(None, "credit_bookings", ["account", "month"])
    op.create_table(
        "quota_overrides",
        sa.Column("account", sa.String, primary_key=True),
        sa.Column("amount", sa.BigInteger),
        sa.CheckConstraint("amount >= 0", name="amount"),
    )
    op.create_table(
        "quota_warnings",
        sa.Column("account", sa.String, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("percent", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("account", "month", "percent"),
    )
    op.create_table(
        "referral_codes",
        sa.Column("person", sa.String, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("code"),
    )
    op.create_table(
        "referral_redemptions",
        sa.Column("redeemer", sa.String, primary_key=True),
        sa.Column("referrer", sa.String, nullable=False),
        sa.Column("redeemer_amount", sa.BigInteger, nullable=False),
        sa.Column("referrer_amount", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.CheckConstraint("redeemer <> referrer", name="people"),
    )
    op.create_index(None, "referral_redemptions", ["referrer"])


def downgrade() -> None:
    for table in (
        "referral_redemptions",
        "referral_codes",
        "quota_warnings",
        "quota_overrides",
        "credit_bookings",
        "credit_reservations",
        "credit_balances",
    ):
        op.drop_table(table)
