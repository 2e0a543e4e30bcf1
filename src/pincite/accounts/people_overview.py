"""List the people of a server for its owners: sessions, last use and credits, and the credits of several months."""

from dataclasses import dataclass

from pincite.accounts.audit import Caller, check_owner
from pincite.accounts.credit_prices import to_credits
from pincite.accounts.quota import find_base_amount, get_month
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.accounts.sign_in_sessions import find_session_limits
from pincite.accounts.usage_report import list_monthly_usage, list_recent_months
from pincite.settings import Settings
from pincite.store import access_tokens, credits, people, quota_overrides, referral_codes, sessions
from pincite.store.database import Database
from pincite.store.people import StoredPerson


@dataclass(frozen=True, slots=True)
class PersonOverview:
    """A person, when they last used a session or a token, and their credits of this month."""

    person: StoredPerson
    used: float | None
    sessions: int
    credits_spent: float
    credits_allowed: float | None  # None is no limit


@dataclass(frozen=True, slots=True)
class PersonMonths:
    """The spent credits of one person, a number for each month; without an id, of all who have no account."""

    id: str
    name: str
    credits: list[float]


@dataclass(frozen=True, slots=True)
class ServerUsage:
    """The spent credits of several months, the first month first, and those of this month of the whole server."""

    months: list[str]
    people: list[PersonMonths]
    spent: float
    allowed: float | None


def list_people(database: Database, settings: Settings, caller: Caller, now: float) -> list[PersonOverview]:
    """Return all people, by name, with a fixed number of queries however many they are."""
    with database.reading() as connection:
        check_owner(connection, caller)
        found = people.find(connection)
        open_sessions = sessions.summarize_people(connection, *find_session_limits(settings.accounts, now))
        token_uses = access_tokens.find_last_uses(connection)
        spent = {each.account: each.balance.spent for each in credits.list_balances(connection, [get_month(now)])}
        overrides = {each.account: each for each in quota_overrides.list_overrides(connection)}
        bonuses = referral_codes.sum_all_bonuses(connection)
    overviews = []
    for person in found:
        number, session_use = open_sessions.get(person.id, (0, None))
        uses = [use for use in (session_use, token_uses.get(person.id)) if use is not None]
        is_guest = person.role == "guest"  # whose credits count by network address
        override = None if is_guest else overrides.get(person.id)
        base = find_base_amount(settings.quota, QuotaAccount(person.id, person.role), override)
        bonus = 0 if is_guest else bonuses.get(person.id, 0)
        overviews.append(
            PersonOverview(
                person,
                max(uses, default=None),
                number,
                to_credits(spent.get(person.id, 0)),
                None if base is None else to_credits(base + bonus),
            )
        )
    return overviews


def report_server_usage(database: Database, settings: Settings, caller: Caller, now: float, months: int) -> ServerUsage:
    """Return the credits of each person who spent any in the last months, the one who spent most first.

    Guests, who are counted by network address, and removed people are summed up in one entry without an id.
    """
    names = list_recent_months(now, months)[::-1]
    with database.reading() as connection:
        check_owner(connection, caller)
        used = list_monthly_usage(connection, now, months)
        known = people.find_names(connection, {each.account for each in used})
        spent = credits.sum_balances(connection, get_month(now)).spent
    sums: dict[str, list[float]] = {}
    for each in used:
        row = sums.setdefault(each.account if each.account in known else "", [0.0] * months)
        row[names.index(each.month)] += each.used
    rows = [PersonMonths(id, known.get(id, ""), row) for id, row in sums.items() if any(row)]
    rows.sort(key=lambda row: (not row.id, -sum(row.credits), row.name))
    return ServerUsage(names, rows, to_credits(spent), settings.quota.server_credits)
