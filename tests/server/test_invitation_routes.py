import time
from collections.abc import Iterator

import pytest

from pincite.settings import Settings
from pincite.settings_mail import MailSettings
from tests.accounts.conftest import PASSWORD
from tests.accounts.mail_server import open_mail_server
from tests.server.team import TeamClient, open_team_client


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings, url="https://pincite.example.org") as made:
        yield made


def test_an_invited_person_joins_with_the_role_and_the_address_of_the_invitation(team: TeamClient) -> None:
    told = team.post(team.owner, "/api/invitations", json={"email": "eve@example.org", "role": "guest"})
    assert told.status_code == 201, told.text
    made = told.json()["invitation"]
    assert (made["email"], made["role"], made["by"]) == ("eve@example.org", "guest", "Ada")
    assert made["created"] <= time.time() < made["expires"]
    listed = team.get(team.owner, "/api/invitations")
    assert listed.json() == {"invitations": [made]}
    secret = told.json()["url"].removeprefix("https://pincite.example.org/join#")
    assert secret not in listed.text
    given = {"secret": secret, "name": "Eve", "password": PASSWORD}
    joined = team.post(None, "/api/account/join", json=given).json()["person"]
    assert (joined["name"], joined["email"], joined["role"]) == ("Eve", "eve@example.org", "guest")
    assert team.get(team.owner, "/api/invitations").json() == {"invitations": []}


def test_an_invitation_that_was_taken_back_does_not_work(team: TeamClient) -> None:
    told = team.post(team.owner, "/api/invitations", json={}).json()
    path = f"/api/invitations/{told['invitation']['id']}"
    assert team.delete(team.owner, path).status_code == 204
    assert team.delete(team.owner, path).status_code == 404
    given = {"secret": told["url"].partition("#")[2], "name": "Eve", "password": PASSWORD}
    assert team.post(None, "/api/account/join", json=given).status_code == 401


def test_a_person_who_has_an_account_is_not_invited_again(team: TeamClient) -> None:
    told = team.post(team.owner, "/api/invitations", json={"email": "BOB@example.org"})
    assert (told.status_code, told.json()["error"]["reason"]) == (409, "email")
    assert team.post(team.owner, "/api/invitations", json={"email": "nowhere"}).status_code == 400
    assert team.post(team.owner, "/api/invitations", json={"role": "king"}).status_code == 422
    assert team.get(team.owner, "/api/invitations").json() == {"invitations": []}


def test_links_are_mailed_where_a_mail_server_is_set_and_shown_anyway(settings: Settings) -> None:
    with open_mail_server() as server:
        mail = MailSettings(host="127.0.0.1", port=server.port, tls="none", sender="p@example.org")
        with open_team_client(settings.model_copy(update={"mail": mail})) as team:
            invited = team.post(team.owner, "/api/invitations", json={"email": "eve@example.org"}).json()
            reset = team.post(team.owner, f"/api/people/{team.member.id}/reset").json()
            nobody = team.post(team.owner, "/api/invitations", json={}).json()
    assert (invited["mailed"], reset["mailed"], nobody["mailed"]) == (True, True, False)
    assert [invited["url"] in server.messages[0], reset["url"] in server.messages[1]] == [True, True]
    assert "To: bob@example.org" in server.messages[1]
    assert len(server.messages) == 2


def test_a_mail_that_fails_does_not_lose_the_link(settings: Settings) -> None:
    with open_mail_server("550 no") as server:
        mail = MailSettings(host="127.0.0.1", port=server.port, tls="none", sender="p@example.org")
        with open_team_client(settings.model_copy(update={"mail": mail})) as team:
            told = team.post(team.owner, "/api/invitations", json={"email": "eve@example.org"})
            assert (told.status_code, told.json()["mailed"]) == (201, False)
            read = team.post(None, "/api/account/invitation", json={"secret": told.json()["url"].partition("#")[2]})
            assert read.json()["email"] == "eve@example.org"


def test_only_an_owner_invites(team: TeamClient) -> None:
    made = team.post(team.owner, "/api/invitations", json={}).json()["invitation"]
    for by, status in ((None, 401), (team.member, 403), (team.guest, 403)):
        assert team.get(by, "/api/invitations").status_code == status
        assert team.post(by, "/api/invitations", json={"role": "owner"}).status_code == status
        assert team.delete(by, f"/api/invitations/{made['id']}").status_code == status
    assert team.get(team.owner, "/api/invitations").json() == {"invitations": [made]}
