import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.settings import load_settings
from pincite.store import document_sources, documents, groups, library_shares, people
from pincite.store.database import open_database
from pincite.store.document_sources import StoredSource
from tests.cli.conftest import Ran


@pytest.fixture
def shared(tmp_path: Path) -> None:
    """A library of Ada that is shared with Bob, a group and everyone."""
    database, now = open_database(load_settings(data=tmp_path / "data")), time.time()
    with database.writing() as connection:
        ada = people.create(connection, "Ada", "owner", now)
        bob = people.create(connection, "Bob", "member", now)
        group = groups.create(connection, "Readers", now)
        stored, _ = documents.create(connection, ada.id, "0" * 64, "laws.txt", 1)
        document_sources.add(connection, StoredSource(ada.id, "laws", "/laws.txt", stored.id, 1, 1.0))
        library_shares.put(connection, ada.id, "laws", "writer", now, person=bob.id)
        library_shares.put(connection, ada.id, "laws", "owner", now + 1, group=group.id)
        library_shares.put(connection, ada.id, "laws", "reader", now + 2, everyone=True)
    database.close()


@pytest.mark.usefixtures("shared")
def test_shares_are_listed_for_everybody_or_one_person(pincite: Callable[..., Ran]) -> None:
    listed = pincite("accounts", "shares", "--json").json
    assert [(each["library"], each["with"], each["access"]) for each in listed] == [
        ("~Ada/laws", "Bob", "writer"),
        ("~Ada/laws", "Readers (group)", "owner"),
        ("~Ada/laws", "everyone", "reader"),
    ]
    assert pincite("accounts", "shares", "ada", "--json").json == listed
    assert "No library is shared" in pincite("accounts", "shares", "bob").out
    assert "Readers (group)" in pincite("accounts", "shares").out
    assert pincite("accounts", "shares", "nobody").status == 2


@pytest.mark.usefixtures("shared")
def test_a_share_is_taken_back_and_the_log_says_so(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    first = pincite("accounts", "shares", "--json").json[0]
    assert pincite("accounts", "shares", "--revoke", first["id"][:8]).status == 0
    assert len(pincite("accounts", "shares", "--json").json) == 2
    assert pincite("accounts", "shares", "--revoke", first["id"]).status == 2
    assert pincite("accounts", "shares", "--revoke", "").status == 0  # nothing is named: the list
    database = open_database(load_settings(data=tmp_path / "data"))
    assert list_audit(database, AT_TERMINAL)[0].action == "library.unshare"
    database.close()
