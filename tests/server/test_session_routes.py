"""One's own sessions and tokens over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.settings import Settings
from tests.accounts.conftest import PASSWORD
from tests.server.team import TeamClient, make_token, open_team_client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def test_a_person_sees_where_they_are_signed_in_and_ends_it(team: TeamClient) -> None:
    other = team.open_browser()
    other.headers["User-Agent"] = "Netscape 4\x7f"
    other.post("/api/account/sign-in", json={"name": "Bob", "password": PASSWORD})
    listed = team.get(team.member, "/api/account/sessions").json()["sessions"]
    assert [each["current"] for each in listed] == [False, True]
    assert (listed[0]["agent"], listed[0]["address"]) == ("Netscape 4", "testclient")
    assert listed[1]["id"] == team.get(team.member, "/api/account").json()["session"]
    assert other.get("/api/documents").status_code == 200
    assert team.delete(team.member, f"/api/account/sessions/{listed[0]['id']}").status_code == 204
    assert other.get("/api/documents").status_code == 401
    assert team.delete(team.member, f"/api/account/sessions/{listed[0]['id']}").status_code == 404
    assert list_audit(team.database, AT_TERMINAL)[0].action == "session.end"


def test_all_other_sessions_end_at_once(team: TeamClient) -> None:
    others = [team.open_browser() for _ in range(3)]
    for other in others:
        other.post("/api/account/sign-in", json={"name": "Bob", "password": PASSWORD})
    assert team.delete(team.member, "/api/account/sessions").json() == {"ended": 3}
    assert {other.get("/api/documents").status_code for other in others} == {401}
    assert team.get(team.member, "/api/documents").status_code == 200
    assert team.get(team.owner, "/api/documents").status_code == 200


def test_the_session_of_somebody_else_is_not_there(team: TeamClient) -> None:
    (theirs,) = team.get(team.member, "/api/account/sessions").json()["sessions"]
    for other in (team.guest, team.owner):
        assert team.delete(other, f"/api/account/sessions/{theirs['id']}").status_code == 404
    assert team.get(team.member, "/api/documents").status_code == 200


def test_a_token_is_shown_once_and_works_until_it_is_revoked(team: TeamClient) -> None:
    made = team.post(team.member, "/api/account/tokens", json={"name": "backup", "scopes": ["read"], "days": 7}).json()
    secret, token = made["secret"], made["token"]
    assert secret.startswith(token["start"])
    assert (token["name"], token["scopes"], token["used"]) == ("backup", ["read"], None)
    assert token["expires"] == pytest.approx(token["created"] + 7 * 86_400)
    listed = team.get(team.member, "/api/account/tokens")
    assert token in listed.json()["tokens"]
    assert secret not in listed.text
    headers = {"Authorization": f"Bearer {secret}"}
    assert team.get(None, "/api/documents", headers=headers).status_code == 200
    assert team.post(None, "/api/chat", json={"message": "x"}, headers=headers).status_code == 403
    assert team.delete(team.guest, f"/api/account/tokens/{token['id']}").status_code == 404
    assert team.delete(team.member, f"/api/account/tokens/{token['id']}").status_code == 204
    assert team.get(None, "/api/documents", headers=headers).status_code == 401
    actions = [entry.action for entry in list_audit(team.database, AT_TERMINAL, limit=2)]
    assert actions == ["token.revoke", "token.create"]


def test_nobody_gives_a_token_more_than_they_may(team: TeamClient) -> None:
    refused = team.post(team.member, "/api/account/tokens", json={"name": "x", "scopes": ["read", "admin"]})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "scope")
    unusable: list[dict[str, Any]] = [{"scopes": []}, {"scopes": ["all"]}, {"days": 0}, {"days": 1e9}, {"name": ""}]
    for wrong in unusable:
        given: dict[str, Any] = {"name": "x", "scopes": ["read"]} | wrong
        assert team.post(team.member, "/api/account/tokens", json=given).status_code == 422


def test_a_stolen_token_cannot_be_made_into_more(team: TeamClient) -> None:
    token = make_token(team.database, team.owner.person, "read", "ask", "write")
    headers = {"Authorization": f"Bearer {token}"}
    given = {"name": "x", "scopes": ["read"]}
    assert team.post(None, "/api/account/tokens", json=given, headers=headers).status_code == 403
    for method, path in (
        ("GET", "tokens"),
        ("DELETE", "tokens/x"),
        ("GET", "sessions"),
        ("DELETE", "sessions"),
        ("DELETE", "sessions/x"),
    ):
        assert team.request(None, method, f"/api/account/{path}", headers=headers).status_code == 403
    admin = {"Authorization": f"Bearer {make_token(team.database, team.owner.person, 'admin')}"}
    assert team.get(None, "/api/account/sessions", headers=admin).status_code == 200


def test_a_token_that_has_expired_does_not_work(team: TeamClient) -> None:
    soon = make_token(team.database, team.member.person, "read", days=1e-9)
    answer = team.get(None, "/api/documents", headers={"Authorization": f"Bearer {soon}"})
    assert (answer.status_code, answer.json()["error"]["reason"]) == (401, "token_ended")


def test_nobody_reads_an_account_without_being_signed_in(team: TeamClient) -> None:
    for method, path in (
        ("GET", "sessions"),
        ("DELETE", "sessions"),
        ("DELETE", "sessions/x"),
        ("GET", "tokens"),
        ("POST", "tokens"),
        ("DELETE", "tokens/x"),
        ("PUT", "password"),
    ):
        assert team.request(None, method, f"/api/account/{path}").status_code == 401
