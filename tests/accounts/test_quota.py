from dataclasses import asdict
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts import quota, referrals
from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.credit_prices import AnswerLimits, Spending, make_answer_price, to_amount
from pincite.accounts.quota import get_month, get_reset_day
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.accounts.removal import begin_removal, finish_removal
from pincite.errors import Misuse, NotFound, QuotaReached
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, quota_overrides, quota_warnings, referral_codes
from pincite.store.credits import CREDIT, Balance
from pincite.store.database import Connection, Database
from tests.accounts.credit_rows import DAY, MODEL, NOW, add_person, read_balances, spend, sum_rows

ADA = QuotaAccount("ada", "member")
GUEST = QuotaAccount("guest-1", "guest")
HUNDRED = QuotaSettings(person_credits=100)
MONTH = get_month(NOW)
HOLDER = "1@nowhere"


def use(
    connection: Connection, settings: QuotaSettings, amount: float, account: QuotaAccount = ADA
) -> quota.Settlement:
    """An answer from beginning to end that costs so many credits."""
    reserved = quota.reserve(connection, settings, account, to_amount(amount), NOW, HOLDER)
    return quota.settle(connection, settings, reserved, spend(amount), NOW)


def refuse(
    connection: Connection, settings: QuotaSettings, account: QuotaAccount = ADA, amount: int = 1
) -> QuotaReached:
    """The error of the next question."""
    with pytest.raises(QuotaReached) as caught:
        quota.reserve(connection, settings, account, amount, NOW, HOLDER)
    assert "monthly limit" in caught.value.message
    assert "reached" in caught.value.message
    assert caught.value.reason == "monthly_limit"
    return caught.value


def test_an_answer_is_booked_once_however_often_it_is_settled(either: Database) -> None:
    with either.writing() as connection:
        reserved = quota.reserve(connection, HUNDRED, ADA, 10 * CREDIT, NOW, HOLDER)
        assert credits.get_balance(connection, "ada", MONTH) == Balance(0, 10 * CREDIT)
        first = quota.settle(connection, HUNDRED, reserved, spend(4), NOW)
        assert (first.is_booked, first.amount) == (True, 4 * CREDIT)
    with either.writing() as connection:
        assert not quota.settle(connection, HUNDRED, reserved, spend(4), NOW).is_booked
        assert not quota.release(connection, reserved)
        assert credits.get_balance(connection, "ada", MONTH) == Balance(4 * CREDIT, 0)
        assert sum_rows(connection) == read_balances(connection)


def test_a_released_reservation_can_be_used_by_the_next_question(either: Database) -> None:
    with either.writing() as connection:
        reserved = quota.reserve(connection, HUNDRED, ADA, 100 * CREDIT, NOW, HOLDER)
        refuse(connection, HUNDRED)
        assert quota.release(connection, reserved)
        assert not quota.release(connection, reserved)
        assert quota.reserve(connection, HUNDRED, ADA, 100 * CREDIT, NOW, HOLDER).amount == 100 * CREDIT


def test_a_cost_that_arrives_after_the_credits_were_given_back_is_still_booked(either: Database) -> None:
    with either.writing() as connection:
        reserved = quota.reserve(connection, HUNDRED, ADA, 10 * CREDIT, NOW, HOLDER)
        assert quota.release(connection, reserved)
        assert quota.settle(connection, HUNDRED, reserved, spend(7), NOW).is_booked
        assert credits.get_balance(connection, "ada", MONTH) == Balance(7 * CREDIT, 0)
        assert sum_rows(connection) == read_balances(connection)


def test_nothing_is_booked_for_a_reservation_that_never_was(database: Database) -> None:
    unknown = credits.Reservation("unknown", "ada", "member", MONTH, 1, HOLDER, NOW)
    with database.writing() as connection:
        with pytest.raises(NotFound):
            quota.settle(connection, HUNDRED, unknown, spend(1), NOW)
        assert read_balances(connection) == {}


def test_a_question_gets_what_is_left_but_not_less_than_it_needs(either: Database) -> None:
    with either.writing() as connection:
        use(connection, HUNDRED, 70)
        reserved = quota.reserve(connection, HUNDRED, ADA, 50 * CREDIT, NOW, HOLDER, least=20 * CREDIT)
        assert reserved.amount == 30 * CREDIT
        assert quota.release(connection, reserved)
        use(connection, HUNDRED, 15)
        with pytest.raises(QuotaReached) as caught:
            quota.reserve(connection, HUNDRED, ADA, 50 * CREDIT, NOW, HOLDER, least=20 * CREDIT)
        assert caught.value.message == (
            "Your monthly limit of 100 credits was reached: 85 are spent, and an answer needs 20."
        )


