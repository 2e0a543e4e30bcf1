import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.accounts import quota
from pincite.accounts.quota_accounts import QuotaAccount
from pincite.settings import load_settings
from pincite.store import people
from pincite.store.credits import CREDIT
from pincite.store.database import Database, open_database
from tests.accounts.credit_rows import MODEL, spend
from tests.cli.conftest import Ran


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Database]:
    made = open_database(load_settings(data=tmp_path / "data"))
    yield made
    made.close()


@pytest.fixture
def bob(opened: Database, monkeypatch: pytest.MonkeyPatch) -> str:
    """A member with 100 credits a month, of which 30 are spent."""
    monkeypatch.setenv("PINCITE_QUOTA__PERSON_CREDITS", "100")
    monkeypatch.setenv("PINCITE_QUOTA__REFERRAL_URL", "https://example.org/join?code={code}")
    settings, now = load_settings().quota, time.time()
    with opened.writing() as connection:
        person = people.create(connection, "Bob", "member", now, email="bob@example.org")
        held = quota.reserve(connection, settings, QuotaAccount(person.id, "member"), 40 * CREDIT, now, "1@here")
        quota.settle(connection, settings, held, spend(30), now)
    return person.id


def test_the_usage_of_everybody_is_listed_by_month(pincite: Callable[..., Ran], bob: str) -> None:
    (row,) = pincite("accounts", "usage", "--json").json
    assert (row["account"], row["name"], row["used"], row["reserved"]) == (bob, "Bob", 30, 0)
    assert pincite("accounts", "usage", "--months", "3").out.splitlines()[1].split()[1:] == ["Bob", "30", "0"]


def test_before_anybody_asked_nothing_was_used(pincite: Callable[..., Ran]) -> None:
    ran = pincite("accounts", "usage")
    assert (ran.status, ran.out.strip()) == (0, "Nothing was used.")
    assert pincite("accounts", "usage", "--json").json == []


def test_the_usage_of_one_person_is_the_object_of_the_page(pincite: Callable[..., Ran], bob: str) -> None:
    info = pincite("accounts", "usage", "bob@example.org", "--json").json
    assert (info["used"], info["limit"], info["percent"], info["showUser"]) == (30, 100, 30, True)
    assert [each["model"] for each in info["models"]] == [MODEL]
    assert "100 credits, 30 % used" in pincite("accounts", "usage", "bob").out


def test_the_allowance_of_a_person_is_changed_and_taken_back(pincite: Callable[..., Ran], bob: str) -> None:
    ran = pincite("accounts", "quota", "bob", "--credits", "2500000")
    assert "2500000 credits in each month" in ran.said
    assert "2500000" in ran.out
    assert pincite("accounts", "quota", "Bob", "--no-limit", "--json").json[0]["limit"] is None
    assert "no limit" in pincite("accounts", "quota", "bob").out
    assert pincite("accounts", "quota", "bob", "--default", "--json").json[0]["limit"] == 100
    actions = [entry["action"] for entry in pincite("accounts", "audit", "--json").lines]
    assert actions == ["quota.set", "quota.set", "quota.reset"]


def test_all_allowances_begin_with_the_server(pincite: Callable[..., Ran], bob: str) -> None:
    server, person = pincite("accounts", "quota", "--json").json
    assert (server["who"], server["limit"], server["used"]) == ("the whole server", None, 30)
    assert (person["who"], person["limit"], person["used"]) == ("Bob", 100, 30)


@pytest.mark.parametrize(
    "arguments",
    [
        ("bob", "--credits", "5", "--no-limit"),
        ("--credits", "5"),
        ("nobody", "--credits", "5"),
        ("bob", "--credits", "-1"),
    ],
)
def test_a_change_that_is_not_clear_is_refused(
    pincite: Callable[..., Ran], bob: str, arguments: tuple[str, ...]
) -> None:
    ran = pincite("accounts", "quota", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert pincite("accounts", "quota", "bob", "--json").json[0]["limit"] == 100


def test_the_code_of_a_person_is_made_when_it_is_asked_for_and_stays(pincite: Callable[..., Ran], bob: str) -> None:
    (made,) = pincite("accounts", "referrals", "bob", "--json").json
    assert made["url"] == f"https://example.org/join?code={made['code']}"
    assert (made["redeemed"], made["limit"]) == (0, 5)
    assert pincite("accounts", "referrals", "--json").json == [made]
    assert made["code"] in pincite("accounts", "referrals").out


def test_without_codes_it_says_how_to_make_one(pincite: Callable[..., Ran], opened: Database) -> None:
    assert "pincite accounts referrals PERSON" in pincite("accounts", "referrals").out
    assert pincite("accounts", "referrals", "--json").json == []
