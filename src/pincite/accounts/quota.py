"""Keep each person and the whole server within the credits of a month: reserve before an answer, settle after it.

A reservation is the most that an answer may spend. Open reservations count as if they were spent, so questions that are
asked at the same time cannot pass the limit together.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from pincite.accounts import referrals
from pincite.accounts.credit_prices import (
    AnswerLimits,
    AnswerPrice,
    Spending,
    format_credits,
    price_spending,
    to_amount,
)
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.errors import Misuse, QuotaReached
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, quota_overrides, quota_warnings, referral_codes
from pincite.store.credits import CREDIT, Balance, Reservation
from pincite.store.database import Connection
from pincite.store.quota_overrides import QuotaOverride

WARNINGS = (25, 50, 75)  # percent of the allowance
_SERVER = ""  # the account of warnings about the whole server


@dataclass(frozen=True, slots=True)
class Allowance:
    """The credits of a month and those of them that are spent and reserved; an `amount` of None is no limit."""

    amount: int | None
    balance: Balance
    bonus: int = 0  # the part of the amount that referrals gave

    @property
    def left(self) -> int | None:
        """The credits that are neither spent nor reserved."""
        return None if self.amount is None else max(self.amount - self.balance.committed, 0)

    @property
    def is_reached(self) -> bool:
        return self.amount is not None and self.balance.spent >= self.amount

    def has_room(self, amount: int) -> bool:
        """Return whether so many credits can be reserved."""
        return self.left is None or (not self.is_reached and self.left >= amount)

    def list_passed_warnings(self) -> list[int]:
        """Return the percentages of warnings that the spent credits have passed."""
        if not self.amount:
            return []
        return [percent for percent in WARNINGS if self.balance.spent * 100 >= self.amount * percent]


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled answer: its cost, and the warnings that are due now, for the person and for the owner of the server."""

    is_booked: bool  # False if it was booked before
    amount: int = 0
    warnings: tuple[int, ...] = ()
    server_warnings: tuple[int, ...] = ()


