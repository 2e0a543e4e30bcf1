"""Signing in and out over HTTP, joining with an invitation, and new passwords."""

import time
from collections.abc import Iterator
from http.cookies import Morsel, SimpleCookie
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from starlette.testclient import TestClient

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.invitations import invite_person, list_invitations
from pincite.accounts.password_resets import make_reset_link
from pincite.accounts.referrals import ensure_code
from pincite.server import create_app
from pincite.server.callers import SESSION_COOKIE
from pincite.settings import Settings
from pincite.store import people, referral_codes
from tests.accounts.conftest import PASSWORD
from tests.server.team import HASHING, OWN_PAGE, TeamClient, make_team_settings, make_token, open_team_client
from tests.thorough import scale_examples

NEW = "another horse entirely"


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _sign_in(browser: TestClient, name: str = "Bob", password: str = PASSWORD) -> Any:
    return browser.post("/api/account/sign-in", json={"name": name, "password": password})


def _read_cookie(response: Any, name: str = SESSION_COOKIE) -> "Morsel[str]":
    return SimpleCookie(response.headers["set-cookie"])[name]


def _list_actions(team: TeamClient) -> list[str]:
    return [entry.action for entry in reversed(list_audit(team.database, AT_TERMINAL))]


def test_a_person_signs_in_and_out(team: TeamClient) -> None:
    browser = team.open_browser()
    before = browser.get("/api/account").json()
    assert (before["mode"], before["person"], before["session"], before["scopes"]) == ("team", None, "", [])
    told = _sign_in(browser, "bob@example.org")
    assert told.status_code == 200, told.text
    assert told.json()["person"] == {
        "id": team.member.id,
        "name": "Bob",
        "email": "bob@example.org",
        "role": "member",
        "disabled": False,
        "created": team.member.person.created,
    }
    assert told.json()["scopes"] == ["read", "ask", "write"]
    assert told.json()["session"]
    assert browser.get("/api/account").json() == told.json()
    assert browser.get("/api/documents").status_code == 200
    secret = browser.cookies[SESSION_COOKIE]
    assert browser.post("/api/account/sign-out").status_code == 204
    assert not browser.cookies
    copied = team.get(None, "/api/documents", headers={"Cookie": f"{SESSION_COOKIE}={secret}"})
    assert copied.json()["error"]["code"] == "not_signed_in"
    assert browser.get("/api/account").json() == before
    assert _list_actions(team)[-2:] == ["sign_in", "sign_out"]


def test_signing_out_twice_is_no_error(team: TeamClient) -> None:
    assert team.post(None, "/api/account/sign-out").status_code == 204


def test_a_wrong_name_and_a_wrong_password_are_told_alike(team: TeamClient) -> None:
    said = [team.post(None, "/api/account/sign-in", json=given) for given in (
        {"name": "Bob", "password": "wrong"},
        {"name": "Nobody", "password": PASSWORD},
    )]  # fmt: skip
    assert [each.status_code for each in said] == [401, 401]
    assert said[0].json() == said[1].json()
    assert said[0].json()["error"]["reason"] == "password"
    assert "set-cookie" not in said[0].headers
    assert _list_actions(team)[-2:] == ["sign_in.fail", "sign_in.fail"]


def test_too_many_failures_are_told_how_long_to_wait(team: TeamClient) -> None:
    for _ in range(5):
        assert _sign_in(team.client, password="wrong").status_code == 401
    refused = _sign_in(team.client)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_attempts")
    assert 0 < int(refused.headers["retry-after"]) == refused.json()["error"]["params"]["seconds"]
    assert _sign_in(team.client, "Ada").status_code == 200


def test_the_cookie_is_for_this_server_alone(team: TeamClient) -> None:
    cookie = _read_cookie(_sign_in(team.client))
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["secure"]) == (True, "lax", "/", "")
    assert int(cookie["max-age"]) == 90 * 86_400
    assert not cookie["domain"]
    cleared = _read_cookie(team.client.post("/api/account/sign-out", headers=OWN_PAGE))
    assert (cleared.value, cleared["max-age"], cleared["path"]) == ("", "0", "/")


def test_the_cookie_is_sent_over_tls_alone_where_there_is_tls(settings: Settings) -> None:
    with open_team_client(settings, url="https://pincite.example.org") as team:
        assert _read_cookie(_sign_in(team.client))["secure"] is True
    behind = create_app(make_team_settings(settings), hashing=HASHING)
    with TestClient(behind, base_url="https://testserver") as client:
        assert _read_cookie(_sign_in(client))["secure"] is True


def test_signing_in_again_replaces_the_session_of_the_browser(team: TeamClient) -> None:
    browser = team.open_browser()
    _sign_in(browser)
    old = browser.cookies[SESSION_COOKIE]
    _sign_in(browser, "Ada")
    assert browser.cookies[SESSION_COOKIE] != old
    answer = team.client.get("/api/documents", headers={"Cookie": f"{SESSION_COOKIE}={old}"})
    assert answer.status_code == 401


