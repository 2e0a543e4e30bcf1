"""Export everything of a person as one zip archive: documents, conversations, and all that the server knows of them."""

import json
import os
import zipfile
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.sign_in_sessions import check_self_or_owner
from pincite.conversations.client_results import PictureStore
from pincite.conversations.export.text_export import export_markdown
from pincite.conversations.transcript import read_conversation
from pincite.errors import NotFound, explain_full_disk
from pincite.library import Library
from pincite.own_data.archive_names import ArchiveNames, clean_name
from pincite.store import document_sources, documents, events, groups, messages
from pincite.store.conversations import StoredConversation
from pincite.store.database import Connection
from pincite.store.documents import StoredDocument
from pincite.store.files import FileStore
from pincite.store.messages import StoredMessage
from pincite.store.person_rows import read_person_rows

# The tables that are exported as they are, and the names of their files.
TABLES = {
    "people": "account/profile",
    "sessions": "account/sessions",
    "access_tokens": "account/tokens",
    "one_time_links": "account/invitations",
    "library_shares": "account/shares",
    "audit_log": "account/audit",
    "document_tags": "documents/tags",
    "personas": "personas",
    "notebooks": "notebooks/notebooks",
    "notebook_items": "notebooks/kept",
    "annotations": "notebooks/highlights",
    "workspaces": "workspaces/workspaces",
    "workspace_libraries": "workspaces/libraries",
    "workspace_conversations": "workspaces/conversations",
    "workspace_notebooks": "workspaces/notebooks",
    "choices": "settings",
    "conversation_links": "conversations/links",
    "ratings": "conversations/ratings",
    "usage": "usage/answers",
    "credit_balances": "usage/balances",
    "credit_reservations": "usage/reservations",
    "credit_bookings": "usage/bookings",
    "quota_overrides": "usage/quota",
    "quota_warnings": "usage/warnings",
    "referral_codes": "usage/referral-code",
    "referral_redemptions": "usage/referrals",
}
_README = """This archive contains everything of yours on a Pincite server.

documents/         your files, by library; documents.jsonl describes them
conversations/     each conversation for reading (.md), with its settings and answers (.json), and its events (.jsonl)
pictures/          pictures that were sent in conversations
notebooks/         your notebooks, the things kept in them, and your highlights and comments on documents
account/, usage/   your account, sessions, tokens (without their secrets), shares, credits, audit entries
workspaces/        your workspaces, with their libraries, conversations and notebooks
personas.jsonl, settings.jsonl

A .jsonl file has one JSON object on each line. Times are seconds since 1970, in UTC.
"""


