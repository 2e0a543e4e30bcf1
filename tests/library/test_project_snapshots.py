"""A version of a project's file is stored once, with its exact text, and only its id leads to it."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.library import Library
from pincite.library.project_snapshots import FileVersion, store_version
from pincite.store import document_text, documents

VERSION = FileVersion("local", "0123456789ab", "src/a.py", "x = 1\n", 6)


def test_the_same_version_is_one_document_and_any_other_is_another(library: Library) -> None:
    first = store_version(library, VERSION)
    assert store_version(library, VERSION) == first
    others = [
        replace(VERSION, text="x = 2\n"),
        replace(VERSION, path="src/b.py"),
        replace(VERSION, project="ba9876543210"),
        replace(VERSION, owner="ada"),
    ]
    assert len({first, *(store_version(library, each) for each in others)}) == 5


def test_a_version_has_its_path_and_no_passages(library: Library) -> None:
    id = store_version(library, VERSION)
    with library.database.reading() as connection:
        stored = documents.get(connection, id)
        assert documents.find(connection, "local") == []
    assert (stored.kind, stored.status, stored.passages, stored.title) == ("code", "ready", 0, "src/a.py")
    assert stored.metadata == {"project": "0123456789ab", "path": "src/a.py"}
    assert library.reindex("local", None, again=True) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_the_text_is_stored_to_the_character(library: Library, text: str) -> None:
    id = store_version(library, replace(VERSION, text=text))
    with library.database.reading() as connection:
        assert document_text.load_document(connection, id).text == text
