"""Define the tables of credits: balances, reservations, bookings, allowances and referrals."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

from pincite.store.schema_metadata import metadata

# Amounts of credits are integers, in millionths of a credit. `account` is the id of a person, or of a guest, who has no
# row in `people`; empty after the person was removed. `month` is a month in UTC, as 2031-05.

# The sum of the bookings and of the open reservations of an account in a month.
credit_balances = Table(
    "credit_balances",
    metadata,
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("spent", BigInteger, nullable=False),
    Column("reserved", BigInteger, nullable=False),
    PrimaryKeyConstraint("account", "month"),
    CheckConstraint("spent >= 0 AND reserved >= 0", name="amounts"),
    Index(None, "month"),
)

credit_reservations = Table(
    "credit_reservations",
    metadata,
    Column("id", String, primary_key=True),
    Column("account", String, nullable=False),
    # The role of the person, which decides the allowance.
    Column("role", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("amount", BigInteger, nullable=False),
    # `returned`: nothing was spent, or the process that held it ended.
    Column("state", String, nullable=False),
    Column("holder", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("state IN ('open', 'settled', 'returned')", name="state"),
    CheckConstraint("amount >= 0", name="amount"),
    Index(None, "account"),
    Index(None, "state", "holder"),
)

# The cost of an answer, one row for each model, and one for its requests to the web.
credit_bookings = Table(
    "credit_bookings",
    metadata,
    Column("reservation", String, ForeignKey("credit_reservations.id"), nullable=False),
    Column("model", String, nullable=False),
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("reservation", "model"),
    CheckConstraint("amount >= 0", name="amount"),
    Index(None, "account", "month"),
)

# The month's allowance of one account, in place of the one of its role; null is no limit.
quota_overrides = Table(
    "quota_overrides",
    metadata,
    Column("account", String, primary_key=True),
    Column("amount", BigInteger),
    CheckConstraint("amount >= 0", name="amount"),
)

quota_warnings = Table(
    "quota_warnings",
    metadata,
    # Empty for the whole server.
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("percent", Integer, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("account", "month", "percent"),
)

referral_codes = Table(
    "referral_codes",
    metadata,
    Column("person", String, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("code", String, nullable=False),
    Column("created", Double, nullable=False),
    UniqueConstraint("code"),
)

# The primary key lets a person redeem one code. Ids outlive people: a removed person still counts for the other.
referral_redemptions = Table(
    "referral_redemptions",
    metadata,
    Column("redeemer", String, primary_key=True),
    Column("referrer", String, nullable=False),
    # The credits that each of the two gets in every month.
    Column("redeemer_amount", BigInteger, nullable=False),
    Column("referrer_amount", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("redeemer <> referrer", name="people"),
    Index(None, "referrer"),
)
