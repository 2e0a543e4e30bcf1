"""Pages of the web are kept as they were when they were read: what was cited stays, whatever becomes of the page."""

from collections.abc import Callable
from pathlib import Path

from pincite.library import WEB, Library
from pincite.library.web_snapshots import archive_page
from pincite.reading.source import Source
from pincite.search.search import PassageSearch
from pincite.store import document_sources, document_text, job_queue
from pincite.store.document_sources import StoredSource
from pincite.store.documents import StoredDocument
from pincite.types import Scope
from tests.files import page
from tests.work import AtOnce, all_of

URL = "https://example.org/lakes"


def kept(library: Library, folder: Path, words: str, url: str = URL, noise: str = "") -> StoredDocument:
    """The document that a page with these words becomes; `noise` is what changes in its bytes alone."""
    path = folder / "page.html"
    path.write_bytes(page(f"<article><h1>Lakes</h1><p>{words}</p></article><!-- {noise} -->"))
    return archive_page(library, "local", AtOnce(), Source(path, "page.html"), url, {"url": url})


def found(library: Library, words: str) -> list[str]:
    search = PassageSearch(library.database, library.index, None, library.settings)
    return [hit.span.document for hit in search.search(words, Scope(), 5)]


def test_a_page_can_be_searched_as_soon_as_it_is_kept_and_says_where_it_is_from(
    library: Library, tmp_path: Path
) -> None:
    stored = kept(library, tmp_path, "The lake of Corvel is forty metres deep.")
    assert found(library, "How deep is the lake?") == [stored.id]
    with library.database.reading() as connection:
        place = document_sources.find_origins(connection, "local", [stored.id])[stored.id]
    assert (place.url, place.libraries) == (URL, (WEB,))


def test_a_page_that_says_the_same_is_not_kept_again(library: Library, tmp_path: Path) -> None:
    first = kept(library, tmp_path, "Forty metres.", noise="served at noon")
    assert kept(library, tmp_path, "Forty metres.", noise="served at one") == first
    assert len(all_of(library)) == 1


def test_a_page_that_has_changed_is_kept_beside_what_it_was(library: Library, tmp_path: Path) -> None:
    before = kept(library, tmp_path, "The lake is forty metres deep.")
    after = kept(library, tmp_path, "The lake is fifty metres deep.")
    assert after.id != before.id
    with library.database.reading() as connection:
        assert "forty" in document_text.load_document(connection, before.id).text
        assert "fifty" in document_text.load_document(connection, after.id).text


def test_a_page_that_returns_to_an_old_state_is_the_same_document(library: Library, tmp_path: Path) -> None:
    before = kept(library, tmp_path, "Forty metres.")
    kept(library, tmp_path, "Fifty metres.")
    assert kept(library, tmp_path, "Forty metres.").id == before.id


def test_the_same_page_under_two_addresses_is_one_document_with_two_places(library: Library, tmp_path: Path) -> None:
    one = kept(library, tmp_path, "Forty metres.")
    other = kept(library, tmp_path, "Forty metres.", "https://example.com/other")
    assert one.id == other.id
    with library.database.reading() as connection:
        assert len(document_sources.find(connection, "local", document=one.id)) == 2


def test_an_address_that_begins_like_another_is_another(library: Library, tmp_path: Path) -> None:
    one = kept(library, tmp_path, "Forty metres.")
    other = kept(library, tmp_path, "Forty metres, all in all.", URL + "/corvel")
    assert one.id != other.id


def test_its_vectors_are_made_in_the_background_where_there_are_any(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    def pending(library: Library) -> tuple[str, int]:
        stored = kept(library, tmp_path, "Forty metres.")
        with library.database.reading() as connection:
            return stored.status, job_queue.count_pending(connection, documents=[stored.id]).total

    assert pending(opened()) == ("searchable", 1)
    assert pending(opened(tmp_path / "other", embedding={"provider": "none"})) == ("ready", 0)


def test_pages_from_the_web_can_be_left_out_of_a_search_unless_they_are_in_a_library_of_ones_own(
    library: Library, tmp_path: Path
) -> None:
    stored = kept(library, tmp_path, "The lake is forty metres deep.")
    without = Scope(without=WEB)
    search = PassageSearch(library.database, library.index, None, library.settings)
    assert search.search("How deep is the lake?", without, 5) == []
    with library.database.writing() as connection:
        document_sources.add(connection, StoredSource("local", "mine", "/lakes.html", stored.id, 1, 1.0))
    assert [hit.span.document for hit in search.search("How deep is the lake?", without, 5)] == [stored.id]
