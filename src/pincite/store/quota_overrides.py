"""Store the month's allowance of single accounts, which replaces the one of their role."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, text

from pincite.store.credit_schema import quota_overrides
from pincite.store.upsert import upsert

_FIND = text("SELECT account, amount FROM quota_overrides WHERE account = :account")


@dataclass(frozen=True, slots=True)
class QuotaOverride:
    """The allowance of one account, in millionths of a credit; None is no limit."""

    account: str
    amount: int | None


def find(connection: Connection, account: str) -> QuotaOverride | None:
    """Return the override of an account, or None if it has the allowance of its role."""
    row = connection.execute(_FIND, {"account": account}).one_or_none()
    return QuotaOverride(row.account, row.amount) if row else None


def list_overrides(connection: Connection) -> list[QuotaOverride]:
    """Return the overrides of all accounts."""
    rows = connection.execute(select(quota_overrides).order_by(quota_overrides.c.account))
    return [QuotaOverride(row.account, row.amount) for row in rows]


def set_override(connection: Connection, account: str, amount: int | None) -> None:
    """Give an account an allowance of its own; None is no limit."""
    upsert(connection, quota_overrides, {"account": account, "amount": amount}, ("account",))


def remove_override(connection: Connection, account: str) -> bool:
    """Give an account the allowance of its role again; return False if it had no other."""
    return connection.execute(delete(quota_overrides).where(quota_overrides.c.account == account)).rowcount > 0
