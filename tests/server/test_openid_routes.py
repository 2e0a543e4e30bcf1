"""Signing in at an OpenID issuer through the running server, as a browser does it."""

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.roles import set_disabled
from pincite.server.callers import SESSION_COOKIE
from pincite.server.session_cookie import OPENID_COOKIE, OPENID_RETURN
from pincite.settings import Settings
from tests.accounts.issuer import CLIENT, SECRET, Issuer, make_key, run_issuer
from tests.server.team import TeamClient, open_team_client

_KEY = make_key()


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with run_issuer(_KEY, time.time()) as running:
        running.person = {"sub": "1234", "email": "eve@example.org", "email_verified": True, "name": "Eve"}
        yield running


@pytest.fixture
def team(settings: Settings, issuer: Issuer) -> Iterator[TeamClient]:
    given: dict[str, Any] = {
        "issuer": issuer.url,
        "client_id": CLIENT,
        "client_secret": SecretStr(SECRET),
        "join": True,
    }
    with open_team_client(settings, url="http://testserver", **given) as made:
        yield made


def _begin(browser: TestClient, next: str = "/") -> Any:
    return browser.get("/api/account/openid", params={"next": next})


def _sign_in(browser: TestClient, issuer: Issuer, next: str = "/") -> Any:
    begun = _begin(browser, next)
    assert begun.status_code == 303, begun.text
    return browser.get(OPENID_RETURN, params=issuer.approve(begun.headers["location"]))


def test_a_person_signs_in_at_the_issuer_and_returns_to_their_page(team: TeamClient, issuer: Issuer) -> None:
    browser = team.open_browser()
    assert browser.get("/api/account").json()["issuer"] is True
    returned = _sign_in(browser, issuer, "/library?document=d")
    assert (returned.status_code, returned.headers["location"]) == (303, "/library?document=d")
    told = browser.get("/api/account").json()
    assert (told["person"]["name"], told["person"]["email"]) == ("Eve", "eve@example.org")
    assert OPENID_COOKIE not in browser.cookies
    (entry,) = list_audit(team.database, AT_TERMINAL, limit=1)
    assert (entry.action, entry.whose, entry.details) == ("sign_in", told["person"]["id"], {"method": "openid"})


def test_the_issuer_sends_people_back_to_the_address_of_this_server(team: TeamClient) -> None:
    asked = parse_qs(urlsplit(_begin(team.client).headers["location"]).query)
    assert asked["redirect_uri"] == ["http://testserver/api/accounts/openid/return"]


def test_the_cookie_of_a_sign_in_goes_to_the_return_alone(team: TeamClient) -> None:
    cookie = _begin(team.client).headers["set-cookie"]
    assert cookie.startswith(f"{OPENID_COOKIE}=")
    for part in ("HttpOnly", f"Path={OPENID_RETURN}", "SameSite=lax", "Max-Age=600"):
        assert part in cookie.split("; ")


def test_the_session_that_the_browser_had_before_is_replaced(team: TeamClient, issuer: Issuer) -> None:
    _sign_in(team.open_browser(team.member), issuer)
    assert team.get(team.member, "/api/documents").status_code == 401


@pytest.mark.parametrize("next", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site_afterwards(team: TeamClient, issuer: Issuer, next: str) -> None:
    assert _sign_in(team.open_browser(), issuer, next).headers["location"] == "/"


def test_a_link_of_somebody_else_signs_nobody_in(team: TeamClient, issuer: Issuer) -> None:
    brought = issuer.approve(_begin(team.open_browser()).headers["location"])
    victim = team.open_browser()
    returned = victim.get(OPENID_RETURN, params=brought)
    assert (returned.status_code, returned.headers["location"]) == (303, "/sign-in?error=state")
    assert SESSION_COOKIE not in victim.cookies


def test_a_return_works_once(team: TeamClient, issuer: Issuer) -> None:
    browser = team.open_browser()
    begun = _begin(browser)
    secret = browser.cookies[OPENID_COOKIE]
    brought = issuer.approve(begun.headers["location"])
    assert browser.get(OPENID_RETURN, params=brought).headers["location"] == "/"
    again = team.get(None, OPENID_RETURN, params=brought, headers={"Cookie": f"{OPENID_COOKIE}={secret}"})
    assert again.headers["location"] == "/sign-in?error=state"


def test_the_sign_in_page_says_why_it_failed(team: TeamClient, issuer: Issuer) -> None:
    browser = team.open_browser()
    begun = _begin(browser)
    refused = {"state": issuer.approve(begun.headers["location"])["state"], "error": "access_denied"}
    assert browser.get(OPENID_RETURN, params=refused).headers["location"] == "/sign-in?error=refused"
    issuer.changed = {"nonce": "another"}
    assert _sign_in(browser, issuer).headers["location"] == "/sign-in?error=id_token"
    issuer.changed = {}
    _sign_in(browser, issuer)
    eve = browser.get("/api/account").json()["person"]["id"]
    set_disabled(team.database, AT_TERMINAL, eve, True, time.time())
    assert _sign_in(team.open_browser(), issuer).headers["location"] == "/sign-in?error=disabled"
    issuer.statuses = {"/token": 500}
    assert _sign_in(team.open_browser(), issuer).headers["location"] == "/sign-in?error=issuer"


def test_an_issuer_that_is_down_is_told_on_the_sign_in_page(team: TeamClient, issuer: Issuer) -> None:
    issuer.statuses = {"/.well-known/openid-configuration": 503}
    begun = _begin(team.client)
    assert (begun.status_code, begun.headers["location"]) == (303, "/sign-in?error=issuer")


def test_without_an_issuer_there_is_nowhere_to_go(settings: Settings) -> None:
    with open_team_client(settings) as team:
        answer = _begin(team.client)
        assert (answer.status_code, answer.json()["error"]["reason"]) == (400, "no_issuer")
        assert team.get(None, OPENID_RETURN).headers["location"] == "/sign-in?error=state"
