"""Referral codes over HTTP and `/ws`: one's own, and the redemption of another's."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.accounts.referrals import REFERRAL_LIMIT, ensure_code
from pincite.settings import Settings
from pincite.settings_quota import QuotaSettings
from pincite.store import referral_codes
from pincite.store.referral_codes import Redemption
from tests.accounts.credit_rows import add_person
from tests.server.team import Member, TeamClient, open_team_client
from tests.server.websocket_clients import connected, serving

QUOTA = QuotaSettings(person_credits=100, referral_credits=25, referral_url="https://pincite.example/join?code={code}")


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings.model_copy(update={"quota": QUOTA})) as made:
        yield made


def _redeem(team: TeamClient, by: Member, code: str) -> Any:
    return team.open_browser(by).post("/api/account/referral", json={"code": code})


def test_a_code_gives_both_sides_credits(team: TeamClient) -> None:
    own = team.get(team.owner, "/api/account/referral").json()
    assert own == {
        "code": own["code"],
        "url": f"https://pincite.example/join?code={own['code']}",
        "redeemed": 0,
        "limit": REFERRAL_LIMIT,
        "credits": 25.0,
        "is_maxed": False,
    }
    assert _redeem(team, team.member, own["code"].lower()).json() == {"credits": 25.0}
    assert team.get(team.owner, "/api/account/referral").json()["redeemed"] == 1
    assert team.get(team.member, "/api/usage").json()["quota"]["limit"] == 125.0


@pytest.mark.parametrize("reason", ["unknown_code", "own_code", "second_redemption", "no_account"])
def test_a_refusal_says_why(team: TeamClient, reason: str) -> None:
    code = team.get(team.owner, "/api/account/referral").json()["code"]
    by = {"own_code": team.owner, "no_account": team.guest}.get(reason, team.member)
    if reason == "second_redemption":
        _redeem(team, by, code)
    told = _redeem(team, by, "ABCDEFGHJK" if reason == "unknown_code" else code)
    assert (told.status_code, told.json()["error"]["code"], told.json()["error"]["reason"]) == (400, "referral", reason)


def test_fifty_people_redeem_the_last_of_a_code_at_once_and_one_gets_it(team: TeamClient) -> None:
    code = team.get(team.owner, "/api/account/referral").json()["code"]
    now = time.time()
    with team.database.writing() as connection:
        for number in range(REFERRAL_LIMIT - 1):
            referral_codes.add_redemption(connection, Redemption(f"early {number}", team.owner.id, 1, 1, now))
    people = [team.add(f"Person {number}") for number in range(50)]
    with ThreadPoolExecutor(50) as pool:
        told = list(pool.map(lambda person: _redeem(team, person, code), people))
    assert sorted(each.status_code for each in told) == [200] + [400] * 49
    assert {each.json()["error"]["reason"] for each in told if each.status_code == 400} == {"maxed_code"}
    own = team.get(team.owner, "/api/account/referral").json()
    assert (own["redeemed"], own["is_maxed"], own["url"]) == (REFERRAL_LIMIT, True, "")


def test_the_local_owner_has_no_code(client: TestClient) -> None:
    assert client.get("/api/account/referral").json()["error"]["reason"] == "no_account"
    assert client.post("/api/account/referral", json={"code": "A"}).json()["error"]["reason"] == "no_account"


@pytest.mark.anyio
async def test_a_code_is_redeemed_over_a_websocket_too(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        told = await client.request("action", action="redeem", data={"code": "ABCDEFGHJK"})
        assert (told["code"], told["reason"]) == ("referral", "no_account")
        database = server.app.state.library.database
        with database.writing() as connection:
            add_person(connection, "local", time.time())
            add_person(connection, "referrer", time.time())
            code = ensure_code(connection, "referrer", time.time())
        assert await client.act("redeem", code=code) == {"credits": 50.0}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
