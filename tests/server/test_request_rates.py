"""Limits per minute: questions, uploads and sign-ins, told in the headers of every response."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.settings import Settings
from tests.server.team import TeamClient, open_team_client, store_team
from tests.server.websocket_clients import connected, serving


def _limit(settings: Settings, **quota: Any) -> Settings:
    return settings.model_copy(update={"quota": settings.quota.model_copy(update=quota)})


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    limited = _limit(settings, questions_per_minute=2, uploads_per_minute=1, sign_ins_per_minute=2, address_factor=2)
    with open_team_client(limited) as made:
        yield made


def _ask(team: TeamClient, by: Any, path: str = "/api/search") -> Any:
    return team.post(by, path, json={"message": "How deep is the lake?"})


def test_questions_of_a_person_are_counted_together_and_the_headers_tell_how_many_are_left(team: TeamClient) -> None:
    first, second = _ask(team, team.member), _ask(team, team.member, "/api/chat")
    assert [each.headers["ratelimit-remaining"] for each in (first, second)] == ["1", "0"]
    assert first.headers["ratelimit-limit"] == "2"
    refused = _ask(team, team.member)
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["reason"]) == (429, "rate_limited", "questions")
    assert int(refused.headers["retry-after"]) == error["params"]["seconds"] > 0
    assert refused.headers["ratelimit-remaining"] == "0"
    assert _ask(team, team.owner).status_code == 200


def test_an_address_may_ask_for_several_people_and_then_for_nobody(team: TeamClient) -> None:
    told = [_ask(team, by).status_code for by in (team.member, team.member, team.owner, team.owner, team.guest)]
    assert told == [200, 200, 200, 200, 429]


def test_uploads_are_refused_before_they_are_read(team: TeamClient) -> None:
    def upload(name: str) -> Any:
        return team.post(team.owner, "/api/documents", files={"file": (name, b"Lakes are deep.", "text/plain")})

    assert upload("a.txt").status_code == 202
    assert upload("b.txt").json()["error"]["reason"] == "uploads"
    assert team.get(team.owner, "/api/documents").json()["total"] == 1
    assert "ratelimit-limit" not in team.get(team.owner, "/api/documents").headers


def test_attempts_to_sign_in_are_counted_by_name_and_by_address(team: TeamClient) -> None:
    def enter(name: str) -> Any:
        return team.post(None, "/api/account/sign-in", json={"name": name, "password": "wrong"})

    assert [enter(name).status_code for name in ("Bob", "BOB ", "bob")] == [401, 401, 429]
    assert enter("bob").json()["error"]["code"] == "rate_limited"
    assert [enter(name).status_code for name in ("Ada", "Eve", "Max")] == [401, 401, 429]


def test_one_person_alone_is_not_limited(settings: Settings, client: TestClient) -> None:
    told = [
        client.post("/api/search", json={"message": "How deep?"})
        for _ in range(settings.quota.questions_per_minute + 1)
    ]
    assert {each.status_code for each in told} == {200}
    assert "ratelimit-limit" not in told[0].headers


@pytest.mark.anyio
async def test_questions_over_a_websocket_count_too(settings: Settings) -> None:
    with store_team(_limit(settings, questions_per_minute=1)) as team:
        headers = team.member.headers
        async with serving(team.settings) as server, connected(server.port, additional_headers=headers) as client:
            assert (await client.act("ask", message="How deep?"))["message"]
            await client.send("action", id="too many", action="ask", data={"message": "How deep?"})
            while (told := await client.receive()).get("id") != "too many":
                assert told["type"] in ("event", "done")  # of the first question
            assert (told["code"], told["reason"]) == ("rate_limited", "questions")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
