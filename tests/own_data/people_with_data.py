"""People who have something in every table and folder. A word of their own is in all of it."""

import hashlib
from pathlib import Path
from typing import Any

from fpdf import FPDF
from sqlalchemy import insert, select

from pincite.conversations.client_results import PictureStore, ReportedResult
from pincite.events import Event
from pincite.library import Library
from pincite.store import (
    access_tokens,
    annotations,
    audit_log,
    conversation_links,
    conversations,
    credits,
    document_tags,
    documents,
    events,
    generations,
    groups,
    library_shares,
    messages,
    notebook_items,
    notebooks,
    one_time_links,
    people,
    personas,
    quota_overrides,
    quota_warnings,
    ratings,
    referral_codes,
    sessions,
    sign_in_attempts,
    usage,
    user_settings,
    workspaces,
)
from pincite.store.annotations import AnnotationPlace
from pincite.store.audit_log import AuditEntry
from pincite.store.credits import Booking
from pincite.store.messages import MessageOutcome, StoredMessage
from pincite.store.notebook_items import NewItem
from pincite.store.people import Role, StoredPerson
from pincite.store.referral_codes import Redemption
from pincite.store.schema import metadata
from pincite.store.sign_in_attempts import FailedAttempts
from pincite.types import LibraryKey
from tests.work import Fake, finish

