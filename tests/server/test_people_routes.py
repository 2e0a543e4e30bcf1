import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from pincite.accounts.guests import begin_guest_session
from pincite.accounts.quota import get_month
from pincite.settings import Settings
from pincite.store import credits, people
from pincite.store.credits import CREDIT
from pincite.store.database import Database
from tests.server.conftest import conversation_of
from tests.server.team import Member, TeamClient, open_team_client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _list(team: TeamClient, **query: Any) -> dict[str, dict[str, Any]]:
    told = team.get(team.owner, "/api/people", params=query)
    assert told.status_code == 200, told.text
    return {each["name"]: each for each in told.json()["people"]}


def _reason(told: Any) -> str:
    return str(told.json()["error"]["reason"])


def _spend(database: Database, account: str, amount: float, back: int = 0) -> None:
    """Book credits of an account, so many months ago."""
    now = time.time()
    year, month = map(int, get_month(now).split("-"))
    number = 12 * year + month - 1 - back
    with database.writing() as connection:
        reserved = credits.add_reservation(
            connection, account, "member", f"{number // 12:04}-{number % 12 + 1:02}", 0, "tests", now, now
        )
        booked = credits.Booking("fake:model", int(amount * CREDIT))
        credits.settle_reservation(connection, reserved.id, [booked], now)


def _at_once(actions: list[Callable[[], Any]]) -> list[Any]:
    start = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        start.wait()
        return action()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def test_an_owner_sees_everybody_with_their_use_and_credits(team: TeamClient) -> None:
    before = time.time()
    assert team.client.get("/api/libraries", headers=team.member.headers).status_code == 200
    _spend(team.database, team.member.id, 12.5)
    _spend(team.database, team.member.id, 99, back=1)
    listed = _list(team)
    assert list(listed) == ["Ada", "Bob", "Gil"]
    bob = listed["Bob"]
    assert (bob["id"], bob["email"], bob["role"]) == (team.member.id, "bob@example.org", "member")
    assert (bob["disabled"], bob["sessions"]) == (False, 1)
    assert bob["used"] >= before  # the token, which was used after the session began
    assert (bob["credits_spent"], bob["credits_allowed"]) == (12.5, None)
    assert listed["Gil"]["used"] is not None


def test_ended_sessions_do_not_count_and_somebody_who_never_came_has_no_use(team: TeamClient) -> None:
    assert team.delete(team.owner, f"/api/people/{team.member.id}/sessions").json() == {"ended": 1}
    bob = _list(team)["Bob"]
    assert (bob["sessions"], bob["used"]) == (0, None)
    assert team.get(team.member, "/api/libraries").status_code == 401


def test_guests_who_only_passed_by_are_counted_and_listed_on_demand(settings: Settings) -> None:
    with open_team_client(settings, guests=True) as team:
        begin_guest_session(team.database, team.settings.accounts, time.time())
        assert team.get(team.owner, "/api/people").json()["guests"] == 1
        assert list(_list(team)) == ["Ada", "Bob", "Gil"]
        assert len(_list(team, guests=True)) == 4


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/people"),
        ("GET", "/api/people/usage"),
        ("PATCH", "/api/people/{person}"),
        ("DELETE", "/api/people/{person}"),
        ("POST", "/api/people/{person}/reset"),
        ("PUT", "/api/people/{person}/quota"),
        ("DELETE", "/api/people/{person}/quota"),
        ("GET", "/api/people/{person}/sessions"),
        ("DELETE", "/api/people/{person}/sessions"),
        ("GET", "/api/people/{person}/tokens"),
        ("DELETE", "/api/people/{person}/tokens/x"),
    ],
)
def test_only_an_owner_manages_people(team: TeamClient, method: str, path: str) -> None:
    path = path.format(person=team.add("Eve").id)
    body = {"json": {"credits": None}} if method == "PUT" else {"json": {}} if method == "PATCH" else {}
    assert team.request(None, method, path, **body).status_code == 401
    for by in (team.member, team.guest):
        told = team.request(by, method, path, **body)
        assert (told.status_code, told.json()["error"]["code"]) == (403, "denied")
    assert team.request(team.owner, method, path, **body).status_code in (200, 201, 204, 404)


