import json
import zipfile
from pathlib import Path

import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller
from pincite.accounts.principal import Principal, list_scopes
from pincite.accounts.roles import change_person
from pincite.errors import Denied
from pincite.library import Library
from pincite.own_data.person_export import TABLES, export_person
from pincite.store.person_rows import PERSON_COLUMNS
from pincite.store.schema import metadata
from tests.databases import both_engines
from tests.own_data.people_with_data import (
    COMMON,
    NOW,
    add_person,
    fill_account,
    fill_conversations,
    fill_documents,
    hash_of,
)

database_address = both_engines  # every test runs on both engines

ADA, BOB = "qzkvada", "qzkvbob"


def _read_lines(archive: zipfile.ZipFile, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in archive.read(name).splitlines()]


def test_an_export_contains_everything_of_a_person_and_no_secret(library: Library, tmp_path: Path) -> None:
    ada, bob = add_person(library, ADA), add_person(library, BOB, "owner")
    for person, word, other in ((ada, ADA, bob), (bob, BOB, ada)):
        fill_documents(library, person, word, tmp_path / word)
        fill_account(library, person, word, other)
        fill_conversations(library, person, word)

    export_person(library, AT_TERMINAL, ada.id, tmp_path / "export.zip", NOW)

    assert (tmp_path / "export.zip").stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        contents = {name: archive.read(name) for name in names}
        (profile,) = _read_lines(archive, "account/profile.jsonl")
        described = {str(each["name"]): each for each in _read_lines(archive, "documents.jsonl")}
        for name in TABLES.values():
            assert _read_lines(archive, f"{name}.jsonl"), name
    assert profile["name"] == f"{ADA} name"
    text = (tmp_path / ADA / f"{ADA}-2.md").read_bytes()
    assert contents[f"documents/{ADA} library/{ADA}-2.md"] == text
    assert described[f"{ADA}-2.md"]["file"] == f"documents/{ADA} library/{ADA}-2.md"
    assert contents[str(described["common.txt"]["file"])] == COMMON.encode()
    for n in range(3):
        title = f"conversations/{ADA} title {n}"
        assert f"Because {ADA} says so." in contents[f"{title}.md"].decode()
        assert json.loads(contents[f"{title}.json"])["messages"][0]["content"] == f"Why {ADA}?"
        assert len(contents[f"{title}.events.jsonl"].splitlines()) == 39
    assert sum(name.startswith("pictures/") for name in names) == 3
    shares = contents.pop("account/shares.jsonl").decode()
    assert f"{ADA} library" in shares
    assert f"{BOB} library" in shares  # Bob shared it with her
    assert '"kind": "invitation"' in contents["account/invitations.jsonl"].decode()
    everything = b"".join(contents.values()) + "".join(names).encode()
    for secret in (f"$argon2id${ADA}", hash_of(f"session {ADA}"), hash_of(f"token {ADA}"), hash_of(f"reset {ADA}")):
        assert secret.encode() not in everything
    assert BOB.encode() not in everything


def test_every_table_with_a_person_in_it_is_known() -> None:
    naming = {"owner", "person", "account", "actor", "whose", "redeemer", "referrer", "made_by"}
    known = {(table, column) for table, columns in PERSON_COLUMNS.items() for column in columns}
    found = {
        (table.name, column.name) for table in metadata.sorted_tables for column in table.c if column.name in naming
    }
    assert found <= known
    # These are exported in another form, belong to a work in progress, or exist only after the account.
    elsewhere = {"documents", "sources", "conversations", "messages", "group_members", "jobs", "removed_people"}
    assert PERSON_COLUMNS.keys() - elsewhere == TABLES.keys()


def test_only_the_person_and_an_owner_export(library: Library, tmp_path: Path) -> None:
    ada, bob = add_person(library, ADA), add_person(library, BOB)
    stranger = Caller(Principal(bob.id, "member", list_scopes("member"), session="s"))
    with pytest.raises(Denied):
        export_person(library, stranger, ada.id, tmp_path / "export.zip", NOW)
    assert not (tmp_path / "export.zip").exists()
    herself = Caller(Principal(ada.id, "member", list_scopes("member"), session="s"))
    export_person(library, herself, ada.id, tmp_path / "export.zip", NOW)


def test_a_document_whose_file_is_missing_is_described_all_the_same(library: Library, tmp_path: Path) -> None:
    ada = add_person(library, ADA)
    fill_documents(library, ada, ADA, tmp_path / ADA)
    for path in (library.settings.data / "files").glob("??/*"):
        path.unlink()
    export_person(library, AT_TERMINAL, ada.id, tmp_path / "export.zip", NOW)
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        assert {each["file"] for each in _read_lines(archive, "documents.jsonl")} == {None}


def test_an_export_does_not_say_from_where_others_managed_the_account(library: Library, tmp_path: Path) -> None:
    ada, bob = add_person(library, ADA), add_person(library, BOB, "owner")
    owner = Caller(Principal(bob.id, "owner", list_scopes("owner")), "192.0.2.77")
    own = Caller(Principal(ada.id, "member", list_scopes("member")), "192.0.2.5")
    change_person(library.database, owner, ada.id, NOW, name="Another name")
    export_person(library, own, ada.id, tmp_path / "export.zip", NOW)
    with zipfile.ZipFile(tmp_path / "export.zip") as archive:
        entries = _read_lines(archive, "account/audit.jsonl")
    assert [(each["action"], each["address"]) for each in entries] == [
        ("account.rename", ""),
        ("account.export", "192.0.2.5"),
    ]
