import json

import pytest

from pincite.accounts.audit import (
    AT_TERMINAL,
    Caller,
    check_owner,
    export_audit,
    list_audit,
    name_entries,
    record_action,
)
from pincite.accounts.principal import Principal
from pincite.errors import Denied
from pincite.store import groups, people
from tests.accounts.conftest import NOW, Team, by


def test_the_log_is_exported_as_json_lines_with_names_of_people(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ädä")
    with team.database.writing() as connection:
        record_action(connection, by(olga, "198.51.100.7"), "role.change", NOW, ada.id, "thing", before="guest", n=1)
        record_action(connection, AT_TERMINAL, "reset.create", NOW + 0.25, ada.id)
    lines = [json.loads(line) for line in export_audit(team.database, by(olga))]
    assert lines[0] == {
        "id": lines[0]["id"],
        "time": "1970-01-12T13:46:40.000+00:00",
        "actor": olga.id,
        "actor_name": "Olga",
        "action": "role.change",
        "whose": ada.id,
        "whose_name": "Ädä",
        "target": "thing",
        "target_name": "",
        "receiver_name": "",
        "address": "198.51.100.7",
        "details": {"before": "guest", "n": 1},
    }
    assert [line["address"] for line in lines] == ["198.51.100.7", "terminal"]
    assert [json.loads(line)["action"] for line in export_audit(team.database, by(olga), NOW + 0.1)] == ["reset.create"]


def test_a_removed_person_is_an_id_without_a_name(team: Team) -> None:
    ada = team.add("Ada")
    with team.database.writing() as connection:
        record_action(connection, by(ada), "sign_in", NOW, ada.id)
        people.remove(connection, ada.id)
    [line] = export_audit(team.database, AT_TERMINAL)
    assert (json.loads(line)["whose"], json.loads(line)["whose_name"]) == (ada.id, "")


def test_groups_and_receivers_of_shares_are_named_while_they_exist(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    with team.database.writing() as connection:
        group = groups.create(connection, "Readers", NOW)
        record_action(connection, by(olga), "group.add", NOW, ada.id, group.id)
        record_action(connection, by(olga), "library.share", NOW, olga.id, "Ada", receiver=ada.id, access="reader")
        record_action(connection, by(olga), "library.share", NOW, olga.id, "laws", receiver=group.id, access="reader")

    def read_names() -> list[tuple[str, str]]:
        entries = name_entries(team.database, list_audit(team.database, by(olga)))
        return [(each.target_name, each.receiver_name) for each in reversed(entries)]

    assert read_names() == [("Readers", ""), ("", "Ada"), ("", "Readers")]
    with team.database.writing() as connection:
        groups.remove(connection, group.id)
    assert read_names() == [("", ""), ("", "Ada"), ("", "")]


def test_a_long_log_is_exported_whole_and_once(team: Team) -> None:
    with team.database.writing() as connection:
        for number in range(1101):
            record_action(connection, AT_TERMINAL, "sign_in", NOW, n=number)
    lines = export_audit(team.database, AT_TERMINAL)
    first = next(lines)
    with team.database.writing() as connection:  # nothing is locked while the reader is slow
        record_action(connection, AT_TERMINAL, "sign_in", NOW, n=1101)
    assert [json.loads(line)["details"]["n"] for line in (first, *lines)] == list(range(1102))


def test_only_an_owner_who_is_one_now_reads_the_log(team: Team) -> None:
    olga, ada, disabled = team.add("Olga", "owner"), team.add("Ada"), team.add("Otto", "owner")
    with team.database.writing() as connection:
        people.set_disabled(connection, disabled.id, True, NOW)
    assert list_audit(team.database, by(olga)) == []
    ghost = Caller(Principal("removed", "owner", frozenset({"admin"})))
    for caller in (by(ada), by(disabled), ghost, Caller(Principal("", "guest", frozenset()))):
        with pytest.raises(Denied):
            list_audit(team.database, caller)
        with pytest.raises(Denied):
            export_audit(team.database, caller)
        with team.database.reading() as connection, pytest.raises(Denied):
            check_owner(connection, caller)


def test_an_action_that_fails_is_not_recorded(team: Team) -> None:
    def fail() -> None:
        with team.database.writing() as connection:
            record_action(connection, AT_TERMINAL, "role.change", NOW)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list_audit(team.database, AT_TERMINAL) == []
