import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.principal import Principal, list_scopes
from pincite.accounts.quota_changes import reset_allowance, set_allowance
from pincite.errors import Denied, Misuse, NotFound
from pincite.store import quota_overrides
from pincite.store.credits import CREDIT
from pincite.store.database import Database
from tests.accounts.credit_rows import NOW, add_person


@pytest.fixture
def ada(either: Database) -> str:
    with either.writing() as connection:
        return add_person(connection, "ada").id


def test_an_owner_changes_the_allowance_of_a_person_and_takes_it_back(either: Database, ada: str) -> None:
    set_allowance(either, AT_TERMINAL, ada, 12.5, NOW)
    with either.reading() as connection:
        found = quota_overrides.find(connection, ada)
    assert found
    assert found.amount == 12_500_000
    set_allowance(either, AT_TERMINAL, ada, None, NOW)
    with either.reading() as connection:
        assert quota_overrides.list_overrides(connection) == [quota_overrides.QuotaOverride(ada, None)]
    assert reset_allowance(either, AT_TERMINAL, ada, NOW)
    assert not reset_allowance(either, AT_TERMINAL, ada, NOW)
    entries = [(entry.action, entry.whose, dict(entry.details)) for entry in list_audit(either, AT_TERMINAL)]
    assert entries == [
        ("quota.reset", ada, {}),
        ("quota.set", ada, {"credits": "none"}),
        ("quota.set", ada, {"credits": "12.5"}),
    ]


def test_a_member_cannot_change_an_allowance_not_even_their_own(either: Database, ada: str) -> None:
    caller = Caller(Principal(ada, "member", list_scopes("member")))
    with pytest.raises(Denied):
        set_allowance(either, caller, ada, None, NOW)
    with pytest.raises(Denied):
        reset_allowance(either, caller, ada, NOW)
    with either.reading() as connection:
        assert quota_overrides.find(connection, ada) is None


@pytest.mark.parametrize("credits", [-1, float("nan"), float("inf"), 2e9])
def test_an_allowance_that_cannot_be_is_refused(either: Database, ada: str, credits: float) -> None:
    with pytest.raises(Misuse):
        set_allowance(either, AT_TERMINAL, ada, credits, NOW)


def test_nobody_gets_an_allowance_without_an_account(either: Database) -> None:
    with pytest.raises(NotFound):
        set_allowance(either, AT_TERMINAL, "nobody", 5, NOW)


def test_an_allowance_is_stored_exactly(either: Database, ada: str) -> None:
    set_allowance(either, AT_TERMINAL, ada, 0.1, NOW)
    with either.reading() as connection:
        found = quota_overrides.find(connection, ada)
    assert found
    assert found.amount == CREDIT // 10
