"""Change the allowance of single people: an owner of the server does it, and the audit log records it."""

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.credit_prices import format_credits, to_amount
from pincite.errors import Misuse
from pincite.store import people, quota_overrides
from pincite.store.database import Database

_MOST = 1e9  # credits


def set_allowance(database: Database, caller: Caller, person: str, credits: float | None, now: float) -> None:
    """Give a person an allowance of their own for each month; None is no limit. A guest cannot have one."""
    if credits is not None and not 0 <= credits <= _MOST:
        raise Misuse("An allowance is a number of credits from 0 to 1000000000.", "Give another number.", "allowance")
    with database.writing() as connection:
        check_owner(connection, caller)
        if people.get(connection, person).role == "guest":
            raise Misuse(
                "The credits of guests are counted by network address.",
                "Make the person a member, or set `quota.guest_credits`.",
                "guest",
            )
        quota_overrides.set_override(connection, person, None if credits is None else to_amount(credits))
        given = "none" if credits is None else format_credits(to_amount(credits))
        record_action(connection, caller, "quota.set", now, person, credits=given)


def reset_allowance(database: Database, caller: Caller, person: str, now: float) -> bool:
    """Give a person the allowance of their role again; return False if they had no other."""
    with database.writing() as connection:
        check_owner(connection, caller)
        people.get(connection, person)
        was_changed = quota_overrides.remove_override(connection, person)
        if was_changed:
            record_action(connection, caller, "quota.reset", now, person)
        return was_changed
