from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, select

from pincite.errors import NotFound
from pincite.store import document_sources, document_text, documents, job_queue, stored_passages
from pincite.store.content_slices import SLICE, pack_blocks, replace_unstorable, unpack_blocks
from pincite.store.database import Database
from pincite.store.document_sources import StoredSource
from pincite.store.schema import metadata
from pincite.types import Block, Document, Kind, LibraryKey, Page, Passage, Scope
from tests.thorough import scale_examples

TEXT = "Première page, été.\n" * 4000


def _read(**changed: object) -> Document:
    given: dict[str, object] = {
        "kind": "pdf",
        "text": TEXT,
        "title": "Rapport",
        "language": "fr",
        "pages": (Page(1, 0, 100, 595.0, 842.0, b"boxes 1"), Page(2, 100, len(TEXT), 595.0, 842.0, b"boxes 2")),
        "blocks": (Block("heading", 0, 13, 1), Block("paragraph", 15, 900)),
        "metadata": {"author": "Ada", "created": "2021-03-04T10:00:00"},
        "problems": ("page 3 could not be read",),
    }
    return Document(**{**given, **changed})  # type: ignore[arg-type]


def _add(connection: Connection, sha256: str, owner: str = "local") -> str:
    return documents.create(connection, owner, sha256.ljust(64, "0"), f"{sha256}.pdf", 10)[0].id


def _place(document: str, location: str, library: str = "default") -> StoredSource:
    return StoredSource("local", library, location, document, 10, 1.5)


def test_the_same_bytes_are_one_document_of_an_owner(either: Database) -> None:
    with either.writing() as connection:
        first, new = documents.create(connection, "local", "a" * 64, "one.pdf", 10)
        again, repeated = documents.create(connection, "local", "a" * 64, "two.pdf", 10)
        other, theirs = documents.create(connection, "someone", "a" * 64, "one.pdf", 10)
    assert (new, repeated, theirs) == (True, False, True)
    assert again == first
    assert other.id != first.id
    assert (first.status, first.title) == ("queued", "one.pdf")


def test_a_document_comes_back_as_it_was_read(either: Database) -> None:
    read = _read()
    with either.writing() as connection:
        id = _add(connection, "a")
        documents.write_content(connection, id, read, [Passage(0, 100, ("Chapitre",), 1, 1)])
        assert document_text.load_document(connection, id, boxes=True) == read
        assert [page.boxes for page in document_text.load_document(connection, id).pages] == [b"", b""]
        assert document_text.get_page(connection, id, 2) == read.pages[1]
        stored = documents.get(connection, id)
    assert (stored.pages, stored.passages, stored.date, stored.language) == (2, 1, "2021-03-04", "fr")
    assert stored.problems == ("page 3 could not be read",)


@pytest.mark.parametrize(
    ("start", "end"), [(0, 10), (SLICE - 5, SLICE + 5), (SLICE, 2 * SLICE), (5, len(TEXT)), (7, 7), (0, len(TEXT) + 9)]
)
def test_any_span_of_the_text_can_be_read_alone(database: Database, start: int, end: int) -> None:
    with database.writing() as connection:
        id = _add(connection, "a")
        documents.write_content(connection, id, _read(), [])
        assert document_text.read_text(connection, id, start, end) == TEXT[start:end]


def test_reading_again_replaces_everything_and_old_passages_are_never_meant_again(either: Database) -> None:
    with either.writing() as connection:
        id = _add(connection, "a")
        first = documents.write_content(connection, id, _read(), [Passage(0, 9), Passage(9, 20), Passage(20, 30)])
        second = documents.write_content(connection, id, _read(text="short", pages=(), blocks=()), [Passage(0, 5)])
        assert len(first) == 3
        assert len(second) == 1
        assert not set(first) & set(second)
        assert document_text.load_document(connection, id).text == "short"
        assert stored_passages.get(connection, first) == []


def test_passages_come_back_in_the_order_asked_for(either: Database) -> None:
    pieces = [Passage(i, i + 1, (f"h{i}",), 1, 2) for i in range(5)]
    with either.writing() as connection:
        ids = documents.write_content(connection, _add(connection, "a"), _read(), pieces)
        found = stored_passages.get(connection, [ids[3], 10**9, ids[0]])
    assert [row.passage for row in found] == [pieces[3], pieces[0]]
    assert (found[0].title, found[0].kind) == ("Rapport", "pdf")