def test_changes_of_a_person_are_made_all_or_not_at_all(team: TeamClient) -> None:
    path = f"/api/people/{team.member.id}"
    told = team.patch(team.owner, path, json={"name": "Robert", "email": "", "role": "guest"})
    assert told.status_code == 200, told.text
    assert (told.json()["name"], told.json()["email"], told.json()["role"]) == ("Robert", "", "guest")
    taken = team.patch(team.owner, path, json={"name": "ÁDA", "role": "owner", "disabled": True})
    assert (taken.status_code, _reason(taken)) == (409, "name")
    robert = _list(team)["Robert"]
    assert (robert["role"], robert["disabled"], robert["sessions"]) == ("guest", False, 1)
    assert team.patch(team.owner, path, json={"email": "nowhere"}).status_code == 400
    assert team.patch(team.owner, path, json={"nmae": "Rob"}).status_code == 422
    assert team.patch(team.owner, "/api/people/nobody", json={"name": "Rob"}).status_code == 404


def test_a_disabled_person_is_out_at_once_and_comes_back_only_by_signing_in(team: TeamClient) -> None:
    path = f"/api/people/{team.member.id}"
    assert team.get(team.member, "/api/libraries").status_code == 200
    assert team.patch(team.owner, path, json={"disabled": True}).json()["disabled"] is True
    assert team.get(team.member, "/api/libraries").status_code == 401
    assert team.client.get("/api/libraries", headers=team.member.headers).status_code == 401
    assert team.patch(team.owner, path, json={"disabled": False}).status_code == 200
    assert team.get(team.member, "/api/libraries").status_code == 401  # the session has ended
    assert team.client.get("/api/libraries", headers=team.member.headers).status_code == 200


def test_the_token_of_a_demoted_owner_manages_nobody_any_more(team: TeamClient) -> None:
    otto = team.add("Otto", "owner")
    assert team.client.get("/api/people", headers=otto.headers).status_code == 200
    assert team.patch(team.owner, f"/api/people/{otto.id}", json={"role": "member"}).status_code == 200
    for headers in (otto.headers, otto.signed_in):
        told = team.client.get("/api/people", headers=headers)
        assert (told.status_code, _reason(told)) == (403, "scope")
        assert team.client.get("/api/libraries", headers=headers).status_code == 200


@pytest.mark.parametrize("change", [{"role": "member"}, {"role": "guest"}, {"disabled": True}])
def test_the_last_owner_stays_one(team: TeamClient, change: dict[str, Any]) -> None:
    told = team.patch(team.owner, f"/api/people/{team.owner.id}", json=change)
    assert (told.status_code, _reason(told)) == (400, "last_owner")
    told = team.delete(team.owner, f"/api/people/{team.owner.id}")
    assert (told.status_code, _reason(told)) == (400, "last_owner")
    assert _list(team)["Ada"]["role"] == "owner"


def test_of_two_owners_who_demote_each_other_at_the_same_moment_one_is_left(team: TeamClient) -> None:
    def demote(by: Member, whom: Member) -> Callable[[], Any]:
        return partial(team.client.patch, f"/api/people/{whom.id}", json={"role": "member"}, headers=by.headers)

    one = team.owner
    for number in range(5):
        other = team.add(f"Otto {number}", "owner")
        told = _at_once([demote(one, other), demote(other, one)])
        assert sorted(each.status_code for each in told) == [200, 403]
        with team.database.reading() as connection:
            [left] = [each.id for each in people.find(connection) if each.role == "owner"]
        one = next(each for each in (one, other) if each.id == left)


def test_a_removed_person_is_gone_with_everything_that_was_theirs(team: TeamClient) -> None:
    talk = conversation_of(team.open_browser(team.member))
    link = team.post(team.member, f"/api/conversations/{talk}/links", json={}).json()["url"]
    assert team.delete(team.owner, f"/api/people/{team.member.id}").status_code == 204
    assert list(_list(team)) == ["Ada", "Gil"]
    for headers in (team.member.headers, team.member.signed_in):
        assert team.client.get("/api/libraries", headers=headers).status_code == 401
    opened = team.post(None, "/api/shared-conversation", json={"secret": link.partition("#")[2]})
    assert opened.status_code == 404
    entry = team.get(team.owner, "/api/audit").json()["entries"][0]
    assert (entry["action"], entry["whose"], entry["whose_name"]) == ("account.remove", team.member.id, "")
    assert team.delete(team.owner, f"/api/people/{team.member.id}").status_code == 404


def test_of_two_owners_who_remove_each_other_at_the_same_moment_one_is_left(team: TeamClient) -> None:
    otto = team.add("Otto", "owner")
    pairs = [(team.owner, otto), (otto, team.owner)]
    told = _at_once([partial(team.client.delete, f"/api/people/{whom.id}", headers=by.headers) for by, whom in pairs])
    assert sorted(each.status_code for each in told) in ([204, 401], [204, 403])
    with team.database.reading() as connection:
        assert len([each for each in people.find(connection) if each.role == "owner"]) == 1


