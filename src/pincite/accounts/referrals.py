"""Referral codes: each person has one, and both sides get credits when somebody new redeems it."""

import secrets

from pincite.accounts.credit_prices import to_amount
from pincite.errors import ReferralRefused
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, referral_codes
from pincite.store.database import Connection
from pincite.store.referral_codes import Redemption

REFERRAL_LIMIT = 5  # people who may redeem the code of one person

_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without letters and digits that look alike
_LENGTH = 10
_DAY = 86_400


def has_maxed_referrals(connection: Connection, user: str) -> bool:
    """Return whether as many people as allowed have redeemed the code of a person."""
    return referral_codes.count_redeemed(connection, user) >= REFERRAL_LIMIT


def ensure_code(connection: Connection, user: str, now: float) -> str:
    """Return the code of a person, and make it if there is none; raise `ReferralRefused` for a guest."""
    if referral_codes.find_account_creation(connection, user) is None:
        raise ReferralRefused("Only a person with an account has a referral code.", "Sign in first.", "no_account")
    while not (code := referral_codes.find_code(connection, user)):
        made = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        referral_codes.add_code(connection, user, made, now)
    return code


def find_referral_url(connection: Connection, quota: QuotaSettings, user: str) -> str:
    """Return the link that invites others with the code of a person; "" if there is none that works."""
    code = referral_codes.find_code(connection, user) if quota.referral_url else ""
    if not code or has_maxed_referrals(connection, user):
        return ""
    return quota.referral_url.replace("{code}", code)


def normalise_code(given: str) -> str:
    """Return a code as it is stored: in capitals, without spaces and hyphens."""
    return "".join(letter for letter in given.upper() if letter.isascii() and letter.isalnum())


def redeem_code(connection: Connection, quota: QuotaSettings, code: str, user: str, now: float) -> Redemption:
    """Redeem a code for a person: both sides get credits in every month. Raise `ReferralRefused` if that cannot be.

    Everything is checked under one lock, in the transaction that gives the credits.
    """
    credits.lock_credits(connection)
    created = referral_codes.find_account_creation(connection, user)
    if created is None:
        raise ReferralRefused("Only a person with an account can redeem a code.", "Sign in first.", "no_account")
    referrer = referral_codes.find_person(connection, normalise_code(code))
    if referrer is None:
        raise ReferralRefused("There is no such referral code.", "Check it for typing errors.", "unknown_code")
    if referrer == user:
        raise ReferralRefused("This is your own referral code.", "Give it to somebody who is new here.", "own_code")
    if referral_codes.has_redeemed(connection, user):
        raise ReferralRefused(
            "You have already redeemed a referral code.", "Each person can redeem one.", "second_redemption"
        )
    if now - created > quota.referral_days * _DAY:
        raise ReferralRefused(
            f"Your account is older than {quota.referral_days:g} days, and referral codes are for new accounts.",
            "Invite others with your own code.",
            "old_account",
            {"days": round(quota.referral_days)},
        )
    if has_maxed_referrals(connection, referrer):
        raise ReferralRefused(
            f"This referral code cannot be redeemed: {REFERRAL_LIMIT} people have used it, which is the limit.",
            "Ask somebody else for a code.",
            "maxed_code",
            {"limit": REFERRAL_LIMIT},
        )
    amount = to_amount(quota.referral_credits)
    redemption = Redemption(user, referrer, amount, amount, now)
    referral_codes.add_redemption(connection, redemption)
    return redemption
