import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select, update

from pincite import jobs
from pincite.errors import NotFound, NotReady, StorageError, TooLarge, Unreadable
from pincite.isolation import document_parts
from pincite.library import Library, passage_locator
from pincite.library.passage_locator import ConcordanceCache, locate_passage, prepare_file
from pincite.locate import concordance as prepared
from pincite.locate.concordance import build_concordance
from pincite.settings import load_settings
from pincite.store import document_text
from pincite.store.schema import concordances
from pincite.store.schema import documents as rows_of_documents
from pincite.types import Document
from tests import pdfs
from tests.clock import PATIENCE
from tests.work import AtOnce, finish, the

MANY = 100


@pytest.fixture(scope="session")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pdfs.simple(tmp_path_factory.mktemp("long") / "long.pdf", MANY)


def passage(page: int) -> str:
    return f"Part 2 of page {page}. The committee reviewed the annual budget and found that travel costs had fallen"


def add(library: Library, path: Path) -> str:
    document = library.add("local", path).document
    finish(library)
    return document


def rows(library: Library) -> list[tuple[str, int]]:
    with library.database.reading() as connection:
        joined = concordances.join(rows_of_documents, rows_of_documents.c.generation == concordances.c.generation)
        found = connection.execute(select(rows_of_documents.c.id, concordances.c.version).select_from(joined))
        return [(row.id, row.version) for row in found]


