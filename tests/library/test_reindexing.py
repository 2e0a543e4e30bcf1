"""Reading again replaces what changed, and leaves each passage once."""

import os
from collections.abc import Callable
from pathlib import Path

from pincite.library import Library
from pincite.search.search import PassageSearch
from pincite.types import Scope
from tests import files
from tests.clock import PATIENCE
from tests.databases import both_engines
from tests.library.notes import LONG, found
from tests.work import Fake, all_of, finish, kept, note, the, waiting

database_address = both_engines  # every test runs on both engines


def test_a_changed_model_is_embedded_anew_and_the_old_vectors_go(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened()
    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library, Fake("old"))
    assert library.reindex("local", "old") == []
    assert library.reindex("local", "new") == [document]
    assert the(library, document).status == "searchable"
    finish(library, Fake("new"))
    with library.database.reading() as connection:
        assert library.index.models(connection) == {"new": 1}
    assert the(library, document).status == "ready"


def test_documents_read_without_an_embedder_get_vectors_from_the_real_one_when_it_is_switched_on(
    opened: Callable[..., Library], tmp_path: Path, home: Path
) -> None:
    from pincite.embedding import create_embedder

    path = note(tmp_path / "a.txt", "Le bail prend fin après trois ans.")
    silent = opened(home, embedding={"provider": "none"})
    document = silent.add("local", path).document
    finish(silent)
    assert the(silent, document).status == "ready"
    library = opened(home)
    model = create_embedder(library.settings.embedding, home)
    assert model is not None
    assert library.reindex("local", model.name) == [document]
    finish(library, model)
    search = PassageSearch(library.database, library.index, model, library.settings)
    assert [hit.span.document for hit in search.search("When does the lease end?", Scope(), mode="dense")] == [document]


def test_reindexing_everything_reads_and_embeds_everything_again(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened()
    known = [library.add("local", note(tmp_path / f"{name}.txt", f"Text {name}.")).document for name in "ab"]
    finish(library, Fake())
    steps: list[str] = []
    assert library.reindex("local", "fake", again=True) == known
    finish(library, Fake(), lambda report: steps.append(report.step) if report.ended else None)
    assert sorted(steps) == ["embed", "embed", "read", "read"]
    with library.database.reading() as connection:
        assert library.index.models(connection) == {"fake": 2}


def test_reading_again_while_vectors_are_made_leaves_each_passage_one_vector(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    import threading

    from pincite.jobs import Worker

    library = opened(passages={"size": 100, "overlap": 0})
    document = library.add("local", note(tmp_path / "a.txt", LONG)).document
    slow = Fake()
    slow.may_go_on.clear()
    worker = threading.Thread(target=finish, args=(library, slow))
    worker.start()
    assert slow.begun.wait(PATIENCE)
    library.reindex("local", None, again=True)
    reader = Worker(library, Fake, readers=1)
    reader.run(report=lambda report: reader.stop() if report.ended else None)
    slow.may_go_on.set()
    worker.join(PATIENCE)
    finish(library, Fake())
    assert the(library, document).status == "ready"
    with library.database.reading() as connection:
        assert library.index.models(connection) == {"fake": the(library, document).passages}
        assert library.index.list_unembedded(connection, document, "fake", 1) == []


def test_reindexing_cuts_anew_what_was_cut_by_other_settings(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened(embedding={"provider": "none"})
    document = library.add("local", note(tmp_path / "a.txt", LONG)).document
    finish(library)
    before = the(library, document).passages
    assert library.reindex("local", None) == []
    small = opened(embedding={"provider": "none"}, passages={"size": 100, "overlap": 0})
    assert small.reindex("local", None) == [document]
    finish(small)
    assert the(small, document).passages > before
    assert small.reindex("local", None) == []


def test_reindexing_tries_again_what_had_problems(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened(embedding={"provider": "none"}, reading={"ocr": ""})
    (tmp_path / "a.png").write_bytes(files.samples()["a.png"])
    document = library.add("local", tmp_path / "a.png").document
    finish(library)
    assert the(library, document).problems
    assert library.reindex("local", None) == [document]


def test_bytes_that_a_kill_left_without_a_document_go_when_reindexing(library: Library, tmp_path: Path) -> None:
    library.add("local", note(tmp_path / "a.txt"))
    orphans = [library.files.keep(note(tmp_path / name, name)).sha256 for name in ("old", "new")]
    for sha256 in (all_of(library)[0].sha256, orphans[0]):
        with library.files.local(sha256) as path:
            os.utime(path, (1, 1))
    library.reindex("local", None)
    assert set(kept(library)) == {all_of(library)[0].sha256, orphans[1]}


def test_a_given_title_is_found_at_once_and_stays_when_everything_is_read_again(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library, embedder = opened(), Fake()
    document = library.add("local", note(tmp_path / "scan0042.txt")).document
    finish(library, embedder)
    renamed = library.rename("local", document, "  Minutes of\n the harbour board ")
    assert (renamed.title, renamed.name) == ("Minutes of the harbour board", "scan0042.txt")
    assert found(library, "harbour board") == ["The committee agreed on the budget."]
    finish(library, embedder)
    assert the(library, document).status == "ready"
    assert "harbour board" in embedder.embedded[-1]
    library.reindex("local", embedder.name, again=True)
    finish(library, embedder)
    assert the(library, document).title == "Minutes of the harbour board"
    assert found(library, "harbour board") == ["The committee agreed on the budget."]


def test_a_scan_that_was_added_without_ocr_is_read_when_it_is_tried_again(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    from pincite.reading import ocr

    path = tmp_path / "scan.png"
    path.write_bytes(files.printed("Invoice number 4711"))
    words = {"provider": "none"}
    before = opened(reading={"ocr": ""}, embedding=words)
    document = before.add("local", path).document
    finish(before)
    assert the(before, document).problems
    assert found(before, "invoice") == []
    library = opened(embedding=words)
    assert library.retry("local", document)
    finish(library)
    stored = the(library, document)
    assert stored.status == "ready"
    if ocr.is_available(library.settings.reading.ocr):
        assert stored.problems == ()
        assert "4711" in found(library, "invoice")[0]
    else:
        assert "tesseract" in stored.problems[0]


def test_a_document_read_whole_is_not_tried_again(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library)
    assert not library.retry("local", document)
    assert waiting(library) == 0
