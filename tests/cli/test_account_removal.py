import io
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.settings import load_settings
from pincite.store import conversations, people
from pincite.store.database import open_database
from tests.cli.conftest import Ran
from tests.clock import PATIENCE
from tests.program import environment
from tests.thorough import mark_slow


@pytest.fixture
def team(tmp_path: Path) -> None:
    """Ada owns the server; Bob is a member with a conversation."""
    _make_team(tmp_path / "data")


def _make_team(data: Path) -> None:
    database, now = open_database(load_settings(data=data)), time.time()
    with database.writing() as connection:
        people.create(connection, "Ada", "owner", now)
        bob = people.create(connection, "Bob", "member", now)
        conversations.create(connection, bob.id, "A talk")
    database.close()


def _names(pincite: Callable[..., Ran]) -> list[str]:
    return [each["name"] for each in pincite("accounts", "people", "--json").json]


@pytest.mark.usefixtures("team")
def test_a_person_is_removed_with_what_is_theirs(pincite: Callable[..., Ran]) -> None:
    ran = pincite("accounts", "remove", "bob", "--yes")
    assert (ran.status, ran.said) == (0, "Removed Bob with 0 documents and 1 conversations.\n")
    assert _names(pincite) == ["Ada"]
    assert pincite("accounts", "remove", "bob", "--yes").status == 2


@pytest.mark.usefixtures("team")
def test_the_last_owner_is_not_removed(pincite: Callable[..., Ran]) -> None:
    ran = pincite("accounts", "remove", "Ada", "--yes")
    assert (ran.status, "only owner" in ran.said) == (2, True)
    assert _names(pincite) == ["Ada", "Bob"]


@pytest.mark.usefixtures("team")
def test_nobody_is_removed_without_a_terminal_to_ask(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    ran = pincite("accounts", "remove", "bob")
    assert (ran.status, "--yes" in ran.said) == (2, True)
    assert _names(pincite) == ["Ada", "Bob"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "status", "said"), [("y", 0, "Removed Bob"), mark_slow("n", 2, "Nothing was removed")]
)
def test_the_terminal_asks_before_a_person_is_removed(tmp_path: Path, typed: str, status: int, said: str) -> None:
    settings = environment(tmp_path)
    _make_team(Path(settings["PINCITE_DATA"]))
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pincite", "accounts", "remove", "bob"]
    program = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=settings, start_new_session=True
    )
    os.close(theirs)
    shown = b""

    def read_until(mark: str) -> None:
        nonlocal shown
        while mark.encode() not in shown:
            assert select.select([ours], [], [], PATIENCE)[0], shown
            shown += os.read(ours, 1000)

    read_until("Remove Bob with 0 documents and 1 conversations?")
    os.write(ours, f"{typed}\n".encode())
    read_until(said)
    assert program.wait(PATIENCE) == status
    os.close(ours)
