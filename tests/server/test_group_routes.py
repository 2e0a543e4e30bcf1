from collections.abc import Iterator
from typing import Any

import pytest

from pincite.settings import Settings
from tests.server.team import TeamClient, open_team_client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _make(team: TeamClient, name: str) -> str:
    told = team.post(team.owner, "/api/groups", json={"name": name})
    assert told.status_code == 201, told.text
    assert told.json()["members"] == []
    return str(told.json()["id"])


def _list(team: TeamClient) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = team.get(team.owner, "/api/groups").json()["groups"]
    return found


def test_an_owner_makes_renames_and_removes_groups(team: TeamClient) -> None:
    legal, _ = _make(team, "Legal team"), _make(team, "Archive")
    assert [each["name"] for each in _list(team)] == ["Archive", "Legal team"]
    renamed = team.patch(team.owner, f"/api/groups/{legal}", json={"name": "Lawyers"})
    assert (renamed.json()["id"], renamed.json()["name"]) == (legal, "Lawyers")
    taken = team.patch(team.owner, f"/api/groups/{legal}", json={"name": "ARCHIVE"})
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "taken")
    assert team.delete(team.owner, f"/api/groups/{legal}").status_code == 204
    assert team.delete(team.owner, f"/api/groups/{legal}").status_code == 404
    assert [each["name"] for each in _list(team)] == ["Archive"]


def test_people_enter_and_leave_a_group(team: TeamClient) -> None:
    group = _make(team, "Readers")
    path = f"/api/groups/{group}/members"
    for _ in range(2):  # a second time changes nothing
        told = team.put(team.owner, f"{path}/{team.member.id}")
        assert told.json()["members"] == [{"id": team.member.id, "name": "Bob"}]
    assert team.put(team.owner, f"{path}/nobody").status_code == 404
    assert team.put(team.owner, f"/api/groups/nothing/members/{team.member.id}").status_code == 404
    team.put(team.owner, f"{path}/{team.owner.id}")
    assert [each["name"] for each in _list(team)[0]["members"]] == ["Ada", "Bob"]
    told = team.delete(team.owner, f"{path}/{team.member.id}")
    assert [each["name"] for each in told.json()["members"]] == ["Ada"]


@pytest.mark.parametrize("name", ["", "   ", "!!!", "x" * 150, "x" * 201])
def test_a_name_that_nobody_can_read_is_refused(team: TeamClient, name: str) -> None:
    assert team.post(team.owner, "/api/groups", json={"name": name}).status_code in (400, 422)
    assert _list(team) == []


def test_only_an_owner_manages_groups(team: TeamClient) -> None:
    group = _make(team, "Readers")
    for method, path, body in (
        ("GET", "/api/groups", None),
        ("POST", "/api/groups", {"name": "Mine"}),
        ("PATCH", f"/api/groups/{group}", {"name": "Mine"}),
        ("DELETE", f"/api/groups/{group}", None),
        ("PUT", f"/api/groups/{group}/members/{team.member.id}", None),
        ("DELETE", f"/api/groups/{group}/members/{team.member.id}", None),
    ):
        assert team.request(None, method, path, json=body).status_code == 401
        for by in (team.member, team.guest):
            assert team.request(by, method, path, json=body).status_code == 403
    assert [(each["name"], each["members"]) for each in _list(team)] == [("Readers", [])]


def test_a_member_finds_people_and_groups_by_name_and_nothing_else_about_them(team: TeamClient) -> None:
    group = _make(team, "Readers")
    told = team.get(team.member, "/api/directory")
    assert told.json() == {
        "people": [
            {"id": team.owner.id, "name": "Ada"},
            {"id": team.member.id, "name": "Bob"},
            {"id": team.guest.id, "name": "Gil"},
        ],
        "groups": [{"id": group, "name": "Readers"}],
    }
    assert "example.org" not in told.text


def test_disabled_people_and_guests_who_passed_by_are_not_in_the_directory(settings: Settings) -> None:
    with open_team_client(settings, guests=True) as team:
        assert team.post(None, "/api/account/guest").status_code == 200
        team.patch(team.owner, f"/api/people/{team.member.id}", json={"disabled": True})
        told = team.get(team.owner, "/api/directory").json()
        assert [each["name"] for each in told["people"]] == ["Ada", "Gil"]


def test_a_guest_does_not_see_the_directory(team: TeamClient) -> None:
    told = team.get(team.guest, "/api/directory")
    assert (told.status_code, told.json()["error"]["reason"]) == (403, "role")
