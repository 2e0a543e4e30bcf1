import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Denied, Misuse, NotFound
from pincite.store import document_sources, documents, library_shares, people
from pincite.store.database import Database
from pincite.store.document_sources import StoredSource
from pincite.store.library_access import resolve_library
from pincite.store.library_shares import Access
from pincite.types import LibraryKey

_TEXTS = st.text(st.characters(exclude_characters="\0", codec="utf-8"))  # as requests are cleaned


@pytest.fixture
def team(either: Database) -> Database:
    """Ada has the libraries `work` and `a/b`, and Bob, who may write in both, has `home`."""
    with either.writing() as connection:
        for name in ("Ada", "Bob", "Eve"):
            people.create(connection, name, "member", 1.0, id=name)
        for owner, library in (("Ada", "work"), ("Ada", "a/b"), ("Bob", "home")):
            stored, _ = documents.create(connection, owner, f"{owner}{library}".ljust(64, "0"), "a.txt", 1)
            document_sources.add(connection, StoredSource(owner, library, "/a", stored.id, 1, 1.0))
        for library in ("work", "a/b"):
            library_shares.put(connection, "Ada", library, "writer", 1.0, person="Bob")
    return either


def _resolve(
    team: Database, person: str, given: str, needed: Access = "reader", may_be_new: bool = False
) -> LibraryKey:
    with team.reading() as connection:
        return resolve_library(connection, person, given, needed, may_be_new=may_be_new)


def test_a_plain_name_is_ones_own_library_and_a_name_with_a_person_theirs(team: Database) -> None:
    assert _resolve(team, "Bob", "home", "owner") == LibraryKey("Bob", "home")
    assert _resolve(team, "Bob", "~Ada/work", "writer") == LibraryKey("Ada", "work")
    assert _resolve(team, "Bob", "~ADA/a/b") == LibraryKey("Ada", "a/b")
    assert _resolve(team, "Ada", "~Ada/work", "owner") == LibraryKey("Ada", "work")


@pytest.mark.parametrize("name", ["work", "~Ada/none", "~Eve/work", "~Nobody/work", "~Ada", "~Ada/", "~/work", "~"])
def test_a_library_that_is_missing_or_not_shared_is_not_found(team: Database, name: str) -> None:
    with pytest.raises(NotFound):
        _resolve(team, "Bob", name)


def test_a_library_that_is_not_shared_looks_like_one_that_does_not_exist(team: Database) -> None:
    told = []
    for name in ("~Ada/work", "~Nobody/work"):
        with pytest.raises(NotFound) as caught:
            _resolve(team, "Eve", name)
        told.append((caught.value.message.replace(name, ""), caught.value.hint, caught.value.reason))
    assert told[0] == told[1]


def test_one_who_may_only_write_is_told_so_when_more_is_needed(team: Database) -> None:
    with pytest.raises(Denied):
        _resolve(team, "Bob", "~Ada/work", "owner")


def test_a_new_library_is_ones_own_and_its_name_never_begins_as_that_of_another_person(team: Database) -> None:
    assert _resolve(team, "Bob", "new", "writer", may_be_new=True) == LibraryKey("Bob", "new")
    with pytest.raises(Misuse):
        _resolve(team, "Bob", "~new", "writer", may_be_new=True)
    with pytest.raises(NotFound):
        _resolve(team, "Bob", "~Eve/new", "writer", may_be_new=True)
    with pytest.raises(NotFound):
        _resolve(team, "Bob", "~Bob/new", "writer", may_be_new=True)


def test_the_hint_names_the_libraries_that_the_person_may_see(team: Database) -> None:
    with pytest.raises(NotFound) as caught:
        _resolve(team, "Bob", "nothing")
    assert caught.value.hint == "There are home, ~Ada/a/b, ~Ada/work."


@pytest.mark.hypothesis
def test_no_name_leads_a_stranger_to_a_library_of_somebody_else(team: Database) -> None:
    @given(name=_TEXTS | st.builds("~{}/{}".format, st.sampled_from(("Ada", "Bob", "ada ")), _TEXTS))
    def check(name: str) -> None:
        try:
            found = _resolve(team, "Eve", name, "writer", may_be_new=True)
        except Misuse:
            return
        assert found == LibraryKey("Eve", name)

    check()
