import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.guests import begin_guest_session
from pincite.accounts.principal import Principal, list_scopes
from pincite.accounts.removal import begin_removal
from pincite.accounts.roles import set_disabled
from pincite.accounts.sign_in_sessions import remove_ended_sessions, sign_out
from pincite.accounts.tokens import create_token
from pincite.backups.backup_creation import create_backup
from pincite.errors import Denied, Misuse, NotSignedIn
from pincite.jobs import StepProgress
from pincite.library import Library
from pincite.own_data.person_deletion import PersonDeletion, delete_lost_guests, delete_person, resume_deletions
from pincite.search.search import PassageSearch
from pincite.store import conversations, credits, documents, people, personas, removed_people, usage
from pincite.store.database import Connection, Database
from pincite.store.owned_rows import count_owned_rows
from pincite.store.people import StoredPerson
from pincite.types import Scope
from tests.accounts.conftest import DAY, at_once
from tests.clock import PATIENCE, wait_until
from tests.databases import both_engines
from tests.own_data.people_with_data import (
    COMMON,
    MONTH,
    NOW,
    Rows,
    add_person,
    fill_account,
    fill_conversations,
    fill_documents,
    find_files,
    hash_of,
    read_rows,
)
from tests.work import Fake, finish

database_address = both_engines  # every test runs on both engines

ADA, BOB = "qzkvada", "qzkvbob"
# Tables with nothing of a person in them.
_OF_NOBODY = {
    "calibrations",
    "openid_requests",
    "removed_people",
    "moves",
    "move_changes",
    "model_providers",
    "known_models",
}
# Tables whose rows last for a minute, or until a document has been read.
_SHORT = {"rate_buckets", "document_passwords"}


@dataclass(frozen=True)
class Pair:
    """A server on which two people have something everywhere."""

    library: Library
    ada: StoredPerson
    bob: StoredPerson


@pytest.fixture
def full(opened: Callable[..., Library], tmp_path: Path) -> Pair:
    library = opened()
    ada, bob = add_person(library, ADA), add_person(library, BOB, "owner")
    for person, word, other in ((ada, ADA, bob), (bob, BOB, ada)):
        fill_documents(library, person, word, tmp_path / word)
        fill_account(library, person, word, other)
        fill_conversations(library, person, word)
    return Pair(library, ada, bob)


def _list_blobs(rows: Rows) -> set[bytes]:
    return {value for found in rows.values() for row in found for value in row if isinstance(value, bytes)}


def _check_nothing_left(full: Pair, before: Rows) -> None:
    """No row names Ada, and no file of the data folder has her word, or a packed value that only she had."""
    after = read_rows(full.library)
    kept = {"audit_log", "removed_people"}
    named = [(name, row) for name, rows in after.items() for row in rows if full.ada.id in row and name not in kept]
    assert named == []
    assert [row for row in after["words"] if any(ADA in str(value) for value in row)] == []
    gone = [blob for blob in _list_blobs(before) - _list_blobs(after) if len(blob) > 16]
    assert gone
    assert find_files(full.library.settings.data, [ADA.encode(), *gone]) == []


def _select_rows(rows: Rows, person: StoredPerson, word: str) -> Rows:
    """The rows of a person: those with the id or the word, and the contents of the person's documents."""
    shown = {row[-1] for row in rows["documents"] if person.id in row}

    def is_theirs(row: tuple[Any, ...]) -> bool:
        return person.id in row or any(word in value for value in row if isinstance(value, str))

    content = {"contents": 0, "texts": 0, "pages": 0, "concordances": 0, "passages": 1, "vectors": 2}  # the generation
    return {
        name: {row for row in found if is_theirs(row) or (name in content and row[content[name]] in shown)}
        for name, found in rows.items()
    }


def test_nothing_of_a_deleted_person_is_left_on_disk(full: Pair) -> None:
    before = read_rows(full.library)
    assert {name for name, rows in before.items() if not rows} == _OF_NOBODY | _SHORT
    deletion = delete_person(full.library, AT_TERMINAL, full.ada.id, NOW)
    assert (deletion.documents, deletion.conversations) == (7, 3)
    _check_nothing_left(full, before)


