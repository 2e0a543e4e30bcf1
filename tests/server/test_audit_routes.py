import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pincite.accounts.audit import AT_TERMINAL, record_action
from pincite.settings import Settings
from tests.server.team import TeamClient, open_team_client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _read(team: TeamClient, **query: Any) -> dict[str, Any]:
    told = team.get(team.owner, "/api/audit", params=query)
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()
    return found


def test_an_owner_reads_who_did_what_to_whom_and_from_where(team: TeamClient) -> None:
    team.patch(team.owner, f"/api/people/{team.member.id}", json={"role": "guest"})
    entry = _read(team)["entries"][0]
    assert (entry["actor"], entry["actor_name"]) == (team.owner.id, "Ada")
    assert (entry["action"], entry["whose"], entry["whose_name"]) == ("role.change", team.member.id, "Bob")
    assert entry["details"] == {"before": "member", "after": "guest"}
    assert entry["address"] == "testclient"
    assert abs(entry["time"] - time.time()) < 60


def test_the_log_is_read_page_by_page_without_a_gap(team: TeamClient) -> None:
    with team.database.writing() as connection:
        for number in range(25):
            record_action(connection, AT_TERMINAL, "sign_in", time.time(), n=number)
    pages: list[list[int | None]] = []
    before: dict[str, int] = {}
    while True:
        page = _read(team, limit=10, **before)
        pages.append([each["details"].get("n") for each in page["entries"]])
        if not page["more"]:
            break
        before = {"before": page["entries"][-1]["id"]}
    assert [n for page in pages for n in page if n is not None] == list(range(24, -1, -1))
    assert [len(page) for page in pages[:-1]] == [10] * (len(pages) - 1)


def test_one_person_is_picked_out(team: TeamClient) -> None:
    team.patch(team.owner, f"/api/people/{team.member.id}", json={"disabled": True})
    team.patch(team.owner, f"/api/people/{team.guest.id}", json={"disabled": True})
    found = _read(team, person=team.guest.id)["entries"]
    assert {each["whose"] for each in found} == {team.guest.id}
    assert found[0]["action"] == "account.disable"
    assert _read(team, person="nobody") == {"entries": [], "more": False}


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 501}, {"before": -1}, {"before": 2**60}, {"person": "x" * 201}]
)
def test_a_page_that_cannot_be_is_refused(team: TeamClient, query: dict[str, Any]) -> None:
    assert team.get(team.owner, "/api/audit", params=query).status_code == 422


def test_the_log_is_exported_as_json_lines_the_first_entry_first(team: TeamClient) -> None:
    with team.database.writing() as connection:
        for number in range(700):
            record_action(connection, AT_TERMINAL, "sign_in", time.time(), team.guest.id, n=number)
    told = team.get(team.owner, "/api/audit/export")
    assert told.headers["content-type"] == "application/x-ndjson"
    assert "attachment" in told.headers["content-disposition"]
    assert told.text.endswith("\n")
    lines = [json.loads(line) for line in told.text.splitlines()]
    assert [line["id"] for line in lines] == sorted(line["id"] for line in lines)
    assert [line["details"]["n"] for line in lines if "n" in line["details"]] == list(range(700))
    assert lines[-1]["whose_name"] == "Gil"
    picked = team.get(team.owner, "/api/audit/export", params={"person": team.member.id})
    assert {json.loads(line)["whose"] for line in picked.text.splitlines()} == {team.member.id}


def test_a_writer_who_removes_a_document_of_somebody_else_is_recorded(team: TeamClient) -> None:
    added = [
        team.post(
            team.owner, "/api/documents", files={"file": (f"{name}.md", f"{name} is deep.")}, data={"library": name}
        )
        for name in ("lakes", "seas")
    ]
    lake, sea = (each.json()["id"] for each in added)
    team.post(team.owner, "/api/libraries/lakes/shares", json={"person": team.member.id, "access": "writer"})
    assert team.delete(team.member, f"/api/documents/{lake}").status_code == 204
    entry = _read(team)["entries"][0]
    assert (entry["action"], entry["actor_name"], entry["whose_name"]) == ("document.remove", "Bob", "Ada")
    assert (entry["target"], entry["details"]) == (lake, {"libraries": 1})
    assert entry["address"] == "testclient"
    assert team.delete(team.owner, f"/api/documents/{sea}").status_code == 204
    assert _read(team)["entries"][0] == entry  # one's own documents are nobody else's business


def test_only_an_owner_reads_the_log(team: TeamClient) -> None:
    for path in ("/api/audit", "/api/audit/export"):
        for by, status in ((None, 401), (team.member, 403), (team.guest, 403), (team.owner, 200)):
            assert team.get(by, path).status_code == status


def test_no_secret_of_anybody_is_in_the_log(team: TeamClient) -> None:
    links = [
        team.post(team.owner, "/api/invitations", json={"email": "eve@example.org"}).json()["url"],
        team.post(team.owner, f"/api/people/{team.member.id}/reset").json()["url"],
    ]
    exported = team.get(team.owner, "/api/audit/export").text
    for secret in (*(link.partition("#")[2] for link in links), team.member.token, "eve@example.org"):
        assert secret not in exported
