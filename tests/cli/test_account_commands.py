import io
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.clock import PATIENCE
from tests.program import environment
from tests.thorough import mark_slow

PASSWORD = "correct horse battery"


@pytest.fixture
def owner(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> str:
    """A server whose first owner is Ada; her id."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    ran = pincite("accounts", "init", "--name", "Ada", "--email", "ada@example.org", "--password-stdin", "--json")
    assert ran.status == 0, ran.said
    return str(ran.json["id"])


def test_existing_documents_become_those_of_the_first_owner(
    pincite: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("Ships are built of wood.")
    pincite("add", tmp_path / "a.txt")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    ran = pincite("accounts", "init", "--name", "Ada", "--password-stdin")
    assert (ran.status, ran.out) == (0, "")
    assert "Ada is the owner" in ran.said
    assert "1 documents" in ran.said
    assert 'mode = "team"' in ran.said
    assert len(pincite("documents", "--json").json) == 1


def test_there_is_one_first_owner(pincite: Callable[..., Ran], owner: str) -> None:
    ran = pincite("accounts", "init", "--name", "Bob", "--password-stdin")
    assert (ran.status, ran.out) == (2, "")
    assert "pincite accounts invite" in ran.said
    assert [person["name"] for person in pincite("accounts", "people", "--json").json] == ["Ada"]


@pytest.mark.parametrize(
    ("typed", "said"), [("short\n", "fewer than 12 characters"), ("\n", "no password on stdin"), ("", "no password")]
)
def test_a_password_that_is_too_short_or_missing_makes_nobody(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, typed: str, said: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    ran = pincite("accounts", "init", "--name", "Ada", "--password-stdin")
    assert (ran.status, said in ran.said) == (2, True)
    assert "pincite accounts init" in pincite("accounts", "people").out


def test_a_password_is_never_an_argument_and_never_asked_without_a_terminal(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    ran = pincite("accounts", "init", "--name", "Ada")
    assert (ran.status, "--password-stdin" in ran.said) == (2, True)
    assert pincite("accounts", "init", "--name", "Ada", "--password", PASSWORD).status == 2


@pytest.mark.parametrize(
    ("again", "said"), [(PASSWORD, "Ada is the owner"), mark_slow("another one", "The two passwords differ")]
)
def test_a_password_that_is_typed_is_asked_twice_and_not_shown(tmp_path: Path, again: str, said: str) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pincite", "accounts", "init", "--name", "Ada"]
    program = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(tmp_path), start_new_session=True
    )
    os.close(theirs)
    shown = b""

    def read_until(mark: bytes) -> None:
        nonlocal shown
        while mark not in shown:
            assert select.select([ours], [], [], PATIENCE)[0], shown
            shown += os.read(ours, 1000)

    for prompt, typed in ((b"Password: ", PASSWORD), (b"again: ", again)):
        read_until(prompt)
        os.write(ours, f"{typed}\n".encode())
    read_until(said.encode())
    assert program.wait(PATIENCE) == (0 if again == PASSWORD else 2)
    os.close(ours)
    assert PASSWORD.encode() not in shown


def test_an_invitation_is_a_link_on_stdout_and_can_be_taken_back(pincite: Callable[..., Ran], owner: str) -> None:
    ran = pincite("accounts", "invite", "--email", "bob@example.org", "--role", "guest")
    assert ran.out.startswith("http://127.0.0.1:8000/join#")
    assert "works once" in ran.said
    [open_one] = pincite("accounts", "invitations", "--json").json
    assert (open_one["email"], open_one["role"]) == ("bob@example.org", "guest")
    assert ran.out.strip().partition("#")[2] not in json.dumps(open_one)
    assert pincite("accounts", "invitations", "--revoke", open_one["id"][:8]).status == 0
    assert pincite("accounts", "invitations", "--json").json == []
    assert pincite("accounts", "invite", "--role", "king").status == 2


def test_a_reset_is_a_link_on_stdout(pincite: Callable[..., Ran], owner: str) -> None:
    ran = pincite("accounts", "reset", "ADA")
    assert ran.out.startswith("http://127.0.0.1:8000/reset#")
    assert pincite("accounts", "reset", "nobody").status == 2


def test_the_last_owner_stays_one(pincite: Callable[..., Ran], owner: str) -> None:
    for command in (("role", "Ada", "member"), ("disable", "ada@example.org")):
        ran = pincite("accounts", *command)
        assert (ran.status, "only owner" in ran.said) == (2, True)
    assert pincite("accounts", "people", "--json").json[0]["role"] == "owner"


def test_a_token_is_printed_once_and_listed_by_its_first_characters(pincite: Callable[..., Ran], owner: str) -> None:
    ran = pincite("accounts", "tokens", "create", "Ada", "--name", "backup", "--scope", "read", "--scope", "ask")
    token = ran.out.strip()
    assert token.startswith("pin_")
    [listed] = pincite("accounts", "tokens", "list", "Ada", "--json").json
    assert (listed["scopes"], listed["start"]) == (["read", "ask"], token[:8])
    assert token not in pincite("accounts", "tokens", "list", "Ada").out
    assert pincite("accounts", "tokens", "revoke", listed["id"][:8]).status == 0
    assert pincite("accounts", "tokens", "list", "Ada", "--json").json == []
    assert pincite("accounts", "tokens", "revoke", listed["id"]).status == 2
    assert pincite("accounts", "tokens", "create", "Ada", "--name", "x", "--scope", "everything").status == 2


def test_groups_are_made_filled_and_removed(pincite: Callable[..., Ran], owner: str) -> None:
    assert pincite("accounts", "groups", "create", "Legal team").status == 0
    assert pincite("accounts", "groups", "add", "legal team", "ada").said == "Legal team has 1 member.\n"
    assert "Ada" in pincite("accounts", "groups", "list").out
    assert pincite("accounts", "groups", "leave", "Legal team", "Ada").said == "Legal team has 0 members.\n"
    assert pincite("accounts", "groups", "remove", "Legal team").status == 0
    assert pincite("accounts", "groups", "list", "--json").json == []


def test_sessions_are_listed_and_ended(pincite: Callable[..., Ran], owner: str) -> None:
    from pincite.accounts.passwords import PasswordHashing
    from pincite.accounts.sign_in import sign_in
    from pincite.settings import load_settings
    from pincite.store.database import open_database

    database, now = open_database(load_settings()), time.time()
    for _ in range(2):
        sign_in(database, PasswordHashing(), "Ada", PASSWORD, now, address="192.0.2.1", agent="Browser 1")
    database.close()
    listed = pincite("accounts", "sessions", "ada", "--json").json
    assert [(each["address"], each["agent"]) for each in listed] == [("192.0.2.1", "Browser 1")] * 2
    assert pincite("accounts", "sessions", "ada", "--end", listed[0]["id"][:8]).status == 0
    assert [each["id"] for each in pincite("accounts", "sessions", "ada", "--json").json] == [listed[1]["id"]]
    assert pincite("accounts", "sessions", "ada", "--end-all").said == "Ended 1 sessions.\n"
    assert "not signed in" in pincite("accounts", "sessions", "ada").out


def test_the_log_is_a_table_or_json_lines_and_holds_no_secret(pincite: Callable[..., Ran], owner: str) -> None:
    link = pincite("accounts", "reset", "Ada").out.strip()
    lines = pincite("accounts", "audit", "--json").lines
    assert [line["action"] for line in lines] == ["account.init", "reset.create"]
    assert lines[1]["whose_name"] == "Ada"
    shown = pincite("accounts", "audit", "--person", "Ada").out
    assert "reset.create" in shown
    for secret in (PASSWORD, link.partition("#")[2]):
        assert secret not in shown + json.dumps(lines)


def test_a_name_cannot_control_the_terminal(pincite: Callable[..., Ran], owner: str) -> None:
    assert pincite("accounts", "groups", "create", "\x1b[31mred").status == 2
