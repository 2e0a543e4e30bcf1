"""With somebody's session in the browser, no page but the server's own changes anything, on any route."""

import itertools
import json
from collections.abc import Iterator

import pytest

from pincite.settings import load_settings
from tests.server.routes import ROUTES, Route
from tests.server.team import TeamClient, open_team_client

# A browser that sends neither header is older than both, and than `SameSite`.
FOREIGN = {
    "another site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    "another port": {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver:5173"},
    "a word of its own": {"Sec-Fetch-Site": "trust-me"},
    "two words": {"Sec-Fetch-Site": "same-origin, cross-site"},
    "another origin": {"Origin": "https://evil.example"},
    "another port of an old browser": {"Origin": "http://testserver:5173"},
    "a sandbox": {"Origin": "null"},
    "no address": {"Origin": "http://["},
    "an empty origin": {"Origin": ""},
    "an old browser": {},
}
# Types of content that a form or a script can send to another site without asking first.
SIMPLE = ("text/plain", "application/x-www-form-urlencoded", "")
CHANGES = [route for route in ROUTES if route.is_change]


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory, _known_as_testserver: None) -> Iterator[TeamClient]:
    data = tmp_path_factory.mktemp("cross-site")
    with open_team_client(load_settings(data=data, embedding={"provider": "none"})) as team:
        yield team


def cookie(team: TeamClient) -> dict[str, str]:
    return {"Cookie": team.owner.signed_in["Cookie"]}


def path_of(route: Route) -> str:
    return route.fill(dict.fromkeys(route.parameters, "none"))


@pytest.mark.parametrize("route", CHANGES, ids=str)
def test_a_page_that_is_not_the_servers_own_changes_nothing(team: TeamClient, route: Route) -> None:
    kinds = itertools.cycle((*SIMPLE, "application/json", "multipart/form-data"))
    for (name, headers), kind in zip(FOREIGN.items(), kinds, strict=False):
        sent = {**cookie(team), **headers, "Content-Type": kind}
        answer = team.client.request(route.method, path_of(route), content=b"{}", headers=sent)
        assert answer.status_code == 403, (name, kind)
        assert answer.json()["error"]["code"] == "forbidden"
        assert "set-cookie" not in answer.headers


def test_a_body_that_is_not_declared_as_json_is_not_read_as_json(team: TeamClient) -> None:
    paths = team.app.openapi()["paths"]
    tried = 0
    for route in CHANGES:
        operation = paths.get(route.template, {}).get(route.method.lower(), {})
        if operation.get("requestBody", {}).get("required"):
            tried += 1
            for kind in SIMPLE:
                sent = {**cookie(team), "Sec-Fetch-Site": "same-origin", "Content-Type": kind}
                body = json.dumps({"name": "x", "message": "x", "password": "x", "secret": "x"}).encode()
                answer = team.client.request(route.method, path_of(route), content=body, headers=sent)
                assert answer.status_code in (415, 422), (str(route), kind, answer.text)
    assert tried > 10


def test_the_servers_own_page_and_programs_with_a_token_change_what_they_may(team: TeamClient) -> None:
    def add(name: str, **headers: str) -> int:
        team.client.cookies.clear()
        return int(
            team.client.post(
                "/api/personas", json={"name": name, "instructions": "Be brief."}, headers=headers
            ).status_code
        )

    assert add("A page", **cookie(team), **{"Sec-Fetch-Site": "same-origin"}) == 201
    assert add("An older browser", **cookie(team), Origin="http://testserver") == 201
    assert add("A program", **team.owner.headers) == 201
    assert add("Nobody") == 401


def test_a_cookie_of_another_program_does_not_hinder_a_program(team: TeamClient) -> None:
    headers = {**team.owner.headers, "Cookie": "other=1"}
    body = {"name": "Other cookies", "instructions": "Be brief."}
    assert team.client.post("/api/personas", json=body, headers=headers).status_code == 201


def test_opening_a_page_of_the_server_from_a_link_elsewhere_works(team: TeamClient) -> None:
    headers = {**cookie(team), "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert team.client.get("/docs", headers=headers).status_code == 200
