"""Store reservations and bookings of credits; each balance is the sum of an account's rows in one month.

Amounts are integers in millionths of a credit, so that sums are exact. A function that changes a balance first takes
one lock for all credits, so that no two transactions decide on the same rest of an allowance.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, Select, func, insert, select, text, update

from pincite.errors import NotFound
from pincite.store import lock_keys
from pincite.store.credit_schema import credit_balances, credit_bookings, credit_reservations
from pincite.store.people import Role
from pincite.store.process_names import is_gone
from pincite.store.upsert import insert_if_absent

CREDIT = 1_000_000  # of the units in which amounts are stored
# Each question of a team waits for these: as text they need a quarter of the time, most of which went into building
# them anew.
_BALANCE = text("SELECT spent, reserved FROM credit_balances WHERE account = :account AND month = :month")
_ADD_RESERVATION = text(
    "INSERT INTO credit_reservations (id, account, role, month, amount, state, holder, lease_until, created) "
    "VALUES (:id, :account, :role, :month, :amount, 'open', :holder, :lease_until, :created)"
)
_RAISE_BALANCE = text(
    "INSERT INTO credit_balances (account, month, spent, reserved) VALUES (:account, :month, :spent, :reserved) "
    "ON CONFLICT (account, month) DO UPDATE SET spent = credit_balances.spent + excluded.spent, "
    "reserved = credit_balances.reserved + excluded.reserved"
)
_CHANGE_BALANCE = text(
    "UPDATE credit_balances SET spent = spent + :spent, reserved = reserved + :reserved "
    "WHERE account = :account AND month = :month"
)


@dataclass(frozen=True, slots=True)
class Balance:
    """The credits of an account that are spent in a month, and those that are reserved for running answers."""

    spent: int = 0
    reserved: int = 0

    @property
    def committed(self) -> int:
        return self.spent + self.reserved


@dataclass(frozen=True, slots=True)
class Reservation:
    """Credits that one answer may spend, in the month in which its question was asked."""

    id: str
    account: str
    role: Role
    month: str
    amount: int
    holder: str
    lease_until: float


@dataclass(frozen=True, slots=True)
class Booking:
    """The cost of one model in an answer, or in several answers."""

    model: str
    amount: int
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class AccountBalance:
    """The balance of one account in one month."""

    account: str
    month: str
    balance: Balance


def lock_credits(connection: Connection) -> None:
    """Let no other transaction change credits until this one ends. On SQLite a transaction that writes is alone."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_keys.CREDITS})


def get_balance(connection: Connection, account: str, month: str) -> Balance:
    """Return the balance of an account in a month."""
    row = connection.execute(_BALANCE, {"account": account, "month": month}).one_or_none()
    return Balance(*row) if row else Balance()


def sum_balances(connection: Connection, month: str) -> Balance:
    """Return the balance of all accounts together in a month."""
    sums = (func.coalesce(func.sum(column), 0) for column in (credit_balances.c.spent, credit_balances.c.reserved))
    spent, reserved = connection.execute(select(*sums).where(credit_balances.c.month == month)).one()
    return Balance(int(spent), int(reserved))


def list_balances(connection: Connection, months: Collection[str], account: str | None = None) -> list[AccountBalance]:
    """Return the balances in some months, of one account or of all: the latest month and the largest first."""
    table = credit_balances
    query = select(table).where(table.c.month.in_(months))
    if account is not None:
        query = query.where(table.c.account == account)
    rows = connection.execute(query.order_by(table.c.month.desc(), table.c.spent.desc(), table.c.account))
    return [AccountBalance(row.account, row.month, Balance(row.spent, row.reserved)) for row in rows]


def list_bookings(connection: Connection, account: str, month: str) -> list[Booking]:
    """Return the cost of an account in a month by model, the dearest first."""
    table = credit_bookings
    counted = (table.c.amount, table.c.input_tokens, table.c.output_tokens, table.c.requests)
    query = select(table.c.model, *(func.sum(column) for column in counted)).group_by(table.c.model)
    rows = connection.execute(query.where(table.c.account == account, table.c.month == month))
    found = [Booking(model, *map(int, sums)) for model, *sums in rows]
    return sorted(found, key=lambda booking: (-booking.amount, booking.model))


def add_reservation(
    connection: Connection,
    account: str,
    role: Role,
    month: str,
    amount: int,
    holder: str,
    lease_until: float,
    now: float,
    id: str | None = None,
) -> Reservation:
    """Reserve credits. The caller holds the lock and has compared the balance with the allowance."""
    made = Reservation(id or uuid.uuid4().hex, account, role, month, amount, holder, lease_until)
    connection.execute(
        _ADD_RESERVATION,
        {
            "id": made.id,
            "account": account,
            "role": role,
            "month": month,
            "amount": amount,
            "holder": holder,
            "lease_until": lease_until,
            "created": now,
        },
    )
    _change_balance(connection, account, month, reserved=amount)
    return made


