"""People, accounts and sums of credits for tests."""

from sqlalchemy import func, insert, select

from pincite.accounts.credit_prices import Spending
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.store.account_schema import people
from pincite.store.credit_schema import credit_balances, credit_bookings, credit_reservations
from pincite.store.credits import Balance
from pincite.store.database import Connection

MODEL = "test:model"  # without a price: a credit for 1000 tokens
NOW = 1_000_000_000.0  # in 2001-09, far from the end of the month
DAY = 86_400.0


def add_person(connection: Connection, id: str, created: float = NOW, role: str = "member") -> QuotaAccount:
    values = {"id": id, "name": id, "name_key": id, "email": "", "role": role, "disabled": False, "password": ""}
    connection.execute(insert(people).values(values | {"created": created, "updated": created}))
    return QuotaAccount(id, "member")


def spend(credits: float) -> list[Spending]:
    """Requests that cost so many credits."""
    return [Spending(MODEL, input_tokens=round(credits * 1000), requests=1)]


def sum_rows(connection: Connection) -> dict[tuple[str, str], Balance]:
    """Return the sums of the bookings and open reservations of each account and month."""
    found: dict[tuple[str, str], Balance] = {}
    for table, is_reserved in ((credit_bookings, False), (credit_reservations, True)):
        query = select(table.c.account, table.c.month, func.sum(table.c.amount))
        if is_reserved:
            query = query.where(credit_reservations.c.state == "open")
        for account, month, amount in connection.execute(query.group_by(table.c.account, table.c.month)):
            known = found.get((account, month), Balance())
            spent, reserved = (0, int(amount)) if is_reserved else (int(amount), 0)
            found[account, month] = Balance(known.spent + spent, known.reserved + reserved)
    return {key: balance for key, balance in found.items() if balance.committed}


def read_balances(connection: Connection) -> dict[tuple[str, str], Balance]:
    """Return the stored balances."""
    rows = connection.execute(select(credit_balances))
    found = {(row.account, row.month): Balance(row.spent, row.reserved) for row in rows}
    return {key: balance for key, balance in found.items() if balance.committed}