def test_from_the_limit_on_even_a_question_that_costs_nothing_is_refused(either: Database) -> None:
    with either.writing() as connection:
        assert use(connection, HUNDRED, 99).is_booked
        assert quota.reserve(connection, HUNDRED, ADA, 0, NOW, HOLDER).amount == 0
        use(connection, HUNDRED, 1)
        assert refuse(connection, HUNDRED, amount=0).message == "Your monthly limit of 100 credits was reached."


def test_without_a_limit_everything_is_counted_and_nothing_refused(either: Database) -> None:
    with either.writing() as connection:
        for _ in range(3):
            assert use(connection, QuotaSettings(), 1e6).warnings == ()
        assert credits.get_balance(connection, "ada", MONTH).spent == 3 * 10**6 * CREDIT


def test_each_role_has_its_allowance_and_a_person_may_have_another(either: Database) -> None:
    settings = QuotaSettings(person_credits=10, owner_credits=20, guest_credits=5)
    with either.writing() as connection:

        def find(account: QuotaAccount) -> float | None:
            found = quota.find_allowance(connection, settings, account, MONTH).amount
            return None if found is None else found / CREDIT

        assert [find(ADA), find(QuotaAccount("bo", "owner")), find(GUEST)] == [10, 20, 5]
        quota_overrides.set_override(connection, "ada", 0)
        assert find(ADA) == 0
        refuse(connection, settings)
        quota_overrides.set_override(connection, "ada", None)
        assert find(ADA) is None
        use(connection, settings, 1000)


def test_the_whole_server_has_a_limit_too(either: Database) -> None:
    settings = QuotaSettings(person_credits=100, server_credits=30, support_email="help@example.org")
    with either.writing() as connection:
        use(connection, settings, 20)
        other = QuotaAccount("bo", "member")
        reserved = quota.reserve(connection, settings, other, 50 * CREDIT, NOW, HOLDER, least=1)
        assert reserved.amount == 10 * CREDIT
        error = refuse(connection, settings, QuotaAccount("eve", "member"))
        assert error.message == "The monthly limit of this server was reached."
        assert (error.params["scope"], error.params["used"], error.params["limit"]) == ("server", 0, 100)
        assert error.params["support_email"] == "help@example.org"


def test_a_person_at_the_limit_is_told_all_that_helps(either: Database) -> None:
    settings = QuotaSettings(
        person_credits=100,
        pricing_url="https://example.org/pricing",
        support_email="help@example.org",
        referral_url="https://example.org/join?code={code}",
    )
    with either.writing() as connection:
        add_person(connection, "ada")
        use(connection, settings, 100)
        error = refuse(connection, settings)
        code = referral_codes.find_code(connection, "ada")
    link = f"https://example.org/join?code={code}"
    assert code
    assert dict(error.params) == {
        "scope": "person",
        "limit": 100,
        "used": 100,
        "reserved": 0,
        "resets": get_reset_day(MONTH).isoformat(),
        "pricing_url": "https://example.org/pricing",
        "referral_url": link,
        "support_email": "help@example.org",
    }
    assert all(said in error.hint for said in (link, "https://example.org/pricing", "help@example.org"))


def test_the_referral_link_is_left_out_when_nobody_else_can_use_it(either: Database) -> None:
    settings = QuotaSettings(person_credits=0, referral_credits=0, referral_url="https://example.org/{code}")
    with either.writing() as connection:
        add_person(connection, "ada")
        code = referrals.ensure_code(connection, "ada", NOW)
        assert refuse(connection, settings).params["referral_url"] == f"https://example.org/{code}"
        for number in range(referrals.REFERRAL_LIMIT):
            add_person(connection, f"friend {number}")
            referrals.redeem_code(connection, settings, code, f"friend {number}", NOW)
        assert "referral_url" not in refuse(connection, settings).params


def test_a_guest_at_the_limit_is_asked_to_sign_in(either: Database) -> None:
    settings = QuotaSettings(
        guest_credits=3, pricing_url="https://example.org/pricing", support_email="help@example.org"
    )
    with either.writing() as connection:
        use(connection, settings, 3, GUEST)
        error = refuse(connection, settings, GUEST)
    assert (error.params["sign_in"], error.params["support_email"]) == (1, "help@example.org")
    assert "pricing_url" not in error.params
    assert "Sign in to get more credits." in error.hint