def test_a_reset_link_sets_a_new_password_once(team: TeamClient) -> None:
    told = team.post(team.owner, f"/api/people/{team.member.id}/reset")
    assert told.status_code == 201
    url = told.json()["url"]
    assert told.json()["expires"] > time.time()
    secret = url.partition("/reset#")[2]
    given = {"secret": secret, "password": "another horse battery"}
    assert team.post(None, "/api/account/reset", json=given).status_code == 204
    assert team.post(None, "/api/account/reset", json=given).status_code == 401
    assert team.get(team.member, "/api/libraries").status_code == 401
    entered = team.post(None, "/api/account/sign-in", json={"name": "Bob", "password": "another horse battery"})
    assert entered.status_code == 200


def test_a_person_gets_an_allowance_of_their_own_and_loses_it_again(team: TeamClient) -> None:
    path = f"/api/people/{team.member.id}/quota"
    assert team.put(team.owner, path, json={"credits": 2.5}).status_code == 204
    assert _list(team)["Bob"]["credits_allowed"] == 2.5
    assert team.delete(team.owner, path).status_code == 204
    assert _list(team)["Bob"]["credits_allowed"] is None
    refused = team.put(team.owner, f"/api/people/{team.guest.id}/quota", json={"credits": 2.5})
    assert (refused.status_code, _reason(refused)) == (400, "guest")
    for wrong in ({"credits": -1}, {"credits": 1e10}, {}):
        assert team.put(team.owner, path, json=wrong).status_code == 422


def test_an_owner_sees_and_revokes_sessions_and_tokens_but_never_their_secrets(team: TeamClient) -> None:
    path = f"/api/people/{team.member.id}"
    sessions = team.get(team.owner, f"{path}/sessions")
    [session] = sessions.json()["sessions"]
    assert (session["address"], session["agent"], session["current"]) == ("192.0.2.1", "tests", False)
    tokens = team.get(team.owner, f"{path}/tokens")
    [token] = tokens.json()["tokens"]
    assert sorted(token["scopes"]) == ["ask", "read", "write"]
    for secret in (team.member.cookie, team.member.token):
        assert secret not in sessions.text + tokens.text
    assert team.delete(team.owner, f"{path}/tokens/{token['id']}").status_code == 204
    assert team.client.get("/api/libraries", headers=team.member.headers).status_code == 401
    assert team.delete(team.owner, f"{path}/tokens/{token['id']}").status_code == 404
    assert team.get(team.owner, "/api/people/nobody/sessions").status_code == 404


def test_usage_is_reported_by_month_and_person_and_sums_up_who_has_no_account(team: TeamClient) -> None:
    for account, amount, back in (
        (team.member.id, 3.0, 0),
        (team.member.id, 1.5, 2),
        (team.owner.id, 9.0, 1),
        ("guest-0123", 2.0, 0),
        ("", 4.0, 0),
        (team.guest.id, 7.0, 8),
    ):
        _spend(team.database, account, amount, back)
    told = team.get(team.owner, "/api/people/usage", params={"months": 3}).json()
    assert told["months"] == sorted(told["months"])
    assert told["months"][-1] == get_month(time.time())
    assert [(each["name"], each["credits"]) for each in told["people"]] == [
        ("Ada", [0, 9.0, 0]),
        ("Bob", [1.5, 0, 3.0]),
        ("", [0, 0, 6.0]),
    ]
    assert told["server"] == {"spent": 9.0, "allowed": None}
    assert len(team.get(team.owner, "/api/people/usage").json()["months"]) == 6
    for months in (0, 37):
        assert team.get(team.owner, "/api/people/usage", params={"months": months}).status_code == 422


def test_a_server_without_accounts_has_no_people_to_manage(client: Any) -> None:
    told = client.get("/api/people")
    assert (told.status_code, _reason(told)) == (400, "local_mode")


def test_a_path_says_which_methods_it_has_and_not_those_of_a_person(team: TeamClient) -> None:
    told = team.request(team.owner, "OPTIONS", "/api/people/usage")
    assert (told.status_code, told.headers["allow"]) == (405, "GET")
    told = team.request(team.owner, "OPTIONS", f"/api/people/{team.member.id}")
    assert told.headers["allow"] == "DELETE, PATCH"
