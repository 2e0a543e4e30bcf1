"""Libraries that people share: who adds, changes, finds and removes what."""

from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Denied, Misuse, NotFound
from pincite.library import Library, document_structure
from pincite.library.suggestions import suggest_questions
from pincite.library.word_matches import find_words
from pincite.search import browse
from pincite.search.search import PassageSearch
from pincite.store import catalogue, document_sources, documents, library_shares, people
from pincite.store.library_shares import Access, LibraryShare
from pincite.types import Scope, Span
from tests import pdfs
from tests.databases import both_engines
from tests.work import finish

database_address = both_engines  # every test runs on both engines

WORDS = "The heron nests by the quiet water of the northern lake."


@pytest.fixture
def team(library: Library) -> Library:
    """A library folder of Ada, Bob and Eve, who are members."""
    with library.database.writing() as connection:
        for name in ("ada", "bob", "eve"):
            people.create(connection, name, "member", 1.0, id=name)
    return library


def _share(library: Library, name: str, access: Access, person: str = "bob") -> LibraryShare:
    """Share a library of Ada's."""
    with library.database.writing() as connection:
        return library_shares.put(connection, "ada", name, access, 1.0, person=person)


def _note(path: Path, text: str = WORDS) -> Path:
    path.write_text(f"# Herons\n\n{text}\n", encoding="utf-8")
    return path


def _search(library: Library, scope: Scope) -> list[str]:
    finder = PassageSearch(library.database, library.index, None, library.settings)
    return [hit.span.document for hit in finder.search("heron", scope)]


def _list_titles(library: Library, person: str) -> list[str]:
    with library.database.reading() as connection:
        return [each.name for each in documents.find(connection, person)]


def test_a_document_added_by_a_writer_belongs_to_the_owner_of_the_library(team: Library, tmp_path: Path) -> None:
    team.add("ada", _note(tmp_path / "a.md", "First."), "work")
    _share(team, "work", "writer")
    added = team.add("bob", _note(tmp_path / "b.md"), "~ada/work")
    assert added.outcome == "new"
    with team.database.reading() as connection:
        stored = documents.get_visible(connection, "ada", added.document)
        places = document_sources.find(connection, "ada", "work")
        origins = document_sources.find_origins(connection, "bob", [added.document])
        assert document_sources.list_libraries(connection, "bob") == []
    assert stored.owner == "ada"
    assert added.document in {place.document for place in places}
    assert origins[added.document].libraries == ("~ada/work",)
    assert _list_titles(team, "eve") == []


def test_a_reader_adds_nothing_and_a_stranger_finds_no_such_library(team: Library, tmp_path: Path) -> None:
    team.add("ada", _note(tmp_path / "a.md"), "work")
    _share(team, "work", "reader")
    path = _note(tmp_path / "b.md", "Other words.")
    with pytest.raises(Denied):
        team.add("bob", path, "~ada/work")
    with pytest.raises(NotFound):
        team.add("eve", path, "~ada/work")
    with pytest.raises(Misuse):
        team.add("eve", path, "~mine")
    assert _list_titles(team, "ada") == ["a.md"]


