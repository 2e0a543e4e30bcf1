"""HTTP routes for referrals: a person's own code, and the redemption of somebody else's."""

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.accounts.audit import Caller
from pincite.accounts.credit_prices import to_amount, to_credits
from pincite.accounts.referrals import (
    REFERRAL_LIMIT,
    ensure_code,
    find_referral_url,
    has_maxed_referrals,
    redeem_code,
)
from pincite.server.dependencies import Body, TheCaller, TheLibrary, Words, get_services
from pincite.settings_quota import QuotaSettings
from pincite.store import referral_codes
from pincite.store.database import Database


class ReferralCode(Body):
    """A referral code. Its case, spaces and hyphens do not matter."""

    code: Annotated[Words, Field(min_length=1, max_length=100)]


class OwnReferral(BaseModel):
    """Your referral code, and how many people have redeemed it."""

    code: str
    url: Annotated[str, Field(description="A link with the code; empty if none is set, or nobody else can redeem it.")]
    redeemed: Annotated[int, Field(description="People who redeemed it.")]
    limit: Annotated[int, Field(description="People who may redeem it.")]
    credits: Annotated[float, Field(description="Credits that each side gets in every month.")]
    is_maxed: Annotated[bool, Field(description="Whether nobody else can redeem it.")]


class Redeemed(BaseModel):
    """The credits that a redeemed code gives in every month."""

    credits: float


def get_own_referral(database: Database, quota: QuotaSettings, caller: Caller) -> OwnReferral:
    """Return the referral code of a person, and make it if there is none."""
    user = caller.principal.user
    with database.writing() as connection:
        return OwnReferral(
            code=ensure_code(connection, user, time.time()),
            url=find_referral_url(connection, quota, user),
            redeemed=referral_codes.count_redeemed(connection, user),
            limit=REFERRAL_LIMIT,
            credits=to_credits(to_amount(quota.referral_credits)),
            is_maxed=has_maxed_referrals(connection, user),
        )


def redeem_referral(database: Database, quota: QuotaSettings, caller: Caller, code: str) -> Redeemed:
    """Redeem a code for the person who makes the request. HTTP and `/ws` use this function."""
    with database.writing() as connection:
        made = redeem_code(connection, quota, code, caller.principal.user, time.time())
    return Redeemed(credits=to_credits(made.redeemer_amount))


def router() -> APIRouter:
    """Return the routes of referrals."""
    routes = APIRouter(prefix="/api/account/referral", tags=["account"])

    @routes.get("")
    def referral(request: Request, caller: TheCaller, library: TheLibrary) -> OwnReferral:
        """Get your referral code. It is made with the first request."""
        return get_own_referral(library.database, get_services(request).settings.quota, caller)

    @routes.post("")
    def redeem(request: Request, given: ReferralCode, caller: TheCaller, library: TheLibrary) -> Redeemed:
        """Redeem the code of somebody else: both of you get credits in every month."""
        return redeem_referral(library.database, get_services(request).settings.quota, caller, given.code)

    return routes