def test_a_cookie_that_somebody_planted_is_not_taken_over(team: TeamClient) -> None:
    given = {"name": "Bob", "password": PASSWORD}
    planted = {"Cookie": f"{SESSION_COOKIE}=planted", **OWN_PAGE}
    assert _read_cookie(team.post(None, "/api/account/sign-in", json=given, headers=planted)).value != "planted"
    assert team.get(None, "/api/documents", headers=planted).status_code == 401


def test_no_response_of_an_account_is_stored_on_the_way(team: TeamClient) -> None:
    for response in (
        team.get(None, "/api/account"),
        team.post(None, "/api/account/sign-in", json={"name": "Bob", "password": "wrong"}),
        team.post(None, "/api/account/sign-in", json={}),
        team.get(None, "/api/account/sessions"),
        team.get(team.member, "/api/account/tokens"),
        team.post(team.member, "/api/account/sign-out"),
        team.get(None, "/api/accounts/openid/return"),
    ):
        assert response.headers["cache-control"] == "no-store", response.url


def test_a_token_says_whose_it_is(team: TeamClient) -> None:
    token = make_token(team.database, team.owner.person, "read")
    told = team.get(None, "/api/account", headers={"Authorization": f"Bearer {token}"}).json()
    assert (told["person"]["name"], told["scopes"], told["session"]) == ("Ada", ["read"], "")
    assert team.get(None, "/api/account", headers={"Authorization": "Bearer pin_x"}).json()["person"] is None


def test_in_local_mode_the_one_owner_needs_no_account(client: TestClient) -> None:
    told = client.get("/api/account").json()
    assert (told["mode"], told["person"]["id"], told["person"]["role"]) == ("local", "local", "owner")
    assert told["scopes"] == ["read", "ask", "write", "admin"]
    assert (told["guests"], told["issuer"]) == (False, False)
    link = {"secret": "s"}
    for method, path, body in (
        ("POST", "sign-in", {"name": "Bob", "password": PASSWORD}),
        ("POST", "sign-out", None),
        ("POST", "guest", None),
        ("POST", "invitation", link),
        ("POST", "join", link | {"name": "Bob", "password": PASSWORD}),
        ("POST", "reset", link | {"password": PASSWORD}),
        ("PUT", "password", {"old": PASSWORD, "new": NEW}),
        ("GET", "openid", None),
        ("GET", "sessions", None),
        ("DELETE", "sessions", None),
        ("DELETE", "sessions/s", None),
        ("GET", "tokens", None),
        ("POST", "tokens", {"name": "t", "scopes": ["read"]}),
        ("DELETE", "tokens/t", None),
    ):
        refused = client.request(method, f"/api/account/{path}", json=body)
        assert (refused.status_code, refused.json()["error"]["reason"]) == (400, "local_mode"), path
        assert "pincite accounts init" in refused.json()["error"]["hint"]
    assert client.get("/api/accounts/openid/return").json()["error"]["reason"] == "local_mode"


def test_an_invitation_is_read_and_accepted_once(team: TeamClient) -> None:
    link = invite_person(team.database, team.settings.accounts, AT_TERMINAL, "member", time.time(), "eve@example.org")
    read = team.post(None, "/api/account/invitation", json={"secret": link.secret}).json()
    assert read == {"email": "eve@example.org", "role": "member", "expires": link.stored.expires}
    browser = team.open_browser()
    given = {"secret": link.secret, "name": "Eve", "password": PASSWORD}
    for wrong in ({"password": "short"}, {"name": "bob"}, {"email": "bob@example.org"}, {"referral": "NOSUCHCODE"}):
        assert browser.post("/api/account/join", json=given | wrong).status_code in (400, 409)
    joined = browser.post("/api/account/join", json=given | {"email": "Eve@example.org"})
    assert joined.status_code == 200, joined.text
    assert joined.json()["person"]["email"] == "eve@example.org"
    assert browser.get("/api/account").json()["person"]["name"] == "Eve"
    again = team.post(None, "/api/account/join", json=given | {"name": "Eve 2"})
    assert (again.status_code, again.json()["error"]["reason"]) == (401, "invitation")
    assert not list_invitations(team.database, AT_TERMINAL, time.time())
    assert _list_actions(team)[-1] == "invitation.accept"


def test_a_referral_code_is_redeemed_with_the_account(team: TeamClient) -> None:
    with team.database.writing() as connection:
        code = ensure_code(connection, team.member.id, time.time())
    link = invite_person(team.database, team.settings.accounts, AT_TERMINAL, "member", time.time())
    given = {"secret": link.secret, "name": "Eve", "password": PASSWORD, "referral": code.lower()}
    joined = team.post(None, "/api/account/join", json=given)
    assert joined.status_code == 200, joined.text
    with team.database.reading() as connection:
        assert referral_codes.has_redeemed(connection, joined.json()["person"]["id"])
        assert referral_codes.count_redeemed(connection, team.member.id) == 1


