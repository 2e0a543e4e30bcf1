from functools import partial

import pytest

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.people_groups import add_to_group, create_group, remove_from_group, remove_group, rename_group
from pincite.errors import Denied, Misuse, NotFound, Taken
from pincite.store import groups, people
from pincite.store.groups import StoredGroup
from tests.accounts.conftest import NOW, Team, at_once, by


def test_an_owner_makes_fills_renames_and_removes_a_group(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    made = create_group(team.database, by(olga), " Legal  team ", NOW)
    assert made.name == "Legal team"
    assert add_to_group(team.database, by(olga), "LEGAL TEAM", ada.id, NOW).members == 1
    assert add_to_group(team.database, by(olga), made.id, ada.id, NOW).members == 1
    assert rename_group(team.database, by(olga), made.id, "Law", NOW).name == "Law"
    with team.database.reading() as connection:
        assert [group.name for group in groups.find_by_member(connection, ada.id)] == ["Law"]
        assert [person.name for person in groups.list_members(connection, made.id)] == ["Ada"]
    for _ in range(2):
        assert remove_from_group(team.database, by(olga), made.id, ada.id, NOW).members == 0
    remove_group(team.database, by(olga), made.id, NOW)
    with pytest.raises(NotFound):
        remove_group(team.database, by(olga), made.id, NOW)
    actions = [entry.action for entry in reversed(list_audit(team.database, by(olga)))]
    assert actions == ["group.create", "group.add", "group.rename", "group.leave", "group.remove"]


def test_two_spellings_of_a_name_are_one_group_even_at_the_same_moment(team: Team) -> None:
    names = ["Legal", "LEGAL", "legal", "Légal"]
    results = at_once([partial(create_group, team.database, AT_TERMINAL, name, NOW) for name in names])
    assert sum(isinstance(result, StoredGroup) for result in results) == 1
    assert sum(isinstance(result, Taken) for result in results) == 3
    other = create_group(team.database, AT_TERMINAL, "Other", NOW)
    with pytest.raises(Taken):
        rename_group(team.database, AT_TERMINAL, other.id, "legal", NOW)


def test_a_person_added_many_times_at_once_is_in_the_group_once(team: Team) -> None:
    ada, group = team.add("Ada"), create_group(team.database, AT_TERMINAL, "Legal", NOW)
    results = at_once([partial(add_to_group, team.database, AT_TERMINAL, group.id, ada.id, NOW)] * 8)
    assert all(isinstance(result, StoredGroup) for result in results)
    with team.database.reading() as connection:
        assert groups.get(connection, group.id).members == 1


def test_a_person_who_is_removed_leaves_the_groups(team: Team) -> None:
    ada, group = team.add("Ada"), create_group(team.database, AT_TERMINAL, "Legal", NOW)
    add_to_group(team.database, AT_TERMINAL, group.id, ada.id, NOW)
    with team.database.writing() as connection:
        people.remove(connection, ada.id)
    with team.database.reading() as connection:
        assert groups.get(connection, group.id).members == 0


def test_members_change_no_group(team: Team) -> None:
    ada, group = team.add("Ada"), create_group(team.database, AT_TERMINAL, "Legal", NOW)
    with pytest.raises(Denied):
        create_group(team.database, by(ada), "Mine", NOW)
    with pytest.raises(Denied):
        add_to_group(team.database, by(ada), group.id, ada.id, NOW)
    with pytest.raises(Denied):
        remove_group(team.database, by(ada), group.id, NOW)


def test_a_group_needs_a_name_and_people_who_exist(team: Team) -> None:
    with pytest.raises(Misuse):
        create_group(team.database, AT_TERMINAL, " … ", NOW)
    group = create_group(team.database, AT_TERMINAL, "Legal", NOW)
    with pytest.raises(NotFound):
        add_to_group(team.database, AT_TERMINAL, group.id, "nobody", NOW)