def export_person(library: Library, caller: Caller, person: str, file: Path, now: float) -> None:
    """Write everything of a person into a new zip file, which only its maker can read, without any secret.

    The caller is the person or an owner of the server.
    """
    with library.database.writing() as connection:
        check_self_or_owner(connection, caller, person)
        record_action(connection, caller, "account.export", now, person)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with (
            explain_full_disk(),
            os.fdopen(descriptor, "wb") as opened,
            zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            _Export(library, person, archive).write()
    except BaseException:
        file.unlink(missing_ok=True)
        raise


class _Export:
    def __init__(self, library: Library, person: str, archive: zipfile.ZipFile) -> None:
        self._library = library
        self._person = person
        self._archive = archive
        self._names = ArchiveNames()

    def write(self) -> None:
        self._archive.writestr("README.txt", _README)
        with self._library.database.reading() as connection:
            for table, name in TABLES.items():
                rows = read_person_rows(connection, table, self._person)
                self._write_lines(f"{name}.jsonl", (self._hide_others(table, row) for row in rows))
            joined = ({"id": group.id, "name": group.name} for group in groups.find_by_member(connection, self._person))
            self._write_lines("account/groups.jsonl", joined)
            self._write_documents(connection)
            for row in read_person_rows(connection, "conversations", self._person):
                self._write_conversation(connection, StoredConversation(**row))

    def _hide_others(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without what it says about somebody else: where an owner was, and whom the person invited."""
        if table == "audit_log" and row["actor"] not in (self._person, ""):
            return row | {"address": ""}
        if table == "one_time_links" and row["person"] != self._person:
            return row | {"email": ""}
        return row

    def _write_documents(self, connection: Connection) -> None:
        places: dict[str, list[dict[str, Any]]] = {}
        for source in document_sources.find(connection, self._person):
            given = {"library": source.library, "location": source.location, "modified": source.modified}
            places.setdefault(source.document, []).append(given)
        files: dict[str, str | None] = {}
        for id, sha256 in documents.list_owned(connection, self._person):
            folder = clean_name(places[id][0]["library"] if id in places else "other")
            name = self._names.choose(f"documents/{folder}", documents.get(connection, id).name)
            files[id] = name if self._copy_file(self._library.files, sha256, name) else None
        described = (
            _describe_document(documents.get(connection, id)) | {"file": name, "sources": places.get(id, [])}
            for id, name in files.items()
        )
        self._write_lines("documents.jsonl", described)

    def _write_conversation(self, connection: Connection, about: StoredConversation) -> None:
        said = messages.find_all(connection, about.id)
        name = self._names.choose("conversations", f"{about.title or 'conversation'}.json").removesuffix(".json")
        whole = {
            "id": about.id,
            "title": about.title,
            "created": about.created,
            "updated": about.updated,
            "messages": [_describe_message(message) for message in said],
        }
        self._archive.writestr(f"{name}.json", json.dumps(whole, ensure_ascii=False, indent=1))
        self._archive.writestr(f"{name}.md", self._render(about, said))
        self._write_lines(f"{name}.events.jsonl", _read_events(connection, about.id))
        pictures = PictureStore(self._library.settings).open(about.id)
        for sha256 in sorted(pictures.list_hashes()):
            self._copy_file(pictures, sha256, f"pictures/{about.id}/{sha256}")

    def _render(self, about: StoredConversation, said: list[StoredMessage]) -> str:
        try:
            return export_markdown(read_conversation(self._library.database, self._person, about.id))
        except ValidationError:  # of an answer that another version stored
            return "\n\n".join((f"# {about.title}", *(f"**{each.role}**\n\n{each.content}" for each in said)))

    def _write_lines(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        with self._archive.open(name, "w", force_zip64=True) as target:
            for row in rows:
                target.write(json.dumps(row, ensure_ascii=False).encode(errors="replace") + b"\n")

    def _copy_file(self, files: FileStore, sha256: str, name: str) -> bool:
        """Copy a stored file into the archive as it is; return False if it is missing."""
        pieces = files.read(sha256)
        try:
            first = next(pieces, b"")
        except NotFound:
            return False
        self._write_pieces(name, chain([first], pieces))
        return True

    def _write_pieces(self, name: str, pieces: Iterable[bytes]) -> None:
        info = zipfile.ZipInfo(name)
        info.external_attr = 0o600 << 16
        with self._archive.open(info, "w", force_zip64=True) as target:
            for piece in pieces:
                target.write(piece)


def _describe_document(stored: StoredDocument) -> dict[str, Any]:
    return {
        "id": stored.id,
        "name": stored.name,
        "title": stored.title,
        "kind": stored.kind,
        "language": stored.language,
        "status": stored.status,
        "error": stored.error,
        "sha256": stored.sha256,
        "bytes": stored.bytes,
        "pages": stored.pages,
        "metadata": dict(stored.metadata),
        "created": stored.created,
        "updated": stored.updated,
    }


def _read_events(connection: Connection, conversation: str) -> Iterable[dict[str, Any]]:
    after = 0
    while found := events.find(connection, conversation, after, 500):
        for event in found:
            yield event.model_dump(mode="json")
        after = found[-1].seq


def _describe_message(message: StoredMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "role": message.role,
        "content": message.content,
        "state": message.state,
        "asked": dict(message.asked),
        "answer": None if message.answer is None else dict(message.answer),
        "model": message.model,
        "input_tokens": message.input_tokens,
        "output_tokens": message.output_tokens,
        "created": message.created,
        "updated": message.updated,
    }
