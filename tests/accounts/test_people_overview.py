from typing import Any

import pytest
from sqlalchemy import event

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.people_overview import list_people, report_server_usage
from pincite.accounts.quota_changes import set_allowance
from pincite.accounts.roles import change_role
from pincite.accounts.sign_in_sessions import begin_session
from pincite.accounts.tokens import create_token, identify_token
from pincite.errors import Denied
from pincite.settings import Settings, load_settings
from pincite.store import referral_codes
from pincite.store.credits import CREDIT
from pincite.store.referral_codes import Redemption
from tests.accounts.conftest import DAY, MINUTE, NOW, Team, by


@pytest.fixture
def server() -> Settings:
    return load_settings(accounts={"mode": "team"}, quota={"person_credits": 50, "server_credits": 1000})


def test_the_last_use_is_that_of_any_session_or_token_and_ended_sessions_do_not_count(
    team: Team, server: Settings
) -> None:
    ada, bob, eve = team.add("Ada"), team.add("Bob"), team.add("Eve")
    with team.database.writing() as connection:
        begin_session(connection, ada, NOW, "", "")
        begin_session(connection, ada, NOW + DAY, "", "")
        begin_session(connection, bob, NOW, "", "")
    token = create_token(team.database, AT_TERMINAL, bob.id, "backup", ["read"], NOW)
    identify_token(team.database, token.secret, NOW + MINUTE)
    create_token(team.database, AT_TERMINAL, eve.id, "unused", ["read"], NOW)
    end = NOW + server.accounts.idle_days * DAY
    found = {
        each.person.name: (each.sessions, each.used) for each in list_people(team.database, server, AT_TERMINAL, end)
    }
    assert found == {"Ada": (1, NOW + DAY), "Bob": (0, NOW + MINUTE), "Eve": (0, None)}


def test_the_allowance_is_that_of_the_role_or_ones_own_with_referrals(team: Team, server: Settings) -> None:
    team.add("Olga", "owner")
    ada, bob, gil = team.add("Ada"), team.add("Bob"), team.add("Gil", "guest")
    set_allowance(team.database, AT_TERMINAL, bob.id, 7, NOW)
    eve = team.add("Eve")
    set_allowance(team.database, AT_TERMINAL, eve.id, 900, NOW)
    change_role(team.database, AT_TERMINAL, eve.id, "guest", NOW)  # whose credits count by address from now on
    with team.database.writing() as connection:
        for redeemer, referrer in ((ada, bob), (bob, gil)):
            redeemed = Redemption(redeemer.id, referrer.id, 3 * CREDIT, 2 * CREDIT, NOW)
            referral_codes.add_redemption(connection, redeemed)
    found = {each.person.name: each.credits_allowed for each in list_people(team.database, server, AT_TERMINAL, NOW)}
    guest = server.quota.guest_credits
    assert found == {"Ada": 53, "Bob": 7 + 2 + 3, "Eve": guest, "Gil": guest, "Olga": None}


def test_people_are_listed_with_the_same_number_of_queries_however_many_they_are(team: Team, server: Settings) -> None:
    ran: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        ran.append(statement)

    def count_queries() -> int:
        ran.clear()
        list_people(team.database, server, AT_TERMINAL, NOW)
        return len(ran)

    team.add("Ada")
    event.listen(team.database.engine, "before_cursor_execute", note)
    few = count_queries()
    for number in range(8):
        team.add(f"Person {number}")
    assert count_queries() == few > 0


def test_only_an_owner_lists_people_and_their_credits(team: Team, server: Settings) -> None:
    for caller in (by(team.add("Ada")), by(team.add("Gil", "guest"))):
        with pytest.raises(Denied):
            list_people(team.database, server, caller, NOW)
        with pytest.raises(Denied):
            report_server_usage(team.database, server, caller, NOW, 3)
    olga = team.add("Olga", "owner")
    usage = report_server_usage(team.database, server, by(olga), NOW, 3)
    assert (usage.months, usage.people) == (["1969-11", "1969-12", "1970-01"], [])
    assert (usage.spent, usage.allowed) == (0, 1000)
