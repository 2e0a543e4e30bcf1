"""People ask and redeem at the same moment, in threads and in processes: no limit is passed by anything."""

import multiprocessing
import threading
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from pincite.accounts import quota, referrals
from pincite.accounts.quota import get_month
from pincite.accounts.quota_accounts import QuotaAccount, load_guest_key
from pincite.errors import QuotaReached, ReferralRefused
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, referral_codes
from pincite.store.credits import CREDIT, Balance
from pincite.store.database import Database
from pincite.store.process_names import get_process_name
from tests.accounts.credit_rows import NOW, add_person, read_balances, spend, sum_rows
from tests.clock import PATIENCE
from tests.thorough import mark_slow

SETTINGS = QuotaSettings(person_credits=100, server_credits=150)
QUESTIONS = 100


def _address(database: Database) -> str:
    return database.engine.url.render_as_string(hide_password=False)


def _ask(address: str, person: str, questions: int) -> tuple[int, tuple[int, ...]]:
    """Ask one question after another; return how many were answered, and the warnings."""
    database, answered = Database(address), 0
    warnings: list[int] = []
    for _ in range(questions):
        try:
            with database.writing() as connection:
                held = quota.reserve(
                    connection, SETTINGS, QuotaAccount(person, "member"), 5 * CREDIT, NOW, get_process_name()
                )
        except QuotaReached:
            continue
        with database.writing() as connection:
            warnings += quota.settle(connection, SETTINGS, held, spend(5), NOW).warnings
        answered += 1
    database.close()
    return answered, tuple(warnings)


def _reserve(address: str, person: str) -> int:
    """Ask one question whose answer is still being written."""
    database = Database(address)
    try:
        with database.writing() as connection:
            account = QuotaAccount(person, "member")
            return quota.reserve(connection, SETTINGS, account, 7 * CREDIT, NOW, get_process_name(), least=1).amount
    except QuotaReached:
        return 0
    finally:
        database.close()


def _redeem(address: str, code: str, person: str, start: threading.Barrier | None = None) -> str:
    database = Database(address)
    try:
        with database.reading() as connection:
            connection.exec_driver_sql("SELECT 1")  # connected, before all of them start
        if start:
            start.wait(PATIENCE)
        with database.writing() as connection:
            referrals.redeem_code(connection, SETTINGS, code, person, NOW)
        return "redeemed"
    except ReferralRefused as error:
        return error.reason
    finally:
        database.close()


def _pool(kind: str) -> Executor:
    if kind == "threads":
        return ThreadPoolExecutor(16)
    return ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("kind", ["threads", mark_slow("processes")])
def test_a_hundred_questions_at_the_edge_of_the_limit_overspend_by_nothing(either: Database, kind: str) -> None:
    """One person asks for twice as much as the rest of the month."""
    with either.writing() as connection:
        held = quota.reserve(connection, SETTINGS, QuotaAccount("ada", "member"), 60 * CREDIT, NOW, "1@elsewhere")
        quota.settle(connection, SETTINGS, held, spend(60), NOW)
    with _pool(kind) as pool:
        granted = list(pool.map(_reserve, [_address(either)] * QUESTIONS, ["ada"] * QUESTIONS))
    assert Counter(granted) == {7 * CREDIT: 5, 5 * CREDIT: 1, 0: QUESTIONS - 6}
    with either.reading() as connection:
        balance = credits.get_balance(connection, "ada", get_month(NOW))
        assert balance == Balance(60 * CREDIT, 40 * CREDIT)
        assert sum_rows(connection) == read_balances(connection)


