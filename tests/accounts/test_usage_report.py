from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts import quota, referrals
from pincite.accounts.credit_prices import WEB, Spending
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.accounts.usage_report import get_usage_info, list_monthly_usage, list_recent_months
from pincite.settings_quota import QuotaSettings
from pincite.store.credits import CREDIT
from pincite.store.database import Database
from tests.accounts.credit_rows import DAY, MODEL, NOW, add_person, read_balances, spend

ADA = QuotaAccount("ada", "member")
SETTINGS = QuotaSettings(
    person_credits=100,
    guest_credits=10,
    server_credits=1000,
    web_request_credits=1,
    pricing_url="https://example.org/pricing",
    support_email="help@example.org",
    referral_url="https://example.org/{code}",
)


def test_a_person_sees_the_month_its_models_and_all_that_helps(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        held = quota.reserve(connection, SETTINGS, ADA, 50 * CREDIT, NOW, "1@here")
        spent = [Spending(MODEL, 30_000, 10_500, 3), Spending(WEB, requests=2)]
        quota.settle(connection, SETTINGS, held, spent, NOW)
        quota.reserve(connection, SETTINGS, ADA, 5 * CREDIT, NOW, "1@here")
        code = referrals.ensure_code(connection, "ada", NOW)
    with either.reading() as connection:
        before = read_balances(connection)
        info = get_usage_info(connection, SETTINGS, ADA, NOW, show_user=True)
        assert read_balances(connection) == before
    assert info.model_dump(mode="json") == {
        "month": quota.get_month(NOW),
        "resets": quota.get_reset_day(quota.get_month(NOW)).isoformat(),
        "used": 42.5,
        "reserved": 5.0,
        "limit": 100.0,
        "left": 52.5,
        "bonus": 0.0,
        "percent": 42.5,
        "warning": 25,
        "limit_reached": False,
        "server_limit_reached": False,
        "signed_in": True,
        "models": [
            {"model": MODEL, "credits": 40.5, "input_tokens": 30_000, "output_tokens": 10_500, "requests": 3},
            {"model": WEB, "credits": 2.0, "input_tokens": 0, "output_tokens": 0, "requests": 2},
        ],
        "referral_code": code,
        "referral_url": f"https://example.org/{code}",
        "referrals": 0,
        "referral_limit": 5,
        "pricing_url": "https://example.org/pricing",
        "support_email": "help@example.org",
        "showUser": True,
    }


def test_a_guest_sees_no_prices_and_no_code(either: Database) -> None:
    guest = QuotaAccount("guest-1", "guest")
    with either.writing() as connection:
        held = quota.reserve(connection, SETTINGS, guest, 10 * CREDIT, NOW, "1@here")
        quota.settle(connection, SETTINGS, held, spend(10), NOW)
        info = get_usage_info(connection, SETTINGS, guest, NOW, show_user=False)
    assert (info.signed_in, info.pricing_url, info.referral_code, info.referral_url) == (False, "", "", "")
    assert (info.limit_reached, info.warning, info.percent, info.left) == (True, 100, 100.0, 0.0)
    assert info.support_email == "help@example.org"
    assert not info.show_user


@pytest.mark.parametrize(("credits", "percent", "warning"), [(None, None, None), (0.0, 100.0, 100)])
def test_no_limit_and_no_credits_are_two_things(
    either: Database, credits: float | None, percent: float | None, warning: int | None
) -> None:
    with either.reading() as connection:
        info = get_usage_info(connection, QuotaSettings(person_credits=credits), ADA, NOW, show_user=False)
    assert (info.limit, info.percent, info.warning, info.limit_reached) == (credits, percent, warning, credits == 0)


def test_an_owner_sees_everybody_by_month_the_latest_first(either: Database) -> None:
    settings = QuotaSettings()
    with either.writing() as connection:
        for account, amount, now in (("ada", 3, NOW), ("bo", 7, NOW), ("ada", 2, NOW + 40 * DAY)):
            held = quota.reserve(connection, settings, QuotaAccount(account, "member"), amount * CREDIT, now, "1@here")
            quota.settle(connection, settings, held, spend(amount), now)
        later = NOW + 40 * DAY
        found = [(each.account, each.used) for each in list_monthly_usage(connection, later)]
        assert found == [("ada", 2), ("bo", 7), ("ada", 3)]
        assert [each.used for each in list_monthly_usage(connection, later, months=1)] == [2]
        assert [each.used for each in list_monthly_usage(connection, later, account="bo")] == [7]


@given(st.floats(1e8, 4e9), st.integers(1, 120))
def test_recent_months_follow_each_other(now: float, count: int) -> None:
    months = list_recent_months(now, count)
    assert len(set(months)) == count
    assert months[0] == quota.get_month(now)
    for later, earlier in pairwise(months):
        assert quota.get_reset_day(earlier).isoformat()[:7] == later
