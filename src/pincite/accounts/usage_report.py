"""Report the used credits: of one person in this month, and of all people in several months."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from pincite.accounts import referrals
from pincite.accounts.credit_prices import to_credits
from pincite.accounts.quota import find_allowance, find_server_allowance, get_month, get_reset_day
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, referral_codes
from pincite.store.database import Connection


class _UsagePart(BaseModel):
    model_config = ConfigDict(frozen=True)


class ModelCredits(_UsagePart):
    """The cost of one model in a month."""

    model: Annotated[str, Field(description="`provider:model`, or `web` for requests to the web.")]
    credits: float
    input_tokens: int
    output_tokens: int
    requests: int


class UsageInfo(_UsagePart):
    """The credits of a person in this month: the body of GET /api/usage and of the action `usage-response`."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)

    month: Annotated[str, Field(description="The month in UTC, as 2031-05.")]
    resets: Annotated[str, Field(description="The ISO day on which credits are renewed.")]
    used: Annotated[float, Field(description="Credits that are spent.")]
    reserved: Annotated[float, Field(description="Credits that running answers may still spend.")]
    limit: Annotated[float | None, Field(description="Credits of the month, with the bonus; null is no limit.")]
    left: Annotated[float | None, Field(description="Credits that are neither spent nor reserved.")]
    bonus: Annotated[float, Field(description="The part of the limit that referrals gave.")]
    percent: Annotated[float | None, Field(description="The spent part of the limit.")]
    warning: Annotated[int | None, Field(description="The highest of 25, 50, 75 and 100 percent that is reached.")]
    limit_reached: Annotated[bool, Field(description="Whether the monthly limit refuses every question.")]
    server_limit_reached: Annotated[bool, Field(description="Whether the limit of the whole server does so.")]
    signed_in: bool
    models: Annotated[list[ModelCredits], Field(description="The dearest first.")]
    referral_code: str
    referral_url: Annotated[str, Field(description="Empty if there is no code, or nobody else can redeem it.")]
    referrals: Annotated[int, Field(description="People who redeemed the code.")]
    referral_limit: int
    pricing_url: Annotated[str, Field(description="Where to get more credits; empty for guests, who sign in.")]
    support_email: str
    show_user: Annotated[
        bool, Field(alias="showUser", description="Whether the client shows this to the person without being asked.")
    ]


class MonthlyUsage(_UsagePart):
    """The credits that one account spent in one month."""

    account: Annotated[str, Field(description="The id of a person or guest; empty for people who were removed.")]
    month: str
    used: float
    reserved: float


def get_usage_info(
    connection: Connection, quota: QuotaSettings, account: QuotaAccount, now: float, show_user: bool
) -> UsageInfo:
    """Return the usage of an account in this month. Nothing is sent, and nothing is changed."""
    month = get_month(now)
    allowance = find_allowance(connection, quota, account, month)
    server = find_server_allowance(connection, quota, month)
    amount, spent = allowance.amount, allowance.balance.spent
    passed = [*allowance.list_passed_warnings(), *([100] if allowance.is_reached else [])]
    return UsageInfo(
        month=month,
        resets=get_reset_day(month).isoformat(),
        used=to_credits(spent),
        reserved=to_credits(allowance.balance.reserved),
        limit=None if amount is None else to_credits(amount),
        left=None if allowance.left is None else to_credits(allowance.left),
        bonus=to_credits(allowance.bonus),
        percent=_find_percent(spent, amount),
        warning=max(passed, default=None),
        limit_reached=allowance.is_reached,
        server_limit_reached=server.is_reached,
        signed_in=not account.is_guest,
        models=[
            ModelCredits(
                model=each.model,
                credits=to_credits(each.amount),
                input_tokens=each.input_tokens,
                output_tokens=each.output_tokens,
                requests=each.requests,
            )
            for each in credits.list_bookings(connection, account.id, month)
        ],
        referral_code="" if account.is_guest else referral_codes.find_code(connection, account.id),
        referral_url="" if account.is_guest else referrals.find_referral_url(connection, quota, account.id),
        referrals=0 if account.is_guest else referral_codes.count_redeemed(connection, account.id),
        referral_limit=referrals.REFERRAL_LIMIT,
        pricing_url="" if account.is_guest else quota.pricing_url,
        support_email=quota.support_email,
        show_user=show_user,
    )


def list_recent_months(now: float, count: int) -> list[str]:
    """Return the last months up to this one, the latest first."""
    year, month = map(int, get_month(now).split("-"))
    numbers = (12 * year + month - 1 - back for back in range(count))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in numbers]


def list_monthly_usage(
    connection: Connection, now: float, months: int = 12, account: str | None = None
) -> list[MonthlyUsage]:
    """Return the spent credits in the last months, of all accounts or of one, the latest month first."""
    found = credits.list_balances(connection, list_recent_months(now, months), account)
    return [
        MonthlyUsage(
            account=each.account,
            month=each.month,
            used=to_credits(each.balance.spent),
            reserved=to_credits(each.balance.reserved),
        )
        for each in found
    ]


def _find_percent(spent: int, amount: int | None) -> float | None:
    if amount is None:
        return None
    return round(100 * spent / amount, 1) if amount else 100.0
