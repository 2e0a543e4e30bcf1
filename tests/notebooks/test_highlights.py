from pathlib import Path

from sqlalchemy import update

from pincite.library import Library
from pincite.notebooks.highlights import add_highlight, list_highlights
from pincite.store import annotations, document_text
from pincite.store.notebook_schema import annotations as table
from pincite.types import Span
from tests.databases import both_engines
from tests.work import finish

database_address = both_engines  # every test runs on both engines

TEXT = "# Lakes\n\nLoch Ness is 230 metres deep.\n\nThe lake of Geneva is 310 metres deep.\n"


def _add(library: Library, folder: Path, text: str) -> str:
    """Write a file of one name, and return the id of the document that it now is."""
    path = folder / "lakes.md"
    path.write_text(text, encoding="utf-8")
    added = library.add(library.settings.owner, path).document
    finish(library)
    return added


def _highlight(library: Library, document: str, words: str) -> None:
    with library.database.reading() as connection:
        start = document_text.read_text(connection, document, 0, 10_000).index(words)
    span = Span(document, start, start + len(words))
    add_highlight(library, library.settings.owner, span, "yellow", "A comment.")


def test_a_highlight_stays_at_its_words_when_its_file_is_replaced(library: Library, tmp_path: Path) -> None:
    former = _add(library, tmp_path, TEXT)
    _highlight(library, former, "230 metres")
    _highlight(library, former, "lake of Geneva is 310 metres")
    later = _add(library, tmp_path, f"# Preface\n\nSomething new.\n\n{TEXT.replace('310', '311')}")
    assert former != later
    found = list_highlights(library, library.settings.owner, later)
    with library.database.reading() as connection:
        text = document_text.read_text(connection, later, 0, 10_000)
    kept, lost = sorted(found, key=lambda each: each.state)
    assert (kept.state, text[kept.start : kept.end], kept.comment) == ("found", "230 metres", "A comment.")
    assert (lost.state, lost.quote) == ("lost", "lake of Geneva is 310 metres")
    again = _add(library, tmp_path, TEXT)  # a lost highlight is found when its words are back
    assert {each.state for each in list_highlights(library, library.settings.owner, again)} == {"found"}


def test_a_highlight_stays_when_its_document_is_read_again(library: Library, tmp_path: Path) -> None:
    document = _add(library, tmp_path, TEXT)
    _highlight(library, document, "Loch Ness")
    (before,) = list_highlights(library, library.settings.owner)
    library.reindex(library.settings.owner, None, again=True)
    finish(library)
    with library.database.writing() as connection:  # as if the former reading had had other offsets
        connection.execute(update(table).values(start=before.start + 3, end=before.end + 3))
    (after,) = list_highlights(library, library.settings.owner)
    assert (after.start, after.end, after.state) == (before.start, before.end, "found")
    assert after.generation != before.generation


def test_a_highlight_belongs_to_one_person_who_may_see_the_document(library: Library, tmp_path: Path) -> None:
    document = _add(library, tmp_path, TEXT)
    _highlight(library, document, "Loch Ness")
    assert list_highlights(library, "somebody", document) == []
    with library.database.writing() as connection:
        connection.execute(update(table).values(owner="somebody"))
        assert annotations.find(connection, "somebody") == []  # the document is hidden from them