def get_reservation(connection: Connection, id: str) -> Reservation:
    """Return the reservation with this id, also if it is settled or returned; raise `NotFound` if there is none."""
    found = find_reservation(connection, id)
    if found is None:
        raise NotFound(f"There is no reservation {id} of credits.")
    return found


def find_reservation(connection: Connection, id: str) -> Reservation | None:
    """Return the reservation with this id, also if it is settled or returned; None if there is none."""
    row = connection.execute(select(credit_reservations).where(credit_reservations.c.id == id)).one_or_none()
    return _make_reservation(row) if row else None


def list_open_reservations(connection: Connection, account: str | None = None) -> list[Reservation]:
    """Return the open reservations, of one account or of all."""
    query = _select_open()
    if account is not None:
        query = query.where(credit_reservations.c.account == account)
    return [_make_reservation(row) for row in connection.execute(query.order_by(credit_reservations.c.created))]


def settle_reservation(connection: Connection, id: str, bookings: Sequence[Booking], now: float) -> bool:
    """Book the cost of an answer and close its reservation; return False if that was done before.

    The cost is also booked if the reservation was returned meanwhile: the requests were made.
    """
    lock_credits(connection)
    table = credit_reservations
    row = connection.execute(select(table).where(table.c.id == id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no reservation {id} of credits.")
    if row.state == "settled":
        return False
    connection.execute(update(table).where(table.c.id == id).values(state="settled"))
    rows = [
        {
            "reservation": id,
            "model": booking.model,
            "account": row.account,
            "month": row.month,
            "amount": booking.amount,
            "input_tokens": booking.input_tokens,
            "output_tokens": booking.output_tokens,
            "requests": booking.requests,
            "created": now,
        }
        for booking in bookings
    ]
    if rows:
        connection.execute(insert(credit_bookings), rows)
    spent = sum(booking.amount for booking in bookings)
    _change_balance(connection, row.account, row.month, spent, -row.amount if row.state == "open" else 0)
    return True


def return_reservation(connection: Connection, id: str) -> bool:
    """Give back the credits of an open reservation; return False if it is not open."""
    lock_credits(connection)
    table = credit_reservations
    # The account may have been removed since the caller read the reservation.
    row = connection.execute(_select_open().where(table.c.id == id)).one_or_none()
    if row is None:
        return False
    connection.execute(update(table).where(table.c.id == id).values(state="returned"))
    _change_balance(connection, row.account, row.month, reserved=-row.amount)
    return True


def extend_leases(connection: Connection, holder: str, lease_until: float) -> int:
    """Extend the leases of all open reservations of a holder, and return how many there are."""
    table = credit_reservations
    held = update(table).where(table.c.state == "open", table.c.holder == holder)
    return connection.execute(held.values(lease_until=lease_until)).rowcount


def return_abandoned(connection: Connection, now: float) -> list[Reservation]:
    """Give back what dead processes of this machine reserved, and everything whose lease has ended."""
    lock_credits(connection)
    dead: dict[str, bool] = {}
    returned = []
    for reservation in list_open_reservations(connection):
        # A holder is the name of a process, and after a space a part that differs from run to run.
        process = reservation.holder.partition(" ")[0]
        if process not in dead:
            dead[process] = is_gone(process)
        if (dead[process] or reservation.lease_until < now) and return_reservation(connection, reservation.id):
            returned.append(reservation)
    return returned


def forget_account(connection: Connection, account: str) -> None:
    """Remove the name of an account from all rows. The sums stay, because they count for the whole server."""
    lock_credits(connection)
    balances = credit_balances
    for row in connection.execute(select(balances).where(balances.c.account == account)).all():
        _change_balance(connection, "", row.month, row.spent, row.reserved)
    connection.execute(balances.delete().where(balances.c.account == account))
    for table in (credit_reservations, credit_bookings):
        connection.execute(update(table).where(table.c.account == account).values(account=""))


def _change_balance(connection: Connection, account: str, month: str, spent: int = 0, reserved: int = 0) -> None:
    change = {"account": account, "month": month, "spent": spent, "reserved": reserved}
    if spent >= 0 and reserved >= 0:
        connection.execute(_RAISE_BALANCE, change)
    elif not connection.execute(_CHANGE_BALANCE, change).rowcount:
        insert_if_absent(connection, credit_balances, {"account": account, "month": month, "spent": 0, "reserved": 0})
        connection.execute(_CHANGE_BALANCE, change)


def _select_open() -> Select[tuple[object, ...]]:
    return select(credit_reservations).where(credit_reservations.c.state == "open")


def _make_reservation(row: Row[tuple[object, ...]]) -> Reservation:
    return Reservation(row.id, row.account, row.role, row.month, row.amount, row.holder, row.lease_until)
