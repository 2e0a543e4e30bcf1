"""Documents are added, renamed and removed; equal bytes are stored once."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import Misuse, NotFound, TooLarge, Unreadable
from pincite.library import Library
from pincite.store import document_sources, document_text
from pincite.types import Scope
from tests.databases import both_engines
from tests.library.notes import found
from tests.work import all_of, finish, kept, note, the

database_address = both_engines  # every test runs on both engines


def test_the_same_bytes_are_stored_once_wherever_they_are_found(library: Library, tmp_path: Path) -> None:
    first = library.add("local", note(tmp_path / "a.txt"))
    assert first.outcome == "new"
    assert library.add("local", tmp_path / "a.txt").outcome == "known"
    again = library.add("local", note(tmp_path / "elsewhere" / "b.txt"))
    other = library.add("local", tmp_path / "a.txt", library="contracts")
    assert (again.document, again.outcome) == (other.document, other.outcome) == (first.document, "known")
    finish(library)
    assert len(all_of(library)) == len(kept(library)) == 1
    assert found(library, "budget", scope=Scope(library="contracts")) == ["The committee agreed on the budget."]


def test_a_file_that_changed_takes_the_place_of_what_it_was(library: Library, tmp_path: Path) -> None:
    old = library.add("local", note(tmp_path / "a.txt", "Rents are frozen."))
    finish(library)
    new = library.add("local", note(tmp_path / "a.txt", "Rents are free again."))
    assert new.outcome == "updated"
    assert new.document != old.document
    finish(library)
    assert [stored.id for stored in all_of(library)] == [new.document]
    assert len(kept(library)) == 1
    assert found(library, "rents frozen free") == ["Rents are free again."]


def test_a_touched_file_with_the_same_bytes_is_known(library: Library, tmp_path: Path) -> None:
    path = note(tmp_path / "a.txt")
    library.add("local", path)
    os.utime(path, (1, 1))
    assert library.add("local", path).outcome == "known"


def test_a_changed_file_leaves_its_old_bytes_where_another_place_has_them(library: Library, tmp_path: Path) -> None:
    old = library.add("local", note(tmp_path / "a.txt", "One."))
    library.add("local", note(tmp_path / "b.txt", "One."))
    assert library.add("local", note(tmp_path / "a.txt", "Two.")).outcome == "new"
    assert {stored.id for stored in all_of(library)} > {old.document}
    assert len(kept(library)) == 2


def test_a_document_goes_with_its_last_place(library: Library, tmp_path: Path) -> None:
    paths = [note(tmp_path / name) for name in ("a.txt", "b.txt")]
    document, _ = (library.add("local", path).document for path in paths)
    assert library.remove_place("local", str(paths[0])) is None
    assert the(library, document).id == document
    gone = library.remove_place("local", str(paths[1]))
    assert gone
    assert gone.id == document
    assert all_of(library) == []
    assert kept(library) == []
    assert library.remove_place("local", str(paths[1])) is None


def test_removing_a_document_leaves_nothing_of_it_but_the_original(library: Library, tmp_path: Path) -> None:
    path = note(tmp_path / "a.txt")
    document = library.add("local", path).document
    finish(library)
    library.remove("local", document)
    assert path.exists()
    assert found(library, "budget") == []
    assert kept(library) == []
    with library.database.reading() as connection:
        assert document_sources.find(connection, "local") == []
    with pytest.raises(NotFound):
        library.remove("local", document)


def test_removing_one_owners_document_leaves_the_bytes_another_owner_has(library: Library, tmp_path: Path) -> None:
    path = note(tmp_path / "a.txt")
    document = library.add("me", path).document
    library.add("local", path)
    library.remove("me", document)
    assert len(kept(library)) == 1
    finish(library)
    assert [stored.status for stored in all_of(library)] == ["ready"]


def test_bytes_that_were_forgotten_while_they_were_added_are_kept_after_all(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = library.files.keep
    times: list[Path] = []

    def keep_and_lose(path: Path) -> object:
        known = keep(path)
        if not times:
            library.files.remove(known.sha256)
        times.append(path)
        return known

    monkeypatch.setattr(library.files, "keep", keep_and_lose)
    library.add("local", note(tmp_path / "a.txt"))
    finish(library)
    assert [stored.status for stored in all_of(library)] == ["ready"]


def test_a_file_over_the_limit_is_refused_before_it_is_copied(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened(reading={"max_file_mb": 1})
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.truncate(2_000_000)
    with pytest.raises(TooLarge, match=r"2\.0 MB; the limit is 1 MB"):
        library.add("local", path)
    assert all_of(library) == []


def test_a_file_that_vanished_is_said_to_have(library: Library, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be opened") as caught:
        library.add("local", tmp_path / "gone.txt")
    assert caught.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said_to_be_so(library: Library, tmp_path: Path) -> None:
    path = note(tmp_path / "a.txt")
    path.chmod(0)
    with pytest.raises(NotFound, match="Permission denied"):
        library.add("local", path)


def test_the_leftovers_of_a_killed_copy_are_swept_when_the_library_opens(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    from pincite.store.process_names import get_machine_name, get_process_name

    folder = tmp_path / "data" / "files"
    folder.mkdir(parents=True)
    (folder / f".part-{get_process_name()}-abc").write_bytes(b"mine")
    (folder / f".part-{2**22 - 1}@{get_machine_name()}-abc").write_bytes(b"dead")
    (folder / ".part-7@elsewhere-abc").write_bytes(b"another machine's")
    opened()
    assert {path.read_bytes() for path in folder.iterdir()} == {b"mine", b"another machine's"}


def test_text_and_passages_say_the_same_after_a_move_of_the_data_folder(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(embedding={"provider": "none"})
    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library)
    library.close()
    shutil.move(tmp_path / "data", tmp_path / "moved")
    moved = opened(tmp_path / "moved", embedding={"provider": "none"})
    with moved.database.reading() as connection:
        assert document_text.load_document(connection, document).text == "The committee agreed on the budget."
    moved.reindex("local", None, again=True)
    finish(moved)
    assert the(moved, document).status == "ready"


def test_a_file_whose_name_is_not_utf8_costs_only_the_look_of_its_name(library: Library, tmp_path: Path) -> None:
    path = note(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")))
    document = library.add("local", path).document
    finish(library)
    stored = the(library, document)
    assert (stored.name, stored.title, stored.status) == ("caf\ufffd.txt", "caf\ufffd", "ready")
    assert library.add("local", path).outcome == "known"


def test_a_document_that_is_renamed_before_it_is_read_keeps_that_name(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.md", "# Lakes\n\nThe lake is deep.")).document
    library.rename("local", document, "Waters")
    finish(library)
    assert the(library, document).title == "Waters"
    assert found(library, "waters") == ["# Lakes\n\nThe lake is deep."]


@pytest.mark.parametrize("title", ["", " \n", "x" * 301])
def test_a_title_of_nothing_or_of_pages_is_refused(library: Library, tmp_path: Path, title: str) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    with pytest.raises(Misuse, match="title"):
        library.rename("local", document, title)


def test_a_sweep_with_nothing_to_do_takes_no_lock_of_sqlite(opened: Callable[..., Library]) -> None:
    library = opened(database="")
    library.database.lock_times = []
    library.sweep()
    assert library.database.lock_times == []