def test_everything_of_the_others_is_still_there(full: Pair) -> None:
    library, ada, bob = full.library, full.ada, full.bob
    library.sweep()  # readings that stopped are nobody's loss
    before = _select_rows(read_rows(library), bob, BOB)
    files = {path.name for path in (library.settings.data / "files").rglob("*") if path.is_file()}
    delete_person(library, AT_TERMINAL, ada.id, NOW)
    after = _select_rows(read_rows(library), bob, BOB)
    # Shares between the two are gone, also from workspaces, and so is the invitation that Ada made for Bob's address.
    for name in before.keys() - {"library_shares", "workspace_libraries", "one_time_links", "audit_log"}:
        assert after[name] == before[name], name
    assert all(ada.id not in row for row in after["library_shares"])
    with library.database.reading() as connection:
        hashes = {sha256 for _, sha256 in documents.list_owned(connection, bob.id)}
        assert people.get(connection, bob.id) == bob
    assert hashes == {path.name for path in (library.settings.data / "files").rglob("*") if path.is_file()}
    assert hash_of(COMMON) in files & hashes  # Ada had the same bytes
    hits = PassageSearch(library.database, library.index, None, library.settings)
    assert hits.search(f"{BOB} number 7", Scope(bob.id))
    pictures = [path for path in (library.settings.data / "pictures").rglob("*") if path.is_file()]
    assert len(pictures) == 3
    with library.database.reading() as connection:
        assert credits.sum_balances(connection, MONTH).spent == 14  # of the server: Ada's count too


def test_the_audit_log_keeps_the_id_and_says_who_deleted_it(full: Pair) -> None:
    delete_person(full.library, AT_TERMINAL, full.ada.id, NOW)
    entries = list_audit(full.library.database, AT_TERMINAL, person=full.ada.id)
    assert [entry.action for entry in entries] == ["account.remove", "account.delete", "sign_in"]


def test_backups_that_may_still_contain_the_person_are_named(library: Library, tmp_path: Path) -> None:
    ada = add_person(library, ADA)
    create_backup(library.settings, library.database, tmp_path / "monday.zip", NOW)
    deletion = delete_person(library, AT_TERMINAL, ada.id, NOW + 1)
    assert [(backup.name, backup.time) for backup in deletion.backups] == [("monday.zip", NOW)]


def test_the_last_owner_stays_and_nobody_deletes_somebody_else(library: Library) -> None:
    ada, bob = add_person(library, ADA), add_person(library, BOB, "owner")
    with pytest.raises(Misuse) as refused:
        delete_person(library, AT_TERMINAL, bob.id, NOW)
    assert refused.value.reason == "last_owner"
    member = Caller(Principal(ada.id, "member", list_scopes("member"), session="s"))
    with pytest.raises(Denied):
        delete_person(library, member, bob.id, NOW)
    token = Caller(Principal(ada.id, "member", list_scopes("member"), token="t"))
    with pytest.raises(Denied):
        delete_person(library, token, ada.id, NOW)
    with library.database.reading() as connection:
        assert removed_people.list_unfinished(connection) == []
    delete_person(library, member, ada.id, NOW)
    with library.database.reading() as connection:
        assert [person.name for person in people.find(connection)] == [f"{BOB} name"]


def test_of_two_owners_who_delete_each_other_at_once_one_stays(library: Library) -> None:
    ada, bob = add_person(library, ADA, "owner"), add_person(library, BOB, "owner")

    def delete(by: StoredPerson, whom: StoredPerson) -> PersonDeletion:
        caller = Caller(Principal(by.id, "owner", list_scopes("owner"), session="s"))
        return delete_person(library, caller, whom.id, NOW)

    results = at_once([partial(delete, ada, bob), partial(delete, bob, ada)])
    assert sum(isinstance(result, PersonDeletion) for result in results) == 1
    with library.database.reading() as connection:
        assert people.count(connection) == 1


class _Killed(BaseException):
    """The process ends here."""


