import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from pincite.settings import Settings
from pincite.store import document_sources, documents
from pincite.store.document_sources import StoredSource
from tests.server.conftest import conversation_of
from tests.server.team import Member, TeamClient, open_team_client

LINKS = "/api/conversations/{}/links"


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _add_library(team: TeamClient, by: Member, library: str) -> None:
    """Add a document to a library of somebody, which makes it."""
    with team.database.writing() as connection:
        stored, _ = documents.create(connection, by.id, uuid.uuid4().hex * 2, "lakes.md", 1)
        document_sources.add(connection, StoredSource(by.id, library, "/lakes.md", stored.id, 1, 1.0))


def _ask(team: TeamClient, by: Member, message: str = "How deep is Loch Ness?") -> str:
    return conversation_of(team.open_browser(by), message)


def _share(team: TeamClient, by: Member, library: str, **given: Any) -> Any:
    return team.post(by, f"/api/libraries/{library}/shares", json=given)


def _make_link(team: TeamClient, by: Member, conversation: str, **given: Any) -> tuple[str, str]:
    told = team.post(by, LINKS.format(conversation), json=given)
    assert told.status_code == 201, told.text
    return told.json()["url"].partition("/shared#")[2], told.json()["link"]["id"]


def _open(team: TeamClient, secret: str) -> Any:
    return team.post(None, "/api/shared-conversation", json={"secret": secret})


def test_a_library_is_shared_with_a_person_and_a_group_and_taken_back(team: TeamClient) -> None:
    _add_library(team, team.member, "laws")
    group = team.post(team.owner, "/api/groups", json={"name": "Readers"}).json()["id"]
    first = _share(team, team.member, "laws", person=team.guest.id, access="reader")
    assert first.status_code == 201, first.text
    _share(team, team.member, "laws", group=group, access="writer")
    again = _share(team, team.member, "laws", person=team.guest.id, access="writer").json()
    assert again["id"] == first.json()["id"]
    listed = team.get(team.member, "/api/libraries/laws/shares").json()["shares"]
    assert [(each["person"], each["group"], each["everyone"], each["access"]) for each in listed] == [
        ({"id": team.guest.id, "name": "Gil"}, None, False, "writer"),
        (None, {"id": group, "name": "Readers"}, False, "writer"),
    ]
    for each in listed:
        assert team.delete(team.member, f"/api/libraries/laws/shares/{each['id']}").status_code == 204
    assert team.get(team.member, "/api/libraries/laws/shares").json() == {"shares": []}


def test_a_share_names_one_receiver_who_exists(team: TeamClient) -> None:
    _add_library(team, team.member, "laws")
    for wrong, status in (
        ({}, 400),
        ({"person": team.guest.id, "group": "g"}, 400),
        ({"person": team.guest.id, "everyone": True}, 400),
        ({"person": "nobody"}, 404),
        ({"group": "nothing"}, 404),
        ({"person": team.member.id}, 400),
        ({"person": team.guest.id, "access": "king"}, 422),
    ):
        assert _share(team, team.member, "laws", **wrong).status_code == status
    assert _share(team, team.member, "nothing", person=team.guest.id).status_code == 404
    assert team.get(team.member, "/api/libraries/laws/shares").json() == {"shares": []}


def test_an_owner_of_the_server_does_not_see_the_libraries_of_a_member(team: TeamClient) -> None:
    _add_library(team, team.member, "laws")
    share = _share(team, team.member, "laws", person=team.guest.id).json()["id"]
    for library in ("laws", "~Bob/laws", "~bob%2Flaws", f"~{team.member.id}/laws"):
        path = f"/api/libraries/{library}/shares"
        assert team.get(team.owner, path).status_code == 404
        assert team.post(team.owner, path, json={"person": team.owner.id}).status_code == 404
        assert team.delete(team.owner, f"{path}/{share}").status_code == 404
    assert len(team.get(team.member, "/api/libraries/laws/shares").json()["shares"]) == 1