@contextmanager
def queries(library: Library) -> Iterator[list[str]]:
    """The statements sent to the database within the block."""
    seen: list[str] = []

    def note(_a: Any, _b: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(library.database.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(library.database.engine, "before_cursor_execute", note)


def count(statements: list[str], part: str) -> int:
    return sum(part in statement for statement in statements)


def test_a_passage_is_found_with_its_page_and_the_boxes_of_its_lines(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf", 3))
    found = library.locate("local", document, passage(2))
    ((start, end),) = found.location.spans
    assert found.document.text[start:end].replace("\n", " ") == passage(2)
    (placed,) = found.boxes
    assert (placed.page, round(placed.width)) == (2, 595)
    assert all(60 <= x0 < x1 <= 535 for x0, _, x1, _ in placed.rects)


def test_a_quote_that_is_not_there_is_not_found(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    found = library.locate(
        "local", document, "Whales sing for hours in the warm bays of the southern islands each winter."
    )
    assert not found.location.found
    assert found.boxes == ()


def test_in_a_long_document_only_the_boxes_of_the_page_found_are_loaded(library: Library, long_pdf: Path) -> None:
    document = add(library, long_pdf)
    with queries(library) as first:
        found = library.locate("local", document, passage(82))
    assert [placed.page for placed in found.boxes] == [82]
    assert count(first, "pages.boxes") == 1
    assert count(first, "FROM texts") == 1
    assert [page.number for page in found.document.pages if page.boxes] == [82]
    with queries(library) as second:
        assert library.locate("local", document, passage(17)).boxes[0].page == 17
        assert not library.locate(
            "local", document, "Nothing of the kind is written on any of these pages."
        ).location.found
    assert count(second, "pages.boxes") == 1
    assert count(second, "FROM texts") == count(second, "FROM concordances") == 0


def test_threads_that_ask_at_once_share_one_loading_and_get_their_own_answers(library: Library, long_pdf: Path) -> None:
    document = add(library, long_pdf)
    asked = [page for page in range(5, 45, 5) for _ in range(2)]
    start = threading.Barrier(len(asked))

    def ask(page: int) -> int:
        start.wait(PATIENCE)
        return library.locate("local", document, passage(page)).boxes[0].page

    with queries(library) as seen, ThreadPoolExecutor(len(asked)) as pool:
        assert list(pool.map(ask, asked)) == asked
    assert count(seen, "FROM texts") == 1


def test_a_document_that_is_read_again_is_located_in_as_it_is_now(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The rents of the northern district are frozen until spring.")
    document = add(library, path)
    assert library.locate("local", document, "rents of the northern district are frozen").location.found
    with library.files.local(the(library, document).sha256) as stored:
        stored.write_text("A longer text. Nobody knows how old the lighthouse on the western cape is.")
    library.reindex("local", None, again=True)
    finish(library)
    assert not library.locate("local", document, "rents of the northern district are frozen").location.found
    assert library.locate("local", document, "how old the lighthouse on the western cape is").location.spans == (
        (28, 73),
    )


def test_a_removed_document_is_not_located_in(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    assert library.locate("local", document, passage(1)).location.found
    library.remove("local", document)
    with pytest.raises(NotFound, match="There is no document"):
        library.locate("local", document, passage(1))


def test_reading_leaves_a_concordance_beside_the_text(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    assert rows(library) == [(document, prepared.VERSION)]


@pytest.mark.parametrize("left", [None, b"\xff" + bytes(40)], ids=["none", "another version's"])
def test_a_document_without_a_concordance_of_this_version_gets_one_when_first_asked_about(
    library: Library, tmp_path: Path, left: bytes | None
) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf", 2))
    with library.database.writing() as connection:
        changed = concordances.delete() if left is None else update(concordances).values(data=left, version=255)
        connection.execute(changed)
    assert library.locate("local", document, passage(2)).boxes[0].page == 2
    assert rows(library) == [(document, 0)]
    fresh = ConcordanceCache(library.database)
    with queries(library) as seen:
        assert fresh.locate("local", document, passage(2)).boxes[0].page == 2
    assert count(seen, "pages.boxes") == 1
    # The stored text knows less than the file: reindexing reads the file again, once.
    assert library.reindex("local", None) == [document]
    finish(library)
    assert rows(library) == [(document, prepared.VERSION)]
    assert library.reindex("local", None) == []


def test_a_concordance_made_late_does_not_displace_that_of_a_new_reading(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    with library.database.writing() as connection:
        connection.execute(concordances.delete())

    def slow(read: Any) -> Any:
        monkeypatch.setattr(passage_locator, "build_concordance", build_concordance)
        library.reindex("local", None, again=True)
        finish(library)
        return build_concordance(read)

    monkeypatch.setattr(passage_locator, "build_concordance", slow)
    assert library.locate("local", document, passage(1)).location.found
    assert rows(library) == [(document, prepared.VERSION)]


def test_a_loading_that_fails_is_told_and_tried_again_the_next_time(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))

    def broken(*_: Any, **__: Any) -> Any:
        raise StorageError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(document_text, "load_document", broken)
        with pytest.raises(StorageError):
            library.locate("local", document, passage(1))
    assert library.locate("local", document, passage(1)).location.found


def test_only_a_few_documents_are_kept_ready(library: Library, tmp_path: Path) -> None:
    texts = {name: f"The story of {name} is told in this short file of its own." for name in ("ada", "bea", "cleo")}
    ids = {}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
        ids[name] = add(library, tmp_path / f"{name}.txt")
    shelf = ConcordanceCache(library.database, characters=120)

    def loaded(name: str) -> int:
        with queries(library) as seen:
            assert shelf.locate("local", ids[name], texts[name]).location.found
        return count(seen, "FROM texts")

    assert [loaded(name) for name in ("ada", "bea", "ada", "cleo", "ada", "bea")] == [1, 1, 0, 1, 0, 1]


def test_a_document_yet_to_be_read_and_one_that_cannot_be_are_told_apart(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    document = library.add("local", tmp_path / "a.txt").document
    with pytest.raises(NotReady, match="not been read yet"):
        library.locate("local", document, "anything")
    finish(library)
    with pytest.raises(Unreadable, match="empty"):
        library.locate("local", document, "anything")


def test_nobody_locates_in_the_documents_of_others(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    with pytest.raises(NotFound, match="There is no document"):
        library.locate("someone", document, passage(1))
    with pytest.raises(NotFound, match="There is no document"):
        library.prepared("someone", document)


def test_a_file_in_no_library_is_read_and_located_in(tmp_path: Path) -> None:
    ready = prepare_file(pdfs.simple(tmp_path / "a.pdf", 2), load_settings().reading)
    assert [placed.page for placed in locate_passage(ready, passage(2)).boxes] == [2]
    (tmp_path / "unnamed").write_text("# Tides\n\nThe tide answers the moon with some delay.\n")
    ready = prepare_file(tmp_path / "unnamed", load_settings().reading, "tides.md")
    found = locate_passage(ready, "The tide answers the moon with some delay.")
    assert found.location.found
    assert found.boxes == ()


def test_a_page_longer_than_most_is_found_in_from_the_store_as_from_the_file(library: Library, tmp_path: Path) -> None:
    words = " ".join(f"word{i} of the long page" for i in range(600))

    def draw(pdf: Any) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", size=4)
        pdf.set_xy(20, 20)
        pdf.multi_cell(555, 4, words, align="L")

    document = add(library, pdfs.make(tmp_path / "a.pdf", draw))
    wanted = "word555 of the long page word556 of the long pege word557 of the long page"
    assert len(the_text := library.locate("local", document, wanted).document.text) > 8_000
    ((start, end),) = library.locate("local", document, wanted).location.spans
    assert the_text[start:end].split()[0] == "word555"


def test_a_document_too_long_to_be_located_in_is_added_all_the_same(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_locator, "LONGEST_LOCATED", 20)
    monkeypatch.setattr(document_parts, "LONGEST_LOCATED", 20)
    monkeypatch.setattr(passage_locator, "build_concordance", None)
    monkeypatch.setattr(jobs, "IsolatedProcess", lambda *_, **__: AtOnce())
    path = tmp_path / "a.txt"
    path.write_text("A text of more than twenty characters.")
    document = add(library, path)
    assert the(library, document).status == "ready"
    for attempt in (
        lambda: library.locate("local", document, "twenty"),
        lambda: prepare_file(path, load_settings().reading),
    ):
        with pytest.raises(TooLarge, match="38 characters"):
            attempt()
    assert library.reindex("local", None) == []


def test_a_document_may_be_named_by_what_its_id_begins_with(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    assert library.locate("local", document[:6], passage(1)).location.found
    with pytest.raises(NotFound):
        library.locate("local", "", passage(1))


def test_a_document_made_ready_whole_has_the_boxes_of_every_page(library: Library, tmp_path: Path) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf", 3))
    ready, stored = library.prepared("local", document[:6])
    assert [len(page.boxes) > 0 for page in ready.document.pages] == [True] * 3
    with library.open_source(stored) as source:
        assert (source.name, source.path.read_bytes()) == ("a.pdf", (tmp_path / "a.pdf").read_bytes())
    assert locate_passage(ready, passage(3)).boxes[0].page == 3


def test_a_loading_that_fails_late_leaves_what_another_thread_made_ready_since(
    library: Library, tmp_path: Path
) -> None:
    document = add(library, pdfs.simple(tmp_path / "a.pdf"))
    shelf = ConcordanceCache(library.database)
    stored = the(library, document)
    newer = replace(stored, updated=stored.updated + 1)
    ready = build_concordance(Document("text", "A newer reading."))

    def overtaken() -> Any:
        assert shelf._ready(newer, lambda: ready) is ready
        raise StorageError("The disk is full.")

    with pytest.raises(StorageError):
        shelf._ready(stored, overtaken)
    assert shelf._ready(newer, lambda: pytest.fail("it was dropped")) is ready