def test_a_deletion_that_is_killed_anywhere_is_finished_by_the_next_start(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = add_person(library, BOB, "owner")
    write = Database.writing
    kill_at, finished = 1, False
    while not finished:
        ada = add_person(library, ADA)
        with library.database.writing() as connection:
            personas.create(connection, ada.id, f"{ADA} persona", "Be brief.")
            conversations.create(connection, ada.id, f"{ADA} title")
        note = tmp_path / "note.txt"
        note.write_text(f"A note of {ADA}.", encoding="utf-8")
        library.add(ada.id, note)
        transactions = 0

        @contextmanager
        def killed(self: Database, after: int = kill_at, **given: bool) -> Iterator[Connection]:
            nonlocal transactions
            transactions += 1
            with write(self, **given) as connection:
                yield connection
            if transactions == after:
                raise _Killed

        monkeypatch.setattr(Database, "writing", killed)
        try:
            delete_person(library, AT_TERMINAL, ada.id, NOW)
            finished = True
        except _Killed:
            pass
        monkeypatch.setattr(Database, "writing", write)
        with library.database.reading() as connection:
            person = next((each for each in people.find(connection) if each.id == ada.id), None)
            assert person is None or person.disabled
        resume_deletions(library, NOW)
        with library.database.reading() as connection:
            assert [each.id for each in people.find(connection)] == [bob.id]
            assert count_owned_rows(connection, ada.id) == {}
        library.database.erase_log()
        assert find_files(library.settings.data, [ADA.encode()]) == [], kill_at
        kill_at += 1
    assert kill_at > 5


def test_somebody_who_is_being_deleted_cannot_be_let_in_again(library: Library) -> None:
    add_person(library, BOB, "owner")
    ada = add_person(library, ADA)
    begin_removal(library.database, AT_TERMINAL, ada.id, NOW)
    begin_removal(library.database, AT_TERMINAL, ada.id, NOW)
    with pytest.raises(Misuse) as refused:
        set_disabled(library.database, AT_TERMINAL, ada.id, False, NOW)
    assert refused.value.reason == "being_deleted"
    assert resume_deletions(library, NOW) == 1
    assert resume_deletions(library, NOW + DAY / 2) == 0


def test_a_request_that_was_made_before_leaves_nothing_behind(library: Library, tmp_path: Path) -> None:
    add_person(library, BOB, "owner")
    ada = add_person(library, ADA)
    delete_person(library, AT_TERMINAL, ada.id, NOW)
    note = tmp_path / "note.txt"
    note.write_text(f"A note of {ADA}.", encoding="utf-8")
    with pytest.raises(NotSignedIn, match="deleted"):
        library.add(ada.id, note)
    with pytest.raises(NotSignedIn, match="deleted"), library.database.writing() as connection:
        conversations.create(connection, ada.id, ADA)
    with library.database.writing() as connection:
        usage.add(connection, ada.id, "model", 1, 1, 1)
        assert count_owned_rows(connection, ada.id) == {}
    library.reindex(ada.id, None)
    assert resume_deletions(library, NOW + 2 * DAY) == 0
    with library.database.reading() as connection:
        assert not removed_people.has_begun(connection, ada.id)


def test_a_document_that_is_being_read_or_embedded_is_deleted_too(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened()
    add_person(library, BOB, "owner")
    for step in ("read", "embed"):
        ada = add_person(library, ADA)
        text = "\n\n".join(f"# Part {i} of {ADA}\n\nThe {ADA} number {i}." for i in range(300))
        (tmp_path / "long.md").write_text(text, encoding="utf-8")
        library.add(ada.id, tmp_path / "long.md")
        at_it, go_on, embedder = threading.Event(), threading.Event(), Fake()
        embedder.may_go_on.clear()

        def report(progress: StepProgress, step: str = step, begun: threading.Event = at_it) -> None:
            if progress.step == step and not progress.ended:
                begun.set()
                if step == "read":
                    assert go_on.wait(PATIENCE)  # noqa: B023 - the thread ends before the next round

        if step == "read":
            embedder.may_go_on.set()
        worker = threading.Thread(target=finish, args=(library, embedder, report))
        worker.start()
        assert at_it.wait(PATIENCE)
        if step == "embed":
            assert embedder.begun.wait(PATIENCE)
        deletion = threading.Thread(target=delete_person, args=(library, AT_TERMINAL, ada.id, NOW))
        deletion.start()
        wait_until(lambda: not _list_documents(library))
        go_on.set()
        embedder.may_go_on.set()
        worker.join(PATIENCE)
        deletion.join(PATIENCE)
        library.sweep()
        library.database.erase_log()
        assert find_files(library.settings.data, [ADA.encode()]) == []


def _list_documents(library: Library) -> set[str]:
    with library.database.reading() as connection:
        return documents.list_hashes(connection)


def test_a_guest_who_is_gone_is_deleted_with_what_they_asked(full: Pair) -> None:
    """Anybody who reaches the server can be a guest again, but nobody can open the conversations of earlier guests."""
    library, settings = full.library, full.library.settings.accounts.model_copy(update={"guests": True})
    signed = [begin_guest_session(library.database, settings, NOW) for _ in range(4)]
    gone, away, here, program = (each.person.id for each in signed)
    fill_conversations(library, signed[0].person, "qzkvgil")
    with library.database.writing() as connection:
        invited = people.create(connection, "Invited", "guest", NOW, email="guest@example.org").id
    create_token(library.database, AT_TERMINAL, program, "script", ["read"], NOW)
    for secret in (signed[0].secret, signed[3].secret):
        sign_out(library.database, secret, "", NOW)
    assert delete_lost_guests(library, NOW + 60) == 0  # an answer may still be running
    assert delete_lost_guests(library, NOW + DAY) == 1
    with library.database.reading() as connection:
        assert count_owned_rows(connection, gone) == {}
        left = {each.id for each in people.find(connection)}
    assert left == {full.ada.id, full.bob.id, away, here, program, invited}
    assert find_files(library.settings.data, [b"qzkvgil"]) == []
    later = NOW + (settings.idle_days + 1) * DAY
    remove_ended_sessions(library.database, settings, later)
    assert delete_lost_guests(library, later) == 2
