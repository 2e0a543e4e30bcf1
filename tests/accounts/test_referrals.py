import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts import quota, referrals
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.accounts.referrals import REFERRAL_LIMIT, ensure_code, has_maxed_referrals, normalise_code, redeem_code
from pincite.errors import ReferralRefused
from pincite.settings_quota import QuotaSettings
from pincite.store import people, referral_codes
from pincite.store.credits import CREDIT
from pincite.store.database import Connection, Database
from tests.accounts.credit_rows import DAY, NOW, add_person

SETTINGS = QuotaSettings(person_credits=100, referral_credits=50, referral_days=30)
MONTH = quota.get_month(NOW)


def refuse(connection: Connection, code: str, user: str, now: float = NOW) -> str:
    with pytest.raises(ReferralRefused) as caught:
        redeem_code(connection, SETTINGS, code, user, now)
    assert caught.value.hint
    return caught.value.reason


def find_limit(connection: Connection, user: str) -> float:
    amount = quota.find_allowance(connection, SETTINGS, QuotaAccount(user, "member"), MONTH).amount
    assert amount is not None
    return amount / CREDIT


def test_both_sides_get_credits_in_every_month(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        add_person(connection, "bo")
        redeemed = redeem_code(connection, SETTINGS, ensure_code(connection, "ada", NOW), "bo", NOW)
        assert (redeemed.referrer, redeemed.redeemer) == ("ada", "bo")
        assert [find_limit(connection, name) for name in ("ada", "bo")] == [150, 150]
        later = quota.get_month(NOW + 400 * DAY)
        account = QuotaAccount("ada", "member")
        assert quota.find_allowance(connection, SETTINGS, account, later).amount == 150 * CREDIT


def test_a_code_is_kept_and_may_be_typed_in_any_case_with_spaces(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        add_person(connection, "bo")
        code = ensure_code(connection, "ada", NOW)
        assert ensure_code(connection, "ada", NOW + DAY) == code
        typed = f" {code[:5].lower()}-{code[5:]} "
        assert redeem_code(connection, SETTINGS, typed, "bo", NOW).referrer == "ada"


def test_the_sixth_redemption_of_a_code_is_refused_and_the_error_says_why(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        code = ensure_code(connection, "ada", NOW)
        for number in range(REFERRAL_LIMIT):
            assert not has_maxed_referrals(connection, "ada")
            add_person(connection, f"friend {number}")
            redeem_code(connection, SETTINGS, code, f"friend {number}", NOW)
        assert has_maxed_referrals(connection, "ada")
        add_person(connection, "late")
        assert refuse(connection, code, "late") == "maxed_code"
        assert find_limit(connection, "ada") == 100 + REFERRAL_LIMIT * 50
        assert find_limit(connection, "late") == 100


def test_each_other_reason_to_refuse_a_code_has_its_own_name(either: Database) -> None:
    with either.writing() as connection:
        for name in ("ada", "bo"):
            add_person(connection, name)
        add_person(connection, "old", NOW - 31 * DAY)
        add_person(connection, "visitor", role="guest")
        code, other = (ensure_code(connection, name, NOW) for name in ("ada", "bo"))
        assert refuse(connection, code, "ada") == "own_code"
        assert refuse(connection, code, "old") == "old_account"
        assert refuse(connection, code, "visitor") == "no_account"
        assert refuse(connection, code, "nobody") == "no_account"
        assert refuse(connection, "ABCDE", "bo") == "unknown_code"
        assert refuse(connection, "", "bo") == "unknown_code"
        add_person(connection, "new")
        redeem_code(connection, SETTINGS, code, "new", NOW)
        assert refuse(connection, code, "new") == "second_redemption"
        assert refuse(connection, other, "new") == "second_redemption"
        assert [find_limit(connection, name) for name in ("ada", "bo", "old")] == [150, 100, 100]


def test_an_account_is_new_for_so_many_days_as_the_settings_say(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        add_person(connection, "bo")
        code = ensure_code(connection, "ada", NOW)
        assert refuse(connection, code, "bo", NOW + 30 * DAY + 1) == "old_account"
        redeem_code(connection, SETTINGS, code, "bo", NOW + 30 * DAY)


def test_the_code_of_a_disabled_account_cannot_be_redeemed(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        add_person(connection, "bo")
        code = ensure_code(connection, "ada", NOW)
        people.set_disabled(connection, "ada", True, NOW)
        assert refuse(connection, code, "bo") == "unknown_code"


def test_a_guest_has_no_code(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "visitor", role="guest")
        with pytest.raises(ReferralRefused):
            ensure_code(connection, "visitor", NOW)
        assert referral_codes.list_counts(connection) == []


def test_a_person_who_is_removed_takes_no_credits_from_the_other_side(either: Database) -> None:
    with either.writing() as connection:
        for name in ("ada", "bo", "cy"):
            add_person(connection, name)
        code = ensure_code(connection, "ada", NOW)
        redeem_code(connection, SETTINGS, code, "bo", NOW)
        redeem_code(connection, SETTINGS, ensure_code(connection, "bo", NOW), "cy", NOW)
        quota.forget_account(connection, "bo")
        assert [find_limit(connection, name) for name in ("ada", "cy")] == [150, 150]
        assert [each.person for each in referral_codes.list_counts(connection)] == ["ada"]
        assert referral_codes.sum_bonus(connection, "bo") == 0
        people.remove(connection, "bo")


def test_a_link_needs_an_address_in_the_settings(either: Database) -> None:
    linked = QuotaSettings(referral_url="https://example.org/{code}/join")
    with either.writing() as connection:
        add_person(connection, "ada")
        assert referrals.find_referral_url(connection, linked, "ada") == ""
        code = ensure_code(connection, "ada", NOW)
        assert referrals.find_referral_url(connection, linked, "ada") == f"https://example.org/{code}/join"
        assert referrals.find_referral_url(connection, SETTINGS, "ada") == ""


@given(st.text())
def test_a_code_is_read_from_any_text_as_capitals_and_digits(typed: str) -> None:
    code = normalise_code(typed)
    assert code == "" or (code.isascii() and code.isalnum() and code == code.upper())
    assert normalise_code(code) == code


def test_hostile_texts_are_unknown_codes(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "bo")
        for text in ("' OR 1=1 --", "%", "\x00", "é" * 10_000, "\ud800"):
            assert refuse(connection, text, "bo") == "unknown_code"
