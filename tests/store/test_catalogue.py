from pathlib import Path

from sqlalchemy import Connection

from pincite.library import Library
from pincite.store import catalogue, document_sources, documents, job_queue
from pincite.store.catalogue import LibraryTotal, VisibleTotal
from pincite.store.database import Database
from pincite.store.document_sources import DocumentOrigin, StoredSource
from tests import pdfs
from tests.turns import keep


def placed(connection: Connection, content: str, *places: tuple[str, str], owner: str = "local") -> str:
    """The id of a document with these bytes, found at these places: library and location."""
    stored, _ = documents.create(connection, owner, content.ljust(64, "0"), f"{content}.txt", 10)
    for library, location in places:
        document_sources.add(connection, StoredSource(owner, library, location, stored.id, 10, 0.0))
    return stored.id


def test_documents_and_their_pages_are_counted_for_their_owner_alone(library: Library, tmp_path: Path) -> None:
    with library.database.reading() as connection:
        assert catalogue.count_total(connection, "local") == VisibleTotal(0, 0, 0, 0)
    files = [pdfs.simple(tmp_path / f"{name}.pdf", pages) for name, pages in (("a", 2), ("b", 3))]
    for file in files:
        keep(library, file)
    with library.database.reading() as connection:
        told = catalogue.count_total(connection, "local")
        assert (told.documents, told.pages, told.bytes) == (2, 5, sum(file.stat().st_size for file in files))
        assert told.passages > 0
        assert catalogue.count_total(connection, "somebody else") == VisibleTotal(0, 0, 0, 0)


def test_libraries_count_a_document_once_and_bytes_that_are_kept_once_are_counted_once(either: Database) -> None:
    with either.writing() as connection:
        placed(connection, "a", ("earth", "/a"), ("earth", "/copy"), ("water", "/a"))
        placed(connection, "b", ("earth", "/b"))
        placed(connection, "a", ("earth", "/a"), owner="eve")
        assert catalogue.list_libraries(connection, "local") == [
            LibraryTotal("earth", "earth", "local", "", "owner", False, 2, 20),
            LibraryTotal("water", "water", "local", "", "owner", False, 1, 10),
        ]
        assert catalogue.list_libraries(connection, "nobody") == []
        assert catalogue.count_original_bytes(connection) == 20
    assert either.size() > 0


def test_documents_of_one_library_can_be_left_out_unless_another_has_them_too(either: Database) -> None:
    with either.writing() as connection:
        placed(connection, "page", ("web", "https://a.example/"))
        both = placed(connection, "both", ("web", "https://b.example/"), ("earth", "/b"))
        own = placed(connection, "own", ("earth", "/c"))
        found, total = catalogue.find(connection, "local", catalogue.Filter(without="web"), 10)
        assert ({each.id for each in found}, total) == ({both, own}, 2)
        assert catalogue.count_only_in(connection, "local", "web") == 1
        assert catalogue.count_only_in(connection, "somebody else", "web") == 0


def test_documents_are_found_by_the_folder_they_were_sent_in(either: Database) -> None:
    with either.writing() as connection:
        sent = {
            folder: placed(
                connection,
                folder or "none",
                ("x", document_sources.make_upload_location("0123456789abcdef0123", folder, "n.txt")),
            )
            for folder in ("", "a", "a/b", "A", "ab")
        }
        placed(connection, "path", ("x", "/upload:0123456789abcdef/a/n.txt"))

        def inside(folder: str) -> set[str]:
            return set(connection.scalars(document_sources.select_in_folder("local", folder)))

        assert inside("a") == {sent["a"], sent["a/b"]}
        assert inside("A") == {sent["A"]}
        assert inside("%") == set()
        found = document_sources.find_origins(connection, "local", sent.values())
        assert {found[id].folder for id in sent.values()} == set(sent)
        assert document_sources.find_origins(connection, "eve", sent.values()) == {}


def test_a_document_tells_its_libraries_in_order_and_the_address_it_came_from(either: Database) -> None:
    with either.writing() as connection:
        page = placed(connection, "a", ("water", "https://example.org/a"), ("earth", "https://example.org/a"))
        # A file of one's own is no web page, though the web has it too.
        file = placed(connection, "b", ("water", "https://example.org/b"), ("earth", "/b"), ("earth", "/c"))
        assert document_sources.find_origins(connection, "local", [page, file]) == {
            page: DocumentOrigin(("earth", "water"), "https://example.org/a", "", 0.0),
            file: DocumentOrigin(("earth", "water"), None, "", None),
        }


def test_it_is_told_which_documents_are_worked_on(either: Database) -> None:
    with either.writing() as connection:
        one, two = (placed(connection, name, ("x", f"/{name}")) for name in ("one", "two"))
        placed(connection, "theirs", ("x", "/t"), owner="eve")
        job_queue.enqueue(connection, "local", two, "read", 0.0)
        job_queue.enqueue(connection, "local", two, "embed", 0.0)
        told = catalogue.list_progress(connection, "local")
        assert [(id, each.title, each.status, each.error, each.waits) for id, each in told.items()] == [
            (one, "one.txt", "queued", "", False),
            (two, "two.txt", "queued", "", True),
        ]
        assert catalogue.list_progress(connection, "local", two) == {two: told[two]}
        assert catalogue.list_progress(connection, "eve", two) == {}


def test_the_mark_of_all_documents_is_another_when_one_comes_changes_or_goes(either: Database) -> None:
    with either.writing() as connection:
        marks = [catalogue.compute_mark(connection, "local")]
        one, two = (placed(connection, name, ("x", f"/{name}")) for name in ("one", "two"))
        marks.append(catalogue.compute_mark(connection, "local"))
        documents.set_status(connection, one, "reading")
        marks.append(catalogue.compute_mark(connection, "local"))
        documents.remove(connection, two)
        marks.append(catalogue.compute_mark(connection, "local"))
        assert len(set(marks)) == 4
        placed(connection, "theirs", ("x", "/t"), owner="eve")
        assert catalogue.compute_mark(connection, "local") == marks[-1]
