from pathlib import Path

from sqlalchemy import select, update

from pincite.library import Library
from pincite.notebooks.kept_items import make_passage_item, read_proof
from pincite.notebooks.kept_places import refresh_places
from pincite.store import documents, notebook_items, notebooks
from pincite.store.schema import texts
from pincite.types import Span
from tests.databases import both_engines
from tests.work import finish

database_address = both_engines  # every test runs on both engines

TEXT = "# Lakes\n\nLoch Ness is 230 metres deep.\n\nThe lake of Geneva is 310 metres deep.\n"


def _keep(library: Library, folder: Path, words: str) -> tuple[str, str]:
    """Keep words of a document in a notebook; return the ids of both."""
    person = library.settings.owner
    (folder / "lakes.md").write_text(TEXT, encoding="utf-8")
    document = library.add(person, folder / "lakes.md").document
    finish(library)
    with library.database.writing() as connection:
        start = documents.read_text(connection, document, 0, 10_000).index(words)
        notebook = notebooks.create(connection, person, "Lakes").id
    made = make_passage_item(library, person, Span(document, start, start + len(words)))
    with library.database.writing() as connection:
        notebook_items.add(connection, person, notebook, made)
    refresh_places(library, person, notebook)
    return document, notebook


def _read_again(library: Library, document: str, former: str, new: str) -> None:
    """Read a document again, with another text, as a better reader may give it."""
    library.reindex(library.settings.owner, None, again=True)
    finish(library)
    with library.database.writing() as connection:
        generation = documents.get(connection, document).generation
        here = texts.c.generation == generation
        content = connection.scalars(select(texts.c.text).where(here)).one()
        changed = content.replace(former, new)
        assert changed != content
        connection.execute(update(texts).where(here).values(text=changed))


def test_a_kept_passage_stays_at_its_words_when_its_document_is_read_again(library: Library, tmp_path: Path) -> None:
    document, notebook = _keep(library, tmp_path, "230 metres")
    _read_again(library, document, "Loch Ness is", "The famous Loch Ness is")
    refresh_places(library, library.settings.owner, notebook)
    with library.database.reading() as connection:
        (item,) = notebook_items.find(connection, library.settings.owner, notebook)
        proof = read_proof(item)
        (pin,) = proof.citations
        assert documents.read_text(connection, document, pin.start, pin.end) == "230 metres"
    assert proof.lost == ()


def test_words_that_are_gone_are_said_to_be_lost_until_they_are_back(library: Library, tmp_path: Path) -> None:
    document, notebook = _keep(library, tmp_path, "230 metres")
    _read_again(library, document, "230 metres", "seven fathoms")
    assert _list_lost(library, notebook) == (1,)
    library.reindex(library.settings.owner, None, again=True)
    finish(library)
    assert _list_lost(library, notebook) == ()


def _list_lost(library: Library, notebook: str) -> tuple[int, ...]:
    refresh_places(library, library.settings.owner, notebook)
    with library.database.reading() as connection:
        (item,) = notebook_items.find(connection, library.settings.owner, notebook)
    proof = read_proof(item)
    assert (item.text, proof.citations[0].quote) == ("230 metres", "230 metres")
    return proof.lost
