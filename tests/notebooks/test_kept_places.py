from dataclasses import replace
from pathlib import Path

from sqlalchemy import select, update

from pincite.library import Library
from pincite.notebooks.kept_items import make_passage_item, read_proof
from pincite.notebooks.kept_places import refresh_places
from pincite.store import document_sources, document_text, documents, notebook_items, notebooks
from pincite.store.schema import texts
from pincite.types import Span
from tests.databases import both_engines
from tests.work import finish

database_address = both_engines  # every test runs on both engines

TEXT = "# Lakes\n\nLoch Ness is 230 metres deep.\n\nThe lake of Geneva is 310 metres deep.\n"


def _keep(library: Library, folder: Path, words: str, url: str = "") -> tuple[str, str]:
    """Keep words of a document in a notebook; return the ids of both."""
    person = library.settings.owner
    (folder / "lakes.md").write_text(TEXT, encoding="utf-8")
    document = _add(library, folder / "lakes.md", url)
    with library.database.writing() as connection:
        start = document_text.read_text(connection, document, 0, 10_000).index(words)
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
        assert document_text.read_text(connection, document, pin.start, pin.end) == "230 metres"
    assert proof.lost == ()


def test_words_that_are_gone_are_said_to_be_lost_until_they_are_back(library: Library, tmp_path: Path) -> None:
    document, notebook = _keep(library, tmp_path, "230 metres")
    _read_again(library, document, "230 metres", "seven fathoms")
    assert _list_lost(library, notebook) == (1,)
    library.reindex(library.settings.owner, None, again=True)
    finish(library)
    assert _list_lost(library, notebook) == ()


def test_a_kept_passage_follows_a_file_that_was_removed_and_added_again(library: Library, tmp_path: Path) -> None:
    former, notebook = _keep(library, tmp_path, "230 metres")
    document = _add_again(library, tmp_path, former, TEXT)
    assert document != former
    assert _list_lost(library, notebook) == ()
    assert _read_pin(library, notebook) == (document, "230 metres")


def test_a_kept_passage_follows_another_version_of_its_file_at_the_same_place(library: Library, tmp_path: Path) -> None:
    former, notebook = _keep(library, tmp_path, "230 metres")
    document = _add_again(library, tmp_path, former, f"Deep waters.\n\n{TEXT}")
    assert _list_lost(library, notebook) == ()
    assert _read_pin(library, notebook) == (document, "230 metres")
    other = _add_again(library, tmp_path, document, "# Lakes\n\nNothing is known of them.\n")
    assert _list_lost(library, notebook) == (1,)
    assert _read_pin(library, notebook)[0] == other


def test_a_kept_passage_follows_a_web_page_that_was_read_again(library: Library, tmp_path: Path) -> None:
    former, notebook = _keep(library, tmp_path, "230 metres", url="https://lakes.example/ness")
    document = _add_again(library, tmp_path, former, f"News.\n\n{TEXT}", url="https://lakes.example/ness")
    assert _list_lost(library, notebook) == ()
    assert _read_pin(library, notebook) == (document, "230 metres")


def test_another_file_is_no_successor(library: Library, tmp_path: Path) -> None:
    former, notebook = _keep(library, tmp_path, "230 metres")
    with library.database.writing() as connection:
        document_sources.remove_writable(connection, library.settings.owner, former)
    (tmp_path / "other.md").write_text(f"Another file.\n\n{TEXT}", encoding="utf-8")
    library.add(library.settings.owner, tmp_path / "other.md")
    finish(library)
    refresh_places(library, library.settings.owner, notebook)
    with library.database.reading() as connection:
        (item,) = notebook_items.find(connection, library.settings.owner, notebook)
    assert read_proof(item).citations[0].document == former


def _add_again(library: Library, folder: Path, former: str, text: str, url: str = "") -> str:
    """Remove a document, and add its file with this text; return the new id."""
    with library.database.writing() as connection:
        document_sources.remove_writable(connection, library.settings.owner, former)
    (folder / "lakes.md").write_text(text, encoding="utf-8")
    return _add(library, folder / "lakes.md", url)


def _add(library: Library, path: Path, url: str = "") -> str:
    person = library.settings.owner
    document = library.add(person, path).document
    if url:  # as if it had come from the web
        with library.database.writing() as connection:
            (source,) = document_sources.find(connection, person, document=document)
            document_sources.add(connection, replace(source, library="web", location=f"{url}#pincite={document}"))
            document_sources.remove(connection, person, source.library, source.location)
    finish(library)
    return document


def _read_pin(library: Library, notebook: str) -> tuple[str, str]:
    """Return the document of the only pin, and the words at its place."""
    with library.database.reading() as connection:
        (item,) = notebook_items.find(connection, library.settings.owner, notebook)
        (pin,) = read_proof(item).citations
        return pin.document, document_text.read_text(connection, pin.document, pin.start, pin.end)


def _list_lost(library: Library, notebook: str) -> tuple[int, ...]:
    refresh_places(library, library.settings.owner, notebook)
    with library.database.reading() as connection:
        (item,) = notebook_items.find(connection, library.settings.owner, notebook)
    proof = read_proof(item)
    assert (item.text, proof.citations[0].quote) == ("230 metres", "230 metres")
    return proof.lost
