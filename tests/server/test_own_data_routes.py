"""A person takes everything with them, or deletes it."""

import io
import json
import threading
import zipfile
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from pincite import events
from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.removal import begin_removal
from pincite.answer.context import Context
from pincite.server import create_app
from pincite.settings import Settings
from pincite.store import people
from pincite.store.database import Database
from pincite.store.owned_rows import count_owned_rows
from pincite.store.schema import metadata
from tests.accounts.conftest import PASSWORD
from tests.clock import PATIENCE, wait_until
from tests.own_data.people_with_data import find_files
from tests.server.team import Member, TeamClient, make_team_settings, open_team_client

WORD = "qzkvbob"


@pytest.fixture
def team(settings: Settings) -> Iterator[TeamClient]:
    with open_team_client(settings) as made:
        yield made


def _open(answer: Any) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(answer.content))


def _list_people(team: TeamClient) -> list[str]:
    with team.database.reading() as connection:
        return [person.name for person in people.find(connection)]


def test_a_person_takes_everything_along_as_one_archive(team: TeamClient) -> None:
    files = {"file": ("notes.txt", b"Bob's own words.")}
    assert team.post(team.member, "/api/documents", files=files).status_code == 202
    assert team.post(team.member, "/api/chat", json={"message": f"Why {WORD}?"}).status_code == 200
    assert team.post(team.owner, "/api/chat", json={"message": "A secret of Ada"}).status_code == 200
    told = team.get(team.member, "/api/account/export")
    assert told.status_code == 200
    assert told.headers["content-type"] == "application/zip"
    assert told.headers["cache-control"] == "no-store"
    assert "attachment" in told.headers["content-disposition"]
    with _open(told) as archive:
        assert archive.read("documents/default/notes.txt") == b"Bob's own words."
        assert WORD in archive.read(f"conversations/Why {WORD}_.md").decode()
        (profile,) = archive.read("account/profile.jsonl").splitlines()
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert json.loads(profile)["name"] == "Bob"
    assert b"A secret of Ada" not in everything
    assert b"argon2" not in everything
    assert list((team.settings.data / "scratch").iterdir()) == []


def _delete(team: TeamClient, by: Member, password: str = PASSWORD) -> Any:
    return team.request(by, "DELETE", "/api/account", json={"password": password})


def test_only_a_person_and_no_program_of_theirs_exports_and_deletes(team: TeamClient) -> None:
    team.client.cookies.clear()
    headers = team.member.headers
    assert team.client.get("/api/account/export", headers=headers).status_code == 403
    told = team.client.request("DELETE", "/api/account", json={"password": PASSWORD}, headers=headers)
    assert told.status_code == 403
    assert team.get(None, "/api/account/export").status_code == 401
    assert team.request(None, "DELETE", "/api/account", json={}).status_code == 401
    assert _list_people(team) == ["Ada", "Bob", "Gil"]


def test_a_person_deletes_the_account_with_their_password(team: TeamClient) -> None:
    assert team.post(team.member, "/api/chat", json={"message": f"Why {WORD}?"}).status_code == 200
    wrong = _delete(team, team.member, "wrong")
    assert (wrong.status_code, wrong.json()["error"]["reason"]) == (401, "password")
    assert _list_people(team) == ["Ada", "Bob", "Gil"]
    gone = _delete(team, team.member)
    assert gone.status_code == 204
    assert "pincite_session=" in gone.headers["set-cookie"]
    assert team.get(team.member, "/api/conversations").status_code == 401
    assert _list_people(team) == ["Ada", "Gil"]
    with team.database.reading() as connection:
        assert count_owned_rows(connection, team.member.id) == {}


def test_a_guest_needs_no_password_and_the_last_owner_stays(team: TeamClient) -> None:
    with team.database.writing() as connection:
        people.set_password(connection, team.guest.id, "", 0.0)
    assert team.request(team.guest, "DELETE", "/api/account", json={}).status_code == 204
    told = _delete(team, team.owner)
    assert (told.status_code, told.json()["error"]["reason"]) == (400, "last_owner")
    assert _list_people(team) == ["Ada", "Bob"]


def test_without_accounts_everything_is_exported_and_nothing_is_deleted(client: TestClient) -> None:
    told = client.get("/api/account/export")
    assert told.status_code == 200
    with _open(told) as archive:
        assert archive.read("account/profile.jsonl") == b""
    refused = client.request("DELETE", "/api/account", json={})
    assert (refused.status_code, refused.json()["error"]["reason"]) == (400, "local_mode")


def test_a_deletion_that_was_killed_is_finished_when_the_server_starts(settings: Settings) -> None:
    with open_team_client(settings) as team:
        assert team.post(team.member, "/api/chat", json={"message": f"Why {WORD}?"}).status_code == 200
        begin_removal(team.database, AT_TERMINAL, team.member.id, 1.0)
        assert team.get(team.member, "/api/conversations").status_code == 401
    app = create_app(make_team_settings(settings))
    with TestClient(app):
        database: Database = app.state.library.database

        def has_gone() -> bool:
            with database.reading() as connection:
                return team.member.id not in {person.id for person in people.find(connection)}

        wait_until(has_gone)
        with database.reading() as connection:
            assert count_owned_rows(connection, team.member.id) == {}


class _Endless:
    """Says a word now and then, until it is stopped."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        asked = context.asked
        yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="f", focus="all")
        try:
            while True:
                yield events.Text(delta=f"{WORD} ")
                self.begun.set()
                await anyio.sleep(0.01)
        finally:
            self.ended.set()


def test_an_answer_that_is_being_written_is_stopped_and_leaves_nothing(settings: Settings) -> None:
    answer = _Endless()
    with open_team_client(settings, answer) as team:

        def ask() -> None:
            team.open_browser(team.member).post("/api/chat", json={"message": f"Why {WORD}?"})

        asking = threading.Thread(target=ask)
        asking.start()
        assert answer.begun.wait(PATIENCE)
        assert _delete(team, team.member).status_code == 204
        assert answer.ended.wait(PATIENCE)
        asking.join(PATIENCE)
        with team.database.reading() as connection:
            assert count_owned_rows(connection, team.member.id) == {}
            texts = [repr(row) for table in metadata.sorted_tables for row in connection.execute(select(table))]
        assert [text for text in texts if WORD in text] == []
        team.database.erase_log()
    assert find_files(settings.data, [WORD.encode()]) == []