@pytest.mark.parametrize("kind", ["threads", mark_slow("processes")])
def test_answers_that_end_while_others_begin_spend_the_allowance_to_the_last_credit(
    either: Database, kind: str
) -> None:
    """Two people share a server whose limit is below the sum of theirs."""
    people = ["ada", "bo"] * 4
    with _pool(kind) as pool:
        done = list(pool.map(_ask, [_address(either)] * len(people), people, [15] * len(people)))
    with either.reading() as connection:
        total = credits.sum_balances(connection, get_month(NOW))
        assert total == Balance(150 * CREDIT)
        assert sum_rows(connection) == read_balances(connection)
        spent = {name: credits.get_balance(connection, name, get_month(NOW)).spent for name in ("ada", "bo")}
    assert max(spent.values()) <= 100 * CREDIT
    assert sum(answered for answered, _ in done) == 30
    for name in ("ada", "bo"):
        given = [percent for asker, (_, some) in zip(people, done, strict=True) if asker == name for percent in some]
        passed = [percent for percent in quota.WARNINGS if spent[name] >= percent * CREDIT]
        assert sorted(given) == passed


@pytest.mark.parametrize("kind", ["threads", mark_slow("processes")])
def test_of_fifty_people_who_redeem_the_last_place_of_a_code_exactly_one_succeeds(either: Database, kind: str) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
        code = referrals.ensure_code(connection, "ada", NOW)
        for number in range(50 + referrals.REFERRAL_LIMIT - 1):
            add_person(connection, f"new {number}")
        for number in range(50, 50 + referrals.REFERRAL_LIMIT - 1):
            referrals.redeem_code(connection, SETTINGS, code, f"new {number}", NOW)
        assert not referrals.has_maxed_referrals(connection, "ada")
    names = [f"new {number}" for number in range(50)]
    # With threads, all begin at the same moment.
    pool = ThreadPoolExecutor(50) if kind == "threads" else _pool(kind)
    start = threading.Barrier(50) if kind == "threads" else None
    with pool:
        done = Counter(pool.map(_redeem, [_address(either)] * 50, [code] * 50, names, [start] * 50))
    assert done == {"redeemed": 1, "maxed_code": 49}
    with either.reading() as connection:
        assert referrals.has_maxed_referrals(connection, "ada")
        assert referral_codes.sum_bonus(connection, "ada") == referrals.REFERRAL_LIMIT * 50 * CREDIT


def test_one_person_who_redeems_many_codes_at_once_redeems_one(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "new")
        codes = []
        for number in range(10):
            add_person(connection, f"friend {number}")
            codes.append(referrals.ensure_code(connection, f"friend {number}", NOW))
    start = threading.Barrier(10)
    with ThreadPoolExecutor(10) as pool:
        done = Counter(pool.map(_redeem, [_address(either)] * 10, codes, ["new"] * 10, [start] * 10))
    assert done == {"redeemed": 1, "second_redemption": 9}


def _ensure(address: str) -> tuple[str, bytes]:
    database = Database(address)
    with database.writing() as connection:
        found = referrals.ensure_code(connection, "ada", NOW), load_guest_key(connection)
    database.close()
    return found


def test_a_person_has_one_code_and_the_server_one_key_however_many_make_them_at_once(either: Database) -> None:
    with either.writing() as connection:
        add_person(connection, "ada")
    with ThreadPoolExecutor(10) as pool:
        assert len(set(pool.map(_ensure, [_address(either)] * 10))) == 1


def _settle(address: str, id: str) -> bool:
    database = Database(address)
    with database.writing() as connection:
        held = credits.get_reservation(connection, id)
        booked = quota.settle(connection, SETTINGS, held, spend(5), NOW).is_booked
    database.close()
    return booked


def test_an_answer_that_several_processes_end_is_booked_once(either: Database) -> None:
    with either.writing() as connection:
        held = quota.reserve(connection, SETTINGS, QuotaAccount("ada", "member"), 5 * CREDIT, NOW, "1@elsewhere")
    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(_settle, [_address(either)] * 10, [held.id] * 10)) == [False] * 9 + [True]
    with either.reading() as connection:
        assert credits.get_balance(connection, "ada", get_month(NOW)) == Balance(5 * CREDIT)