@pytest.mark.parametrize("access", ["reader", "writer"])
def test_only_an_owner_of_a_library_sees_its_shares_and_shares_it_on(team: TeamClient, access: str) -> None:
    _add_library(team, team.member, "tax law/2031")
    eve = team.add("Eve Ångström")
    share = _share(team, team.member, "tax law/2031", person=eve.id, access=access).json()["id"]
    path = "/api/libraries/~bob%2Ftax law%2F2031/shares"
    for told in (team.get(eve, path), team.post(eve, path, json={"everyone": True})):
        assert (told.status_code, told.json()["error"]["reason"]) == (403, "access")
    again = _share(team, team.member, "tax law/2031", person=eve.id, access="owner").json()
    assert (again["id"], again["access"]) == (share, "owner")
    assert team.post(eve, path, json={"person": team.owner.id}).status_code == 201
    names = [each["person"]["name"] for each in team.get(eve, path).json()["shares"]]
    assert names == ["Eve Ångström", "Ada"]
    assert team.post(eve, path, json={"person": team.member.id}).status_code == 400  # it is Bob's already


def test_somebody_gives_back_a_library_that_is_shared_with_them(team: TeamClient) -> None:
    _add_library(team, team.owner, "laws")
    mine = _share(team, team.owner, "laws", person=team.member.id).json()["id"]
    other = _share(team, team.owner, "laws", everyone=True).json()["id"]
    assert team.delete(team.member, f"/api/libraries/~Ada/laws/shares/{other}").status_code == 403
    assert team.delete(team.member, f"/api/libraries/~Ada/laws/shares/{mine}").status_code == 204
    left = team.get(team.owner, "/api/libraries/laws/shares").json()["shares"]
    assert [(each["id"], each["everyone"]) for each in left] == [(other, True)]


def test_a_library_for_everyone_is_there_for_people_who_come_later(team: TeamClient) -> None:
    _add_library(team, team.member, "laws")
    first = _share(team, team.member, "laws", everyone=True).json()
    assert (first["person"], first["group"], first["everyone"], first["access"]) == (None, None, True, "reader")
    assert _share(team, team.member, "laws", everyone=True, access="writer").json()["id"] == first["id"]
    entry = team.get(team.owner, "/api/audit").json()["entries"][0]
    assert (entry["action"], entry["whose_name"], entry["target"]) == ("library.share", "Bob", first["id"])
    assert entry["details"] == {"receiver": "everyone", "access": "writer"}
    for by in (team.owner, team.guest, team.add("Eve")):
        keys = [each["key"] for each in team.get(by, "/api/libraries").json()["libraries"]]
        assert keys == ["~Bob/laws"]
    assert team.delete(team.member, f"/api/libraries/laws/shares/{first['id']}").status_code == 204
    assert team.get(team.owner, "/api/libraries").json()["libraries"] == []


def test_a_guest_shares_nothing(team: TeamClient) -> None:
    _add_library(team, team.guest, "laws")
    assert _share(team, team.guest, "laws", person=team.member.id).status_code == 403


def test_anybody_reads_a_conversation_by_its_link_until_it_is_taken_back(team: TeamClient) -> None:
    talk = _ask(team, team.member)
    secret, link = _make_link(team, team.member, talk)
    told = _open(team, secret)
    assert told.status_code == 200, told.text
    shared = told.json()
    assert (shared["title"], shared["owner_name"]) == ("How deep is Loch Ness?", "Bob")
    question, answer = shared["messages"]
    assert (question["role"], question["content"]) == ("user", "How deep is Loch Ness?")
    assert [each["support"] for each in answer["answer"]["sentences"]] == ["verified", "unsupported"]
    [cited] = answer["answer"]["citations"]
    assert (cited["quote"], cited["page"]) == ("Loch Ness is <b>230</b> metres deep.", 3)
    [listed] = team.get(team.member, LINKS.format(talk)).json()["links"]
    assert (listed["id"], listed["expires"]) == (link, None)
    assert team.delete(team.member, f"{LINKS.format(talk)}/{link}").status_code == 204
    assert _open(team, secret).status_code == 404
    assert team.delete(team.member, f"{LINKS.format(talk)}/{link}").status_code == 404