def get_month(now: float) -> str:
    """Return the month of a time, in UTC, as 2031-05."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m")


def get_reset_day(month: str) -> date:
    """Return the first day of the following month, on which credits are renewed."""
    year, number = map(int, month.split("-"))
    return date(year + number // 12, number % 12 + 1, 1)


def find_allowance(connection: Connection, quota: QuotaSettings, account: QuotaAccount, month: str) -> Allowance:
    """Return the allowance of an account: its own, else that of its role, and the credits of referrals."""
    balance = credits.get_balance(connection, account.id, month)
    override = quota_overrides.find(connection, account.id)
    base = find_base_amount(quota, account, override)
    if base is None:
        return Allowance(None, balance)
    bonus = 0 if account.is_guest else referral_codes.sum_bonus(connection, account.id)
    return Allowance(base + bonus, balance, bonus)


def find_base_amount(quota: QuotaSettings, account: QuotaAccount, override: QuotaOverride | None) -> int | None:
    """Return the amount of an account without the credits of referrals; None is no limit."""
    return override.amount if override else _get_role_amount(quota, account)


def find_server_allowance(connection: Connection, quota: QuotaSettings, month: str) -> Allowance:
    """Return the allowance of all accounts together. Without a limit their credits are not summed up."""
    if quota.server_credits is None:
        return Allowance(None, Balance())
    return Allowance(to_amount(quota.server_credits), credits.sum_balances(connection, month))


def reserve(
    connection: Connection,
    quota: QuotaSettings,
    account: QuotaAccount,
    amount: int,
    now: float,
    holder: str,
    *,
    least: int | None = None,
    id: str | None = None,
) -> Reservation:
    """Reserve an amount; with `least`, what is left if that is enough. Raise `QuotaReached` if less is left.

    `holder` is the name of the process that answers, `id` that of the message, if a later process must find it.
    """
    credits.lock_credits(connection)
    month, needed = get_month(now), amount if least is None else min(least, amount)
    person, server = _find_allowances(connection, quota, account, month)
    if not (person.has_room(amount) and server.has_room(amount)) and credits.return_abandoned(connection, now):
        person, server = _find_allowances(connection, quota, account, month)
    if not person.has_room(needed):
        raise _make_quota_error(connection, quota, account, month, person, needed)
    if not server.has_room(needed):
        raise _make_quota_error(connection, quota, account, month, person, needed, is_server=True)
    granted = min(left for left in (amount, person.left, server.left) if left is not None)
    lease_until = now + quota.lease_seconds
    return credits.add_reservation(connection, account.id, account.role, month, granted, holder, lease_until, now, id)


def reserve_answer(
    connection: Connection,
    quota: QuotaSettings,
    account: QuotaAccount,
    limits: AnswerLimits,
    price: AnswerPrice,
    now: float,
    holder: str,
    *,
    id: str | None = None,
) -> tuple[Reservation, AnswerLimits]:
    """Reserve the credits of an answer, and return the reservation with the limits that it pays for.

    The limits are smaller than the given ones if fewer credits are left, or if `quota.answer_credits` allows less.
    """
    wanted, least = price.price_limits(limits), price.price_limits(price.make_least_limits(limits))
    if quota.answer_credits is not None:
        wanted = min(wanted, to_amount(quota.answer_credits))
        if wanted < least:
            raise Misuse(
                f"`quota.answer_credits` is too small: one answer needs {format_credits(least)} credits.",
                "Raise it, or lower `quota.request_tokens`.",
            )
    reservation = reserve(connection, quota, account, wanted, now, holder, least=least, id=id)
    return reservation, price.fit_limits(limits, reservation.amount)


def settle(
    connection: Connection, quota: QuotaSettings, reservation: Reservation, spent: Iterable[Spending], now: float
) -> Settlement:
    """Book the cost of an answer, in the transaction that ends it. A second call books nothing.

    Each warning is stored in the same transaction, so that it is given once in a month.
    """
    bookings = price_spending(quota, spent)
    if not credits.settle_reservation(connection, reservation.id, bookings, now):
        return Settlement(False)
    current = credits.get_reservation(connection, reservation.id)  # without its account, if that was removed
    account, month = QuotaAccount(current.account, current.role), current.month
    warnings: list[int] = []
    if account.id:
        person = find_allowance(connection, quota, account, month)
        warnings = quota_warnings.add_new(connection, account.id, month, person.list_passed_warnings(), now)
    is_person = bool(warnings) and referral_codes.find_account_creation(connection, account.id) is not None
    if quota.referral_url and is_person:
        # The error at the limit can name the link only if there is a code.
        referrals.ensure_code(connection, account.id, now)
    server = find_server_allowance(connection, quota, month)
    server_warnings = quota_warnings.add_new(connection, _SERVER, month, server.list_passed_warnings(), now)
    amount = sum(booking.amount for booking in bookings)
    return Settlement(True, amount, tuple(warnings), tuple(server_warnings))


def book(
    connection: Connection,
    quota: QuotaSettings,
    account: QuotaAccount,
    spent: Iterable[Spending],
    now: float,
    holder: str,
    id: str | None = None,
) -> Settlement:
    """Book the cost of an answer for which nothing was reserved, because nothing is limited."""
    credits.lock_credits(connection)
    lease_until = now + quota.lease_seconds
    made = credits.add_reservation(
        connection, account.id, account.role, get_month(now), 0, holder, lease_until, now, id
    )
    return settle(connection, quota, made, spent, now)


def release(connection: Connection, reservation: Reservation) -> bool:
    """Give back a reservation of which nothing was spent; return False if it is settled or was given back."""
    return credits.return_reservation(connection, reservation.id)


def renew_leases(connection: Connection, quota: QuotaSettings, holder: str, now: float) -> int:
    """Extend the leases of a process that is alive, and return the number of its open reservations."""
    return credits.extend_leases(connection, holder, now + quota.lease_seconds)


def forget_account(connection: Connection, account: str) -> None:
    """Remove everything that names an account. Its spent credits still count for the whole server.

    A transaction that also locks people calls this first, because settling locks in the same order.
    """
    credits.forget_account(connection, account)
    quota_overrides.remove_override(connection, account)
    quota_warnings.remove_account(connection, account)
    referral_codes.remove_person(connection, account)


def _get_role_amount(quota: QuotaSettings, account: QuotaAccount) -> int | None:
    given = {"owner": quota.owner_credits, "member": quota.person_credits, "guest": quota.guest_credits}[account.role]
    return None if given is None else to_amount(given)


def _find_allowances(
    connection: Connection, quota: QuotaSettings, account: QuotaAccount, month: str
) -> tuple[Allowance, Allowance]:
    person = find_allowance(connection, quota, account, month)
    return person, find_server_allowance(connection, quota, month)


def _make_quota_error(
    connection: Connection,
    quota: QuotaSettings,
    account: QuotaAccount,
    month: str,
    person: Allowance,
    needed: int,
    is_server: bool = False,
) -> QuotaReached:
    """Return the error of a question beyond the monthly limit, with all that the person can do about it."""
    resets = get_reset_day(month).isoformat()
    params: dict[str, str | int] = {
        "scope": "server" if is_server else "person",
        "used": -(-person.balance.spent // CREDIT),
        "reserved": -(-person.balance.reserved // CREDIT),
        "resets": resets,
    }
    if person.amount is not None:
        params["limit"] = person.amount // CREDIT
    hints = [f"Credits are renewed on {resets}."]
    if account.is_guest:
        params["sign_in"] = 1
        hints.append("Sign in to get more credits.")
    elif quota.pricing_url:
        params["pricing_url"] = quota.pricing_url
        hints.append(f"More credits: {quota.pricing_url}")
    if not account.is_guest and (link := referrals.find_referral_url(connection, quota, account.id)):
        params["referral_url"] = link
        hints.append(f"Invite others to get more credits: {link}")
    if quota.support_email:
        params["support_email"] = quota.support_email
        hints.append(f"Questions: {quota.support_email}")
    return QuotaReached(_describe_limit(person, needed, is_server), " ".join(hints), params)


def _describe_limit(person: Allowance, needed: int, is_server: bool) -> str:
    if is_server:
        return "The monthly limit of this server was reached."
    reached = f"Your monthly limit of {format_credits(person.amount or 0)} credits was reached"
    if person.is_reached:
        return f"{reached}."
    said = f"{reached}: {format_credits(person.balance.spent)} are spent"
    if person.balance.reserved:
        return f"{said}, and {format_credits(person.balance.reserved)} are reserved for answers that are being written."
    return f"{said}, and an answer needs {format_credits(needed)}."