@pytest.mark.parametrize("fails", [False, True])
def test_one_who_adds_bytes_is_not_told_that_the_owner_has_them_elsewhere(
    team: Library, tmp_path: Path, fails: bool
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_bytes(b"%PDF-1.4 broken" if fails else _note(tmp_path / "x.md").read_bytes())
    team.add("ada", secret, "private")
    finish(team)
    team.add("ada", _note(tmp_path / "a.md", "Something else."), "work")
    _share(team, "work", "writer")
    copy = tmp_path / "copy.md"
    copy.write_bytes(secret.read_bytes())
    added = team.add("bob", copy, "~ada/work")
    assert added.outcome == "new"
    with team.database.reading() as connection:
        origin = document_sources.find_origins(connection, "bob", [added.document])[added.document]
    assert origin.libraries == ("~ada/work",)
    assert "private" not in repr(origin)
    assert team.add("bob", copy, "~ada/work").outcome == "known"


def test_a_writer_changes_a_document_and_a_reader_does_not(team: Library, tmp_path: Path) -> None:
    document = team.add("ada", _note(tmp_path / "a.md"), "work").document
    finish(team)
    _share(team, "work", "reader")
    for change in (
        lambda: team.rename("bob", document, "New"),
        lambda: team.cancel("bob", document),
        lambda: team.retry("bob", document),
        lambda: team.remove("bob", document),
    ):
        with pytest.raises(Denied):
            change()
    for change in (
        lambda: team.rename("eve", document, "New"),
        lambda: team.cancel("eve", document),
        lambda: team.retry("eve", document),
        lambda: team.remove("eve", document),
    ):
        with pytest.raises(NotFound):
            change()
    _share(team, "work", "writer")
    assert team.rename("bob", document, "New").title == "New"
    team.remove("bob", document)
    assert _list_titles(team, "ada") == []


def test_a_writer_who_removes_a_document_leaves_it_where_the_owner_has_it_for_himself(
    team: Library, tmp_path: Path
) -> None:
    path = _note(tmp_path / "a.md")
    document = team.add("ada", path, "work").document
    team.add("ada", path, "private")
    finish(team)
    _share(team, "work", "writer")
    team.remove("bob", document)
    assert _list_titles(team, "bob") == []
    assert _search(team, Scope("ada")) == [document]
    with team.database.reading() as connection:
        assert library_shares.find(connection, "ada") == []  # the library is empty now
        stored = documents.get_visible(connection, "ada", document)
    assert team.files.has(stored.sha256)


def test_a_search_covers_what_is_ones_own_and_what_is_shared(team: Library, tmp_path: Path) -> None:
    shared = team.add("ada", _note(tmp_path / "a.md", f"Ada: {WORDS}"), "work").document
    hidden = team.add("ada", _note(tmp_path / "b.md", f"Hidden: {WORDS}"), "private").document
    own = team.add("bob", _note(tmp_path / "c.md", f"Bob: {WORDS}"), "home").document
    finish(team)
    share = _share(team, "work", "reader")
    assert set(_search(team, Scope("bob"))) == {shared, own}
    assert _search(team, Scope("bob", library="work", library_owner="ada")) == [shared]
    assert _search(team, Scope("bob", library="private", library_owner="ada")) == []
    assert _search(team, Scope("bob", library="home")) == [own]
    assert _search(team, Scope("bob", documents=(hidden,))) == []
    assert _search(team, Scope("eve")) == []
    assert set(_search(team, Scope("ada"))) == {shared, hidden}
    with team.database.writing() as connection:
        library_shares.remove(connection, "ada", "work", share.id)
    assert _search(team, Scope("bob")) == [own]
    assert _search(team, Scope("bob", library="work", library_owner="ada")) == []


def test_a_share_that_ends_during_a_search_shows_nothing(
    team: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.add("ada", _note(tmp_path / "a.md"), "work")
    own = team.add("bob", _note(tmp_path / "b.md", "Nothing of the kind."), "home").document
    finish(team)
    share = _share(team, "work", "reader")
    finder = PassageSearch(team.database, team.index, None, team.settings)
    search_words = team.index.lexical

    def search_and_unshare(*given: Any) -> list[tuple[int, float]]:
        found = search_words(*given)
        with team.database.writing() as connection:
            library_shares.remove(connection, "ada", "work", share.id)
        return found

    monkeypatch.setattr(team.index, "lexical", search_and_unshare)
    assert {hit.span.document for hit in finder.search("heron", Scope("bob"))} == {own}


def test_every_way_to_read_a_document_is_closed_to_a_stranger(team: Library, tmp_path: Path) -> None:
    document = team.add("ada", pdfs.simple(tmp_path / "a.pdf", 2), "work").document
    finish(team)
    database, span = team.database, Span(document, 0, 40)
    (passage, *_) = browse.sample_passages(database, "ada", document, 5)
    word = passage.text.split()[0]
    assert team.boxes("ada", span)
    assert team.page_at("ada", span)
    assert find_words(database, "ada", document, word, 5).total
    assert document_structure.load_stretch(database, "ada", document, 0, 100).pieces
    assert browse.list_passages_on_page(database, "ada", document, 1)
    assert team.boxes("eve", span) == ()
    assert team.page_at("eve", span) is None
    with pytest.raises(NotFound):
        find_words(database, "eve", document, word, 5)
    assert document_structure.load_stretch(database, "eve", document, 0, 100).pieces == ()
    assert document_structure.load_outline(database, "eve", document) == []
    assert browse.sample_passages(database, "eve", document, 5) == []
    assert browse.list_passages_on_page(database, "eve", document, 1) == []
    assert browse.list_passages_after(database, "eve", document, 0) == []
    assert browse.list_passages_between(database, "eve", document, 0, 100, 5) == []
    assert browse.list_first_passages(database, "eve", [document]) == []
    assert browse.find_section(database, "eve", document, word) is None
    assert browse.list_documents(database, Scope("eve")) == []
    assert suggest_questions(database, "eve") == []


def test_words_are_corrected_to_those_of_documents_that_one_may_see(team: Library, tmp_path: Path) -> None:
    team.add("ada", _note(tmp_path / "a.md", "The kaleidoscope stands in the attic."), "work")
    team.add("eve", _note(tmp_path / "b.md", "Other words entirely."), "home")
    finish(team)
    finder = PassageSearch(team.database, team.index, None, team.settings)
    assert finder.correct("kaleidoscpe", Scope("ada")).question == "kaleidoscope"
    assert finder.correct("kaleidoscpe", Scope("eve")).question == "kaleidoscpe"
    _share(team, "work", "reader", "eve")
    assert finder.correct("kaleidoscpe", Scope("eve")).question == "kaleidoscope"


def test_the_same_document_of_two_people_is_two_documents(team: Library, tmp_path: Path) -> None:
    path = _note(tmp_path / "a.md")
    first, second = team.add("ada", path, "work"), team.add("bob", path)
    assert (first.outcome, second.outcome) == ("new", "new")
    assert first.document != second.document
    with team.database.reading() as connection:
        assert catalogue.count_total(connection, "bob").documents == 1


def test_documents_of_all_people_are_indexed_again_at_the_terminal(team: Library, tmp_path: Path) -> None:
    ids = {team.add(person, _note(tmp_path / f"{person}.md", person)).document for person in ("ada", "bob")}
    finish(team)
    assert set(team.reindex(None, None, again=True)) == ids
    assert len(team.reindex("ada", None, again=True)) == 1