def test_a_shared_conversation_has_nothing_private(team: TeamClient) -> None:
    browser = team.open_browser(team.member)
    browser.post("/api/personas", json={"name": "Physician", "instructions": "Answer as my doctor would."})
    talk = conversation_of(browser, persona="Physician")
    answer = browser.get(f"/api/conversations/{talk}").json()["messages"][1]
    assert browser.post(f"/api/messages/{answer['id']}/rating", json={"value": 1, "comment": "Bob likes it"})
    secret, _ = _make_link(team, team.member, talk)
    told = _open(team, secret)
    for word in ("Physician", "doctor", "likes it", "fake", team.member.id, "bob@example.org"):
        assert word not in told.text
    for message in told.json()["messages"]:
        assert (message["asked"], message["rating"]) == (None, None)
        assert (message["evidence"], message["activity"], message["results"]) == ([], "", [])
    assert told.json()["messages"][1]["answer"]["citations"][0]["document"] == "source-1"


def test_a_link_may_expire(team: TeamClient) -> None:
    talk = _ask(team, team.member)
    secret, _ = _make_link(team, team.member, talk, days=2)
    [listed] = team.get(team.member, LINKS.format(talk)).json()["links"]
    assert listed["expires"] - listed["created"] == 2 * 86_400
    assert _open(team, secret).status_code == 200
    ended, _ = _make_link(team, team.member, talk, days=1e-9)
    assert _open(team, ended).status_code == 404
    for days in (0, -1, 1e6):
        assert team.post(team.member, LINKS.format(talk), json={"days": days}).status_code == 422


def test_a_disabled_person_shares_nothing_any_more(team: TeamClient) -> None:
    secret, _ = _make_link(team, team.member, _ask(team, team.member))
    team.patch(team.owner, f"/api/people/{team.member.id}", json={"disabled": True})
    assert _open(team, secret).status_code == 404


def test_nobody_finds_or_makes_links_to_a_conversation_of_somebody_else(team: TeamClient) -> None:
    talk = _ask(team, team.member)
    _, link = _make_link(team, team.member, talk)
    assert team.get(team.owner, LINKS.format(talk)).status_code == 404
    assert team.post(team.owner, LINKS.format(talk), json={}).status_code == 404
    assert team.delete(team.owner, f"{LINKS.format(talk)}/{link}").status_code == 404
    other = _ask(team, team.owner)
    assert team.delete(team.owner, f"{LINKS.format(other)}/{link}").status_code == 404
    assert team.get(None, LINKS.format(talk)).status_code == 401


@pytest.mark.parametrize("secret", ["x", "\x00", "../..", "é" * 200])
def test_a_secret_that_nobody_made_opens_nothing(team: TeamClient, secret: str) -> None:
    told = _open(team, secret)
    assert (told.status_code, told.json()["error"]["code"]) == (404, "not_found")


def test_an_address_that_reads_too_many_links_has_to_wait(settings: Settings) -> None:
    quota = settings.quota.model_copy(update={"questions_per_minute": 1, "address_factor": 2})
    with open_team_client(settings.model_copy(update={"quota": quota})) as team:
        told = [_open(team, "x") for _ in range(3)]
        assert [each.status_code for each in told] == [404, 404, 429]
        assert int(told[-1].headers["retry-after"]) > 0


def test_a_guest_asks_but_shares_nothing(team: TeamClient) -> None:
    talk = _ask(team, team.guest)
    assert team.post(team.guest, LINKS.format(talk), json={}).status_code == 403
