import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.principal import ROLES, Principal, parse_role
from pincite.accounts.removal import begin_removal, finish_removal
from pincite.accounts.roles import change_person, change_role, set_disabled
from pincite.errors import Denied, Misuse, NotFound, Taken
from pincite.store import people, user_settings
from pincite.store.database import Database
from tests.accounts.conftest import NOW, PASSWORD, Team, at_once, by


def _owners(team: Team) -> set[str]:
    with team.database.reading() as connection:
        return {person.id for person in people.find(connection) if person.role == "owner" and not person.disabled}


def _remove(database: Database, caller: Caller, person: str, now: float) -> None:
    begin_removal(database, caller, person, now)
    finish_removal(database, caller, person, now)


def test_an_owner_changes_a_role_and_the_log_says_from_what_to_what(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    assert change_role(team.database, by(olga), ada.id, "owner", NOW).role == "owner"
    entry = list_audit(team.database, by(olga))[0]
    assert (entry.actor, entry.action, entry.whose) == (olga.id, "role.change", ada.id)
    assert entry.details == {"before": "member", "after": "owner"}


def test_the_last_owner_stays_one_whoever_asks(team: Team) -> None:
    olga = team.add("Olga", "owner")
    team.add("Ada")
    disabled = team.add("Otto", "owner")
    set_disabled(team.database, by(olga), disabled.id, True, NOW)
    for caller in (by(olga), AT_TERMINAL):
        with pytest.raises(Misuse) as caught:
            change_role(team.database, caller, olga.id, "member", NOW)
        assert caught.value.reason == "last_owner"
        with pytest.raises(Misuse):
            set_disabled(team.database, caller, olga.id, True, NOW)
        with pytest.raises(Misuse):
            _remove(team.database, caller, olga.id, NOW)
    assert _owners(team) == {olga.id}


def test_of_two_owners_who_demote_each_other_at_once_one_stays(team: Team) -> None:
    for number in range(6):
        one, other = team.add(f"One {number}", "owner"), team.add(f"Other {number}", "owner")
        for third in _owners(team) - {one.id, other.id}:
            change_role(team.database, AT_TERMINAL, third, "member", NOW)
        results = at_once(
            [
                partial(change_role, team.database, by(one), other.id, "member", NOW),
                partial(change_role, team.database, by(other), one.id, "guest", NOW),
            ]
        )
        assert sum(isinstance(result, Denied) for result in results) == 1
        assert len(_owners(team)) == 1


def test_of_all_owners_who_leave_at_the_same_moment_one_has_to_stay(team: Team) -> None:
    owners = [team.add(f"Owner {number}", "owner") for number in range(6)]
    leave: list[Callable[[], object]] = [
        partial(change_role, team.database, by(owners[0]), owners[0].id, "member", NOW),
        partial(set_disabled, team.database, by(owners[1]), owners[1].id, True, NOW),
        partial(_remove, team.database, by(owners[2]), owners[2].id, NOW),
        *(partial(change_role, team.database, by(one), one.id, "guest", NOW) for one in owners[3:]),
    ]
    results = at_once(leave)
    assert sum(isinstance(result, Misuse) for result in results) == 1
    assert len(_owners(team)) == 1


def test_two_owners_who_change_one_role_at_once_leave_one_story(team: Team) -> None:
    owners, ada = [team.add(f"Owner {number}", "owner") for number in range(2)], team.add("Ada")
    chosen = random.Random(1).choices(ROLES, k=16)
    results = at_once(
        [
            partial(change_role, team.database, by(owners[number % 2]), ada.id, role, NOW)
            for number, role in enumerate(chosen)
        ]
    )
    assert [result for result in results if isinstance(result, Exception)] == []
    story = [entry.details for entry in reversed(list_audit(team.database, AT_TERMINAL))]
    roles = ["member", *(step["after"] for step in story)]
    assert [step["before"] for step in story] == roles[:-1]
    assert roles[-1] == team.get(ada).role


def test_an_owner_whose_role_was_taken_during_the_request_can_do_nothing_more(team: Team) -> None:
    olga, otto, ada = team.add("Olga", "owner"), team.add("Otto", "owner"), team.add("Ada")
    still_says_owner = by(otto)
    change_role(team.database, by(olga), otto.id, "member", NOW)
    with pytest.raises(Denied):
        change_role(team.database, still_says_owner, ada.id, "owner", NOW)


def test_members_guests_and_tokens_without_admin_change_no_role(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    program = Caller(Principal(olga.id, "owner", frozenset({"read", "ask", "write"}), token="t"))
    nobody = Caller(Principal("", "guest", frozenset({"read", "ask"})))
    ghost = Caller(Principal("removed", "owner", frozenset({"admin"})))
    for caller in (by(ada), by(team.add("Gil", "guest")), program, nobody, ghost):
        with pytest.raises(Denied):
            change_role(team.database, caller, ada.id, "owner", NOW)
    with pytest.raises(NotFound):
        change_role(team.database, by(olga), "nobody", "owner", NOW)


def test_a_role_that_stays_the_same_is_not_recorded(team: Team) -> None:
    olga = team.add("Olga", "owner")
    change_role(team.database, by(olga), olga.id, "owner", NOW)
    set_disabled(team.database, by(olga), olga.id, False, NOW)
    assert list_audit(team.database, by(olga)) == []


def test_a_removed_person_is_gone_and_the_log_still_says_what_happened(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada", email="ada@example.org")
    change_role(team.database, by(olga), ada.id, "guest", NOW)
    _remove(team.database, by(olga), ada.id, NOW)
    with pytest.raises(NotFound):
        team.get(ada)
    log = list_audit(team.database, by(olga), person=ada.id)
    assert [entry.action for entry in log] == ["account.remove", "account.delete", "role.change"]
    assert "ada@example.org" not in repr(log)
    assert team.add("ada", email="ADA@example.org", password=PASSWORD).id != ada.id


def test_an_owner_renames_people_within_the_names_that_are_free(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada", email="ada@example.org")
    assert change_person(team.database, by(olga), ada.id, NOW, name="ADA").email == "ada@example.org"
    with pytest.raises(Taken):
        change_person(team.database, by(olga), ada.id, NOW, name="olga")
    with pytest.raises(Denied):
        change_person(team.database, by(ada), ada.id, NOW, email="olga@example.org")
    assert change_person(team.database, by(olga), ada.id, NOW, email="").email == ""


@pytest.fixture(scope="module")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One SQLite database for all examples, each of which leaves it empty."""
    made = Database(f"sqlite:///{tmp_path_factory.mktemp('roles') / 'test.db'}")
    made.migrate()
    yield made
    made.close()


_STEPS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from((*ROLES, "disable", "enable", "remove")))


@given(steps=st.lists(_STEPS, max_size=25))
def test_whatever_owners_do_to_each_other_one_is_always_left(
    one_server: Database, steps: list[tuple[int, int, str]]
) -> None:
    with one_server.writing() as connection:
        names = enumerate(("owner", "owner", "member", "guest"))
        team = [people.create(connection, f"Person {number}", parse_role(role), NOW) for number, role in names]
    for actor, target, action in steps:
        with suppress(Misuse):  # refused, or the person is not there any more
            if action == "remove":
                _remove(one_server, by(team[actor]), team[target].id, NOW)
            elif action in ("disable", "enable"):
                set_disabled(one_server, by(team[actor]), team[target].id, action == "disable", NOW)
            else:
                change_role(one_server, by(team[actor]), team[target].id, parse_role(action), NOW)
        with one_server.reading() as connection:
            left = people.find(connection)
        assert any(person.role == "owner" and not person.disabled for person in left)
    with one_server.writing() as connection:
        for person in people.find(connection):
            people.remove(connection, person.id)


def test_the_server_asks_no_search_engine_of_a_person_who_is_no_longer_an_owner(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada", "owner")
    for person in (olga, ada):
        with team.database.writing() as connection:
            user_settings.set_choice(connection, person.id, user_settings.SEARCH_URL, "http://10.0.0.7:8080")
    change_role(team.database, by(olga), ada.id, "member", NOW)
    with team.database.reading() as connection:
        assert user_settings.get_choice(connection, ada.id, user_settings.SEARCH_URL) == ""
        assert user_settings.get_choice(connection, olga.id, user_settings.SEARCH_URL) == "http://10.0.0.7:8080"