def test_the_error_says_when_credits_wait_for_running_answers(either: Database) -> None:
    with either.writing() as connection:
        use(connection, HUNDRED, 30)
        quota.reserve(connection, HUNDRED, ADA, 70 * CREDIT, NOW, HOLDER)
        error = refuse(connection, HUNDRED)
    assert error.message.endswith("30 are spent, and 70 are reserved for answers that are being written.")
    assert (error.params["used"], error.params["reserved"]) == (30, 70)


def test_each_warning_is_given_once_in_a_month(either: Database) -> None:
    given: list[tuple[int, ...]] = []
    for amount in (20, 4, 1, 1, 24, 30, 15, 5):
        with either.writing() as connection:
            given.append(use(connection, HUNDRED, amount).warnings)
    assert given == [(), (), (25,), (), (50,), (75,), (), ()]
    with either.writing() as connection:
        quota_overrides.set_override(connection, "ada", 1000 * CREDIT)  # below 25 percent again, and then above
        assert use(connection, HUNDRED, 200).warnings == ()
        assert quota_warnings.list_given(connection, "ada", MONTH) == [25, 50, 75]
        later = NOW + 40 * DAY
        reserved = quota.reserve(connection, HUNDRED, ADA, 600 * CREDIT, later, HOLDER)
        assert quota.settle(connection, HUNDRED, reserved, spend(600), later).warnings == (25, 50)


def test_the_owner_is_warned_about_the_whole_server_once(either: Database) -> None:
    settings = QuotaSettings(server_credits=100)
    with either.writing() as connection:
        assert use(connection, settings, 20).server_warnings == ()
        assert use(connection, settings, 20, QuotaAccount("bo", "member")).server_warnings == (25,)
        assert use(connection, settings, 1).server_warnings == ()


def test_a_warning_is_lost_with_the_transaction_that_would_have_given_it(either: Database) -> None:
    with either.writing() as connection:
        reserved = quota.reserve(connection, HUNDRED, ADA, 30 * CREDIT, NOW, HOLDER)

    def fail() -> None:
        with either.writing() as connection:
            assert quota.settle(connection, HUNDRED, reserved, spend(30), NOW).warnings == (25,)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with either.writing() as connection:
        assert quota.settle(connection, HUNDRED, reserved, spend(30), NOW).warnings == (25,)


def test_a_question_counts_in_the_month_in_which_it_was_asked(either: Database) -> None:
    with either.writing() as connection:
        reserved = quota.reserve(connection, HUNDRED, ADA, 50 * CREDIT, NOW, HOLDER)
        later = NOW + 40 * DAY
        quota.settle(connection, HUNDRED, reserved, spend(50), later)
        assert credits.get_balance(connection, "ada", MONTH).spent == 50 * CREDIT
        assert credits.get_balance(connection, "ada", get_month(later)) == Balance()
        assert quota.reserve(connection, HUNDRED, ADA, 100 * CREDIT, later, HOLDER).amount == 100 * CREDIT


@given(st.floats(0, 4e9))
def test_credits_are_renewed_on_the_first_day_of_the_next_month_in_utc(now: float) -> None:
    month = get_month(now)
    resets = get_reset_day(month)
    assert resets.day == 1
    assert month < resets.isoformat()[:7]
    assert 28 <= (resets - date.fromisoformat(f"{month}-01")).days <= 31


def test_a_silent_process_loses_its_credits_when_its_lease_ends_and_a_living_one_keeps_them(either: Database) -> None:
    with either.writing() as connection:
        quota.reserve(connection, HUNDRED, ADA, 60 * CREDIT, NOW, "1@silent run")
        quota.reserve(connection, HUNDRED, ADA, 40 * CREDIT, NOW, "1@living run")
        later = NOW + HUNDRED.lease_seconds + 1
        assert quota.renew_leases(connection, HUNDRED, "1@living run", NOW + 60) == 1
        assert quota.renew_leases(connection, HUNDRED, "1@living other", NOW + 60) == 0
        reserved = quota.reserve(connection, HUNDRED, ADA, 100 * CREDIT, later, HOLDER, least=1)
        assert reserved.amount == 60 * CREDIT
        assert sum_rows(connection) == read_balances(connection)