def test_joining_ends_the_session_of_a_guest(settings: Settings) -> None:
    with open_team_client(settings, guests=True) as team:
        browser = team.open_browser()
        assert browser.post("/api/account/guest").json()["person"]["role"] == "guest"
        guest = browser.cookies[SESSION_COOKIE]
        link = invite_person(team.database, team.settings.accounts, AT_TERMINAL, "member", time.time())
        browser.post("/api/account/join", json={"secret": link.secret, "name": "Eve", "password": PASSWORD})
        assert browser.get("/api/account").json()["person"]["name"] == "Eve"
        answer = team.client.get("/api/documents", headers={"Cookie": f"{SESSION_COOKIE}={guest}"})
        assert answer.status_code == 401


def test_guests_are_let_in_where_the_server_says_so(team: TeamClient, settings: Settings) -> None:
    refused = team.post(None, "/api/account/guest")
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "not_signed_in")
    with team.database.writing() as connection:
        assert people.count(connection) == 3
    with open_team_client(settings.model_copy(update={"data": settings.data / "other"}), guests=True) as other:
        assert other.get(None, "/api/account").json()["guests"] is True
        begun = other.post(None, "/api/account/guest")
        assert begun.json()["scopes"] == ["read", "ask"]
        assert other.client.get("/api/conversations").status_code == 200
        assert other.client.post("/api/personas", json={"name": "x", "instructions": "y"}).status_code == 403


def test_a_reset_link_sets_a_password_once_and_ends_every_session(team: TeamClient) -> None:
    link = make_reset_link(team.database, team.settings.accounts, AT_TERMINAL, team.member.id, time.time())
    given = {"secret": link.secret, "password": NEW}
    assert team.post(None, "/api/account/reset", json=given | {"password": "x"}).status_code == 400
    answer = team.post(None, "/api/account/reset", json=given)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "set-cookie" not in answer.headers
    assert team.get(team.member, "/api/documents").status_code == 401
    assert team.post(None, "/api/account/reset", json=given).json()["error"]["reason"] == "reset"
    assert _sign_in(team.open_browser(), password=PASSWORD).status_code == 401
    assert _sign_in(team.open_browser(), password=NEW).status_code == 200


def test_a_person_changes_the_password_and_stays_signed_in_here_alone(team: TeamClient) -> None:
    elsewhere = team.open_browser()
    _sign_in(elsewhere)
    wrong = team.put(team.member, "/api/account/password", json={"old": "wrong", "new": NEW})
    assert (wrong.status_code, wrong.json()["error"]["reason"]) == (401, "password")
    assert elsewhere.get("/api/documents").status_code == 200
    assert team.put(team.member, "/api/account/password", json={"old": PASSWORD, "new": NEW}).status_code == 204
    assert team.get(team.member, "/api/documents").status_code == 200
    assert elsewhere.get("/api/documents").status_code == 401
    assert _sign_in(elsewhere, password=NEW).status_code == 200


def test_a_token_without_admin_changes_no_password(team: TeamClient) -> None:
    refused = team.put(None, "/api/account/password", json={"old": PASSWORD, "new": NEW}, headers=team.member.headers)
    assert (refused.status_code, refused.json()["error"]["reason"]) == (403, "scope")


def test_an_address_begins_only_so_many_sessions_in_a_minute(settings: Settings) -> None:
    quota = settings.quota.model_copy(update={"sign_ins_per_minute": 1, "address_factor": 3})
    with open_team_client(settings.model_copy(update={"quota": quota}), guests=True) as team:
        assert [team.post(None, "/api/account/guest").status_code for _ in range(4)] == [200, 200, 200, 429]
        for path, body in (
            ("guest", None),
            ("invitation", {"secret": "s"}),
            ("join", {"secret": "s", "name": "Eve", "password": PASSWORD}),
            ("reset", {"secret": "s", "password": PASSWORD}),
            ("sign-in", {"name": "Bob", "password": PASSWORD}),
        ):
            refused = team.post(None, f"/api/account/{path}", json=body)
            assert (refused.status_code, refused.json()["error"]["reason"]) == (429, "sign_ins")
            assert int(refused.headers["retry-after"]) > 0
        assert team.get(None, "/api/account/openid").status_code == 429
        assert team.get(team.member, "/api/account").json()["person"]["name"] == "Bob"


def test_no_page_of_another_site_signs_anybody_in_or_out(team: TeamClient) -> None:
    cookie = {"Cookie": f"{SESSION_COOKIE}={team.member.cookie}"}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        for path in ("sign-in", "sign-out", "guest"):
            answer = team.post(None, f"/api/account/{path}", json={}, headers=cookie | headers)
            assert answer.status_code == 403
    assert team.get(team.member, "/api/documents").status_code == 200


@given(name=st.text(max_size=400), password=st.text(max_size=1200))
@examples(max_examples=scale_examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_typed_nobody_gets_in_and_nothing_breaks(team: TeamClient, name: str, password: str) -> None:
    answer = _sign_in(team.client, name, password)
    assert answer.status_code in (401, 422, 429)
    assert "set-cookie" not in answer.headers
    if len(password) > 3:
        assert password not in answer.text
