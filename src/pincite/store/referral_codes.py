"""Store the referral code of each person, and who redeemed whose."""

import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, select, text, update

from pincite.store.account_schema import people
from pincite.store.credit_schema import referral_codes, referral_redemptions
from pincite.store.upsert import insert_if_absent

_BONUS = text(
    "SELECT (SELECT COALESCE(SUM(redeemer_amount), 0) FROM referral_redemptions WHERE redeemer = :person) "
    "+ (SELECT COALESCE(SUM(referrer_amount), 0) FROM referral_redemptions WHERE referrer = :person)"
)


@dataclass(frozen=True, slots=True)
class Redemption:
    """One redeemed code. The amounts are the credits that each side gets in every month, in millionths."""

    redeemer: str
    referrer: str
    redeemer_amount: int
    referrer_amount: int
    created: float


@dataclass(frozen=True, slots=True)
class ReferralCount:
    """The code of one person, and how many people redeemed it."""

    person: str
    code: str
    redeemed: int


def find_code(connection: Connection, person: str) -> str:
    """Return the code of a person, or "" if none was made."""
    return connection.scalar(select(referral_codes.c.code).where(referral_codes.c.person == person)) or ""


def add_code(connection: Connection, person: str, code: str, now: float) -> bool:
    """Give a person a code; return False if the person has one, or somebody else has this one."""
    return insert_if_absent(connection, referral_codes, {"person": person, "code": code, "created": now})


def find_person(connection: Connection, code: str) -> str | None:
    """Return the person who has a code. A person whose account is disabled has none."""
    query = select(referral_codes.c.person).join(people, people.c.id == referral_codes.c.person)
    found: str | None = connection.scalar(query.where(referral_codes.c.code == code, people.c.disabled.is_(False)))
    return found


def find_account_creation(connection: Connection, person: str) -> float | None:
    """Return when the account of a person was made, or None if there is none, or it is a guest's."""
    query = select(people.c.created).where(people.c.id == person, people.c.role != "guest")
    created: float | None = connection.scalar(query)
    return created


def count_redeemed(connection: Connection, referrer: str) -> int:
    """Return how many people redeemed the code of a person."""
    count = select(func.count()).select_from(referral_redemptions)
    return int(connection.scalar(count.where(referral_redemptions.c.referrer == referrer)) or 0)


def has_redeemed(connection: Connection, person: str) -> bool:
    """Return whether a person redeemed a code."""
    table = referral_redemptions
    return connection.scalar(select(table.c.redeemer).where(table.c.redeemer == person)) is not None


def add_redemption(connection: Connection, redemption: Redemption) -> bool:
    """Store that a code was redeemed; return False if the person redeemed one before."""
    return insert_if_absent(connection, referral_redemptions, asdict(redemption))


def sum_bonus(connection: Connection, person: str) -> int:
    """Return the credits that a person gets in every month for referrals, in millionths."""
    return int(connection.scalar(_BONUS, {"person": person}) or 0)


def sum_all_bonuses(connection: Connection) -> dict[str, int]:
    """Return the same for every person who has such credits."""
    table = referral_redemptions
    totals: dict[str, int] = {}
    for amount, side in ((table.c.redeemer_amount, table.c.redeemer), (table.c.referrer_amount, table.c.referrer)):
        for person, total in connection.execute(select(side, func.sum(amount)).group_by(side)):
            totals[person] = totals.get(person, 0) + int(total)
    return totals


def list_counts(connection: Connection, person: str | None = None) -> list[ReferralCount]:
    """Return the codes of all people, or of one, with the number of people who redeemed each."""
    codes, redeemed = referral_codes, referral_redemptions
    query = (
        select(codes.c.person, codes.c.code, func.count(redeemed.c.redeemer))
        .outerjoin(redeemed, redeemed.c.referrer == codes.c.person)
        .group_by(codes.c.person, codes.c.code)
        .order_by(func.count(redeemed.c.redeemer).desc(), codes.c.person)
    )
    if person is not None:
        query = query.where(codes.c.person == person)
    return [ReferralCount(*row) for row in connection.execute(query)]


def remove_person(connection: Connection, person: str) -> None:
    """Remove the code of a person, and the person's id from redemptions: the other side keeps its credits."""
    connection.execute(delete(referral_codes).where(referral_codes.c.person == person))
    table, nobody = referral_redemptions, f"removed {uuid.uuid4().hex}"
    connection.execute(update(table).where(table.c.redeemer == person).values(redeemer=nobody))
    connection.execute(update(table).where(table.c.referrer == person).values(referrer=nobody))