NOW = 1_000_000.0
MONTH = "2031-05"
COMMON = "These words are in a document of both people.\n"
PICTURE = "data:image/png;base64," + (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

Rows = dict[str, set[tuple[Any, ...]]]


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def add_person(library: Library, word: str, role: Role = "member") -> StoredPerson:
    with library.database.writing() as connection:
        return people.create(
            connection,
            f"{word} name",
            role,
            NOW,
            email=f"{word}@example.org",
            password=f"$argon2id${word}",
            issuer="https://issuer.example.org",
            subject=word,
        )


def fill_account(library: Library, person: StoredPerson, word: str, other: StoredPerson) -> None:
    """Everything that belongs to an account; `other` is an owner who gave them a part of it."""
    id = person.id
    with library.database.writing() as connection:
        sessions.create(connection, id, hash_of(f"session {word}"), NOW, "192.0.2.1", f"{word} browser")
        access_tokens.create(connection, id, hash_of(f"token {word}"), f"{word} token", "pin_ab", ("read",), NOW, None)
        one_time_links.create(connection, "reset", hash_of(f"reset {word}"), other.id, NOW, NOW * 9, person=id)
        address = f"{word}@example.org"
        one_time_links.create(connection, "invitation", hash_of(f"in {word}"), other.id, NOW, NOW * 9, email=address)
        address = f"friend-of-{word}@example.org"
        one_time_links.create(connection, "invitation", hash_of(f"by {word}"), id, NOW, NOW * 9, email=address)
        name = hashlib.sha256(f"{word} name".encode()).hexdigest()
        sign_in_attempts.lock(connection, f"name:{name}")
        sign_in_attempts.put(connection, f"name:{name}", FailedAttempts(1, NOW))
        group = groups.create(connection, f"group {id[:6]}", NOW)
        groups.add_member(connection, group.id, id)
        library_shares.put(connection, id, f"{word} library", "reader", NOW, person=other.id)
        library_shares.put(connection, other.id, "theirs", "writer", NOW, person=id)
        audit_log.append(connection, AuditEntry(NOW, id, "sign_in", id, "session", "192.0.2.1"))
        personas.create(connection, id, f"{word} persona", f"Answer like {word}.")
        notebook = notebooks.create(connection, id, f"{word} notebook")
        notebook_items.add(connection, id, notebook.id, NewItem("text", f"{word} kept", f"{word} comment"))
        place = workspaces.create(connection, id, f"{word} workspace", f"Answer about {word}.")
        workspaces.set_libraries(connection, place, [LibraryKey(id, f"{word} library"), LibraryKey(other.id, "theirs")])
        workspaces.add_notebook(connection, id, place.id, notebook.id)
        user_settings.set_choice(connection, id, "web.search_url", f"https://{word}.example.org")
        quota_overrides.set_override(connection, id, 5)
        quota_warnings.add_new(connection, id, MONTH, [25], NOW)
        referral_codes.add_code(connection, id, f"code-{word}", NOW)
        referral_codes.add_redemption(connection, Redemption(id, "somebody", 1, 1, NOW))
        held = credits.add_reservation(connection, id, "member", MONTH, 10, "holder", NOW, NOW)
        credits.settle_reservation(connection, held.id, [Booking("model", 7)], NOW)


def fill_conversations(library: Library, person: StoredPerson, word: str, number: int = 3) -> list[str]:
    """Conversations with messages, events, ratings, a link, pictures and usage; one more was removed before."""
    made = []
    for n in range(number + 1):
        with library.database.writing() as connection:
            conversation = conversations.create(connection, person.id, f"{word} title {n}").id
            question, answer = f"q{n}-{person.id}", f"a{n}-{person.id}"
            messages.add(
                connection,
                [
                    StoredMessage(question, conversation, person.id, 0, "user", f"Why {word}?", "done", NOW, NOW),
                    StoredMessage(answer, conversation, person.id, 1, "assistant", "", "running", NOW, NOW),
                ],
            )
            text = f"Because {word} says so. " * 50
            sent = [
                Event(seq=seq, type="text", messageId=answer, data={"delta": f"{word} {seq} {text}"})
                for seq in range(1, 40)
            ]
            events.add(connection, conversation, sent)
            messages.close(connection, answer, MessageOutcome("done", text, {"answer": text}, "model", 7, 5, 1))
            ratings.set_rating(connection, person.id, answer, 1, f"{word} comment")
            conversation_links.create(connection, person.id, conversation, hash_of(conversation), NOW, None)
            usage.add(connection, person.id, f"{word} model", 7, 5, 1, answer)
            for place in workspaces.find(connection, person.id):
                workspaces.add_conversation(connection, person.id, place.id, conversation)
        PictureStore(library.settings).take(conversation, ReportedResult("call", "applied", "", screenshot=PICTURE))
        made.append(conversation)
    with library.database.writing() as connection:
        conversations.remove(connection, person.id, made.pop())
    return made


def fill_documents(library: Library, person: StoredPerson, word: str, folder: Path) -> list[str]:
    """Documents that were read and embedded, one that waits, one that both people have, and an unfinished reading."""
    folder.mkdir(parents=True, exist_ok=True)
    added = []
    for n in range(4):
        text = "\n\n".join(f"# Part {i} of {word}\n\nThe {word} number {i} is in document {n}." for i in range(60))
        (folder / f"{word}-{n}.md").write_text(text, encoding="utf-8")
        added.append(library.add(person.id, folder / f"{word}-{n}.md", library=f"{word} library").document)
    made = FPDF()
    made.add_page()
    made.set_font("helvetica", size=12)
    made.cell(text=f"A page about {word}.")
    made.output(str(folder / f"{word}.pdf"))
    added.append(library.add(person.id, folder / f"{word}.pdf").document)
    (folder / "common.txt").write_text(COMMON, encoding="utf-8")
    added.append(library.add(person.id, folder / "common.txt").document)
    finish(library, Fake())
    with library.database.writing() as connection:
        place = AnnotationPlace(0, 4, None, "", documents.get(connection, added[0]).generation)
        document_tags.change(connection, person.id, added[0], [f"{word} tag"], ())
        annotations.add(connection, person.id, added[0], place, "Part", "yellow", f"{word} doubts it")
    gone = library.add(person.id, _write(folder / "gone.txt", f"This {word} was removed before."))
    finish(library, Fake())
    library.remove(person.id, gone.document)
    library.add(person.id, _write(folder / "waiting.txt", f"Nobody has read {word} yet."))
    with library.database.writing() as connection:
        hidden = generations.begin(connection, added[0], "")
        generations.add_texts(connection, hidden, [(0, f"A reading of {word} that stopped.")])
    return added


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def read_rows(library: Library) -> Rows:
    """All rows of all tables, those of the index too."""
    with library.database.reading() as connection:
        tables = {
            table.name: {tuple(map(_freeze, row)) for row in connection.execute(select(table))}
            for table in metadata.sorted_tables
        }
        queries = {"words": "SELECT rowid, * FROM words", "vectors": "SELECT rowid, * FROM vectors"}
        if not library.database.sqlite:  # there the passages of a word are together in one row
            queries["words"] = "SELECT DISTINCT term FROM word_postings"
            queries["vectors"] = "SELECT passage, model, generation, CAST(vector AS text) FROM passage_vectors"
        for name, query in queries.items():
            rows = connection.exec_driver_sql(query)
            tables[name] = {tuple(map(_freeze, row)) for row in rows}
    return tables


def _freeze(value: Any) -> Any:
    return repr(value) if isinstance(value, (dict, list)) else value


def find_files(folder: Path, words: list[bytes]) -> list[str]:
    """The files whose bytes or names contain one of the words in any case."""
    found = []
    for path in sorted(folder.rglob("*")):
        given = str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b"")
        found += [f"{path.relative_to(folder)}: {word[:40]!r}" for word in words if word.lower() in given.lower()]
    return found


def insert_raw(library: Library, table: str, **values: Any) -> None:
    with library.database.writing() as connection:
        connection.execute(insert(metadata.tables[table]).values(values))