def test_the_limits_of_an_answer_follow_what_was_reserved_for_it(either: Database) -> None:
    settings = QuotaSettings(person_credits=100, request_tokens=4000)
    price, limits = make_answer_price(settings, [MODEL]), AnswerLimits(12, 24, 200_000)
    with either.writing() as connection:
        reserved, fitted = quota.reserve_answer(connection, settings, ADA, limits, price, NOW, HOLDER, id="message")
        assert (reserved.id, reserved.amount) == ("message", 100 * CREDIT)
        assert fitted.tokens == 96_000
        assert fitted.requests < 12
        quota.settle(connection, settings, reserved, [Spending(MODEL, 90_000, 3_000, 5)], NOW)
        with pytest.raises(QuotaReached):
            quota.reserve_answer(connection, settings, ADA, limits, price, NOW, HOLDER)


def test_limits_of_an_answer_have_the_names_of_the_budget_they_become() -> None:
    from pincite.answer.budget import Budget

    assert Budget(**asdict(AnswerLimits(3, 5, 7000))) == Budget(requests=3, tool_calls=5, tokens=7000)


def test_one_answer_may_spend_no_more_than_the_settings_say(either: Database) -> None:
    settings = QuotaSettings(answer_credits=20, request_tokens=4000)
    price, limits = make_answer_price(settings, [MODEL]), AnswerLimits(12, 24, 200_000)
    with either.writing() as connection:
        reserved, fitted = quota.reserve_answer(connection, settings, ADA, limits, price, NOW, HOLDER)
        assert reserved.amount == 20 * CREDIT
        assert price.price_limits(fitted) <= 20 * CREDIT
        small = QuotaSettings(answer_credits=1, request_tokens=4000)
        with pytest.raises(Misuse, match="one answer needs 8 credits"):
            quota.reserve_answer(connection, small, ADA, limits, price, NOW, HOLDER)


def test_a_forgotten_person_leaves_no_name_but_still_counts_for_the_server(either: Database) -> None:
    settings = QuotaSettings(person_credits=100, server_credits=100)
    with either.writing() as connection:
        add_person(connection, "ada")
        use(connection, settings, 30)
        running = quota.reserve(connection, settings, ADA, 20 * CREDIT, NOW, HOLDER)
        quota_overrides.set_override(connection, "ada", 7 * CREDIT)
        quota.forget_account(connection, "ada")
        assert credits.sum_balances(connection, MONTH) == Balance(30 * CREDIT, 20 * CREDIT)
        assert quota.settle(connection, settings, running, spend(5), NOW).is_booked
        assert {account for account, _ in read_balances(connection)} == {""}
        assert sum_rows(connection) == read_balances(connection)
        assert quota.find_allowance(connection, settings, ADA, MONTH).amount == 100 * CREDIT
        assert quota_warnings.list_given(connection, "ada", MONTH) == []


def test_a_refused_question_does_not_keep_the_credits_of_a_dead_process_from_the_next(either: Database) -> None:
    late = NOW + HUNDRED.lease_seconds + 1
    with either.writing() as connection:
        quota.reserve(connection, HUNDRED, ADA, 60 * CREDIT, NOW, HOLDER)

    def ask_for_too_much() -> None:
        with either.writing() as connection:
            quota.reserve(connection, HUNDRED, ADA, 101 * CREDIT, late, HOLDER)

    with pytest.raises(QuotaReached, match="an answer needs 101"):
        ask_for_too_much()
    with either.writing() as connection:
        assert quota.reserve(connection, HUNDRED, ADA, 100 * CREDIT, late, HOLDER).amount == 100 * CREDIT
        assert sum_rows(connection) == read_balances(connection)


def test_removing_a_person_keeps_the_sums_of_the_server_and_refusing_it_keeps_everything(either: Database) -> None:
    settings = QuotaSettings(person_credits=100)
    with either.writing() as connection:
        add_person(connection, "olga", role="owner")
        add_person(connection, "ada")
        use(connection, settings, 30)
        use(connection, settings, 5, QuotaAccount("olga", "owner"))
    begin_removal(either, AT_TERMINAL, "ada", NOW)
    finish_removal(either, AT_TERMINAL, "ada", NOW)
    with pytest.raises(Misuse):
        begin_removal(either, AT_TERMINAL, "olga", NOW)
    with either.reading() as connection:
        found = {account: balance.spent / CREDIT for (account, _), balance in read_balances(connection).items()}
        assert found == {"": 30, "olga": 5}
        assert sum_rows(connection) == read_balances(connection)