def test_a_removed_document_leaves_no_row_behind(either: Database) -> None:
    with either.writing() as connection:
        id = _add(connection, "a")
        documents.write_content(connection, id, _read(), [Passage(0, 10)])
        document_sources.add(connection, _place(id, "/a.pdf"))
        job_queue.enqueue(connection, "local", id, "embed", 0.0)
        assert documents.remove(connection, id)
        assert not documents.remove(connection, id)
        left = {t.name: connection.scalar(select(func.count()).select_from(t)) for t in metadata.sorted_tables}
    assert set(left.values()) == {0}


def test_a_document_goes_with_its_last_place(either: Database) -> None:
    with either.writing() as connection:
        id = _add(connection, "a")
        document_sources.add(connection, _place(id, "/a.pdf"))
        document_sources.add(connection, _place(id, "/copy.pdf", "other"))
        assert document_sources.remove(connection, "local", "default", "/a.pdf") is None
        assert documents.get(connection, id)
        assert document_sources.remove(connection, "local", "other", "/copy.pdf") == id
        with pytest.raises(NotFound):
            documents.get(connection, id)
        assert document_sources.remove(connection, "local", "other", "/copy.pdf") is None


def test_a_changed_file_takes_the_place_of_the_old_one(either: Database) -> None:
    with either.writing() as connection:
        old, new = _add(connection, "a"), _add(connection, "b")
        assert document_sources.add(connection, _place(old, "/a.pdf")) is None
        assert document_sources.add(connection, _place(old, "/a.pdf")) is None
        assert document_sources.add(connection, _place(new, "/a.pdf")) == old
        assert [source.document for source in document_sources.find(connection, "local")] == [new]
        assert not documents.is_hash_in_use(connection, "a".ljust(64, "0"))
        assert documents.is_hash_in_use(connection, "b".ljust(64, "0"))


def test_documents_are_listed_by_library_and_status(either: Database) -> None:
    with either.writing() as connection:
        a, b = _add(connection, "a"), _add(connection, "b")
        _add(connection, "c", owner="someone")
        document_sources.add(connection, _place(a, "/a.pdf"))
        document_sources.add(connection, _place(b, "/b.pdf", "law"))
        documents.set_status(connection, b, "failed", "It is encrypted.")
        assert [row.id for row in documents.find(connection, "local", order="name")] == [a, b]
        assert [row.id for row in documents.find(connection, "local", library=LibraryKey("local", "law"))] == [b]
        assert [row.error for row in documents.find(connection, "local", statuses=["failed"])] == ["It is encrypted."]


def _dated(connection: Connection, name: str, kind: Kind, language: str, when: Mapping[str, str]) -> str:
    id = _add(connection, name)
    documents.write_content(connection, id, _read(kind=kind, language=language, metadata=when), [Passage(0, 1)])
    return id


def test_a_scope_means_the_documents_it_says(either: Database) -> None:
    with either.writing() as connection:
        a = _dated(connection, "a", "pdf", "fr", {"date": "2020-01-01"})
        b = _dated(connection, "b", "html", "en", {"date": "2021-06-01"})
        c = _dated(connection, "c", "pdf", "en", {})
        document_sources.add(connection, _place(b, "/b", "law"))

        def meant(**filters: object) -> set[str] | None:
            found = documents.list_ids_in_scope(connection, Scope(**filters))  # type: ignore[arg-type]
            return None if found is None else set(found)

        assert meant() is None
        assert meant(owner="someone") == set()
        assert meant(kinds=("pdf",)) == {a, c}
        assert meant(languages=("en",), kinds=("pdf",)) == {c}
        assert meant(library="law") == {b}
        assert meant(documents=(a, "unknown")) == {a}
        assert meant(since="2020-01-01", until="2021-05-31") == {a}
        assert meant(since="2021-06-01") == {b}
        assert documents.list_languages(connection) == ["en", "fr"]


@given(st.lists(st.tuples(st.sampled_from(["heading", "table", "code"]), st.integers(0, 10**7), st.integers(0, 6))))
def test_blocks_survive_packing(rows: list[tuple[str, int, int]]) -> None:
    blocks = tuple(Block(kind, start, start + 7, level) for kind, start, level in rows)  # type: ignore[arg-type]
    assert unpack_blocks(pack_blocks(blocks)) == blocks


@given(st.text(st.characters(codec=None), max_size=300))
def test_whatever_the_text_every_offset_stays_true(text: str) -> None:
    stored = replace_unstorable(text)
    assert len(stored) == len(text)
    assert "\0" not in stored
    stored.encode("utf-8")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=scale_examples(15), deadline=None)
@given(text=st.text(max_size=50))
def test_any_text_can_be_stored(either: Database, text: str) -> None:
    with either.writing() as connection:
        id = _add(connection, "a")
        documents.write_content(connection, id, _read(text=text, pages=(), blocks=()), [])
        assert document_text.load_document(connection, id).text == text.replace("\0", "\ufffd")
