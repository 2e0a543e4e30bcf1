"""Store the warnings about used credits, so that each is given once in a month."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, select

from pincite.store.credit_schema import quota_warnings
from pincite.store.upsert import insert_if_absent


def add_new(connection: Connection, account: str, month: str, percents: Iterable[int], now: float) -> list[int]:
    """Store the warnings at these percentages, and return those that were not stored before."""
    shared = {"account": account, "month": month, "created": now}
    return [
        percent for percent in percents if insert_if_absent(connection, quota_warnings, {**shared, "percent": percent})
    ]


def list_given(connection: Connection, account: str, month: str) -> list[int]:
    """Return the percentages about which an account was warned in a month."""
    table = quota_warnings
    query = select(table.c.percent).where(table.c.account == account, table.c.month == month)
    return list(connection.scalars(query.order_by(table.c.percent)))


def remove_account(connection: Connection, account: str) -> None:
    """Remove the warnings of an account."""
    connection.execute(delete(quota_warnings).where(quota_warnings.c.account == account))
