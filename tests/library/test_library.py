import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from fpdf import FPDF
from numpy.typing import NDArray

from pincite.errors import Misuse, NotFound, TooLarge, Unreadable
from pincite.library import Library
from pincite.search.search import PassageSearch
from pincite.store import document_sources, documents
from pincite.types import Scope
from tests import files, pdfs
from tests.clock import PATIENCE
from tests.databases import both_engines
from tests.work import Fake, all_of, finish, kept, the, waiting

database_address = both_engines  # every test runs on both engines

LONG = "\n\n".join(
    f"Paragraph {i}. The committee met for the {i}th time and agreed on point {i * 7}." for i in range(200)
)


def note(path: Path, text: str = "The committee agreed on the budget.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(library: Library, question: str, embedder: Fake | None = None, scope: Scope | None = None) -> list[str]:
    search = PassageSearch(library.database, library.index, embedder, library.settings)
    return [hit.text for hit in search.search(question, scope or Scope())]


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


def test_a_failed_document_is_tried_again_when_it_is_added_again(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 nothing more")
    document = library.add("local", path).document
    finish(library)
    assert the(library, document).status == "failed"
    assert library.add("local", path).outcome == "again"
    assert (the(library, document).status, the(library, document).error) == ("queued", "")
    finish(library)
    assert the(library, document).status == "failed"
    library.retry("local", document)
    assert waiting(library) == 1


def protected(path: Path) -> Path:
    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="o", user_password="sésame")
        pdf.add_page()
        pdfs.paragraph(pdf, "Behind the door.")

    return pdfs.make(path, draw)


def test_a_protected_pdf_asks_for_its_password_and_opens_with_it(library: Library, tmp_path: Path) -> None:
    path = protected(tmp_path / "a.pdf")
    document = library.add("local", path).document
    finish(library)
    assert the(library, document).status == "failed"
    assert "--password" in the(library, document).error
    library.add("local", path, password="wrong")
    finish(library)
    assert the(library, document).status == "failed"
    library.add("local", path, password="sésame")
    finish(library)
    assert the(library, document).status == "ready"
    assert found(library, "door") == ["Behind the door."]


def test_a_password_is_not_kept_when_the_document_needs_it_no_more(library: Library, tmp_path: Path) -> None:
    path = protected(tmp_path / "a.pdf")
    document = library.add("local", path, password="sésame").document
    finish(library)
    library.add("local", path, password="sésame")
    assert not library.retry("local", document, "sésame")
    library.reindex("local", None, again=True, password="wrong")
    finish(library)
    assert found(library, "door") == ["Behind the door."]
    library.reindex("local", None, again=True, password="sésame")
    library.cancel("local", document)
    library.retry("local", document, "sésame")
    library.remove("local", document)
    assert library.passwords.get(document) is None


def test_a_document_is_found_as_soon_as_it_is_read(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, states = opened(), []

    class Looking(Fake):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            states.append((the(library, document).status, found(library, "committee budget")))
            return super().passages(texts)

    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library, Looking())
    assert states == [("embedding", ["The committee agreed on the budget."])]
    assert the(library, document).status == "ready"


def test_everything_is_read_before_anything_is_embedded(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, steps = opened(), []
    for name in "abc":
        library.add("local", note(tmp_path / f"{name}.txt", f"Text {name}."))
    finish(library, Fake(), lambda report: steps.append(report.step) if report.ended else None)
    assert steps == ["read"] * 3 + ["embed"] * 3


def test_an_embedder_that_fails_half_way_leaves_a_searchable_document_and_the_reason(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(passages={"size": 100, "overlap": 0})
    document = library.add("local", note(tmp_path / "a.txt", LONG)).document
    finish(library, Fake(fails_after=40))
    stored = the(library, document)
    assert stored.status == "searchable"
    assert stored.error == "The endpoint does not answer. Check embedding.url."
    assert found(library, "points agreed at the 17th time")
    # Adding it again goes on: what has a vector gets no second one.
    mended = Fake()
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library, mended)
    assert (the(library, document).status, the(library, document).error) == ("ready", "")
    assert 0 < len(mended.embedded) < stored.passages


def test_an_embedder_that_cannot_be_made_leaves_the_document_searchable(
    opened: Callable[..., Library], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from pincite.errors import EmbeddingError
    from pincite.jobs import Worker

    def broken() -> Fake:
        raise EmbeddingError("There is no model.", "Install one.")

    library = opened()
    document = library.add("local", note(tmp_path / "a.txt")).document
    Worker(library, broken, readers=1).run()
    assert (the(library, document).status, the(library, document).error) == (
        "searchable",
        "There is no model. Install one.",
    )


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
    worker.join(30)
    finish(library, Fake())
    assert the(library, document).status == "ready"
    with library.database.reading() as connection:
        assert library.index.models(connection) == {"fake": the(library, document).passages}
        assert library.index.list_unembedded(connection, document, "fake", 1) == []


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


def test_an_empty_document_fails_with_a_reason(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt", "")).document
    finish(library)
    assert the(library, document).status == "failed"
    assert "empty" in the(library, document).error


def test_a_page_without_text_is_ready_with_the_problem_said(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened(embedding={"provider": "none"}, reading={"ocr": ""})
    document = library.add("local", pdfs.make(tmp_path / "a.pdf", lambda pdf: pdf.add_page())).document
    finish(library)
    stored = the(library, document)
    assert (stored.status, stored.passages) == ("ready", 0)


def test_every_format_goes_all_the_way(library: Library, tmp_path: Path) -> None:
    for name, data in files.samples().items():
        (tmp_path / name).write_bytes(data)
        library.add("local", tmp_path / name)
    library.add("local", pdfs.simple(tmp_path / "a.pdf"))
    finish(library)
    assert {stored.name: stored.error for stored in all_of(library) if stored.status != "ready"} == {}


def test_what_a_killed_copy_left_behind_is_swept_when_the_library_opens(
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
        assert documents.load(connection, document).text == "The committee agreed on the budget."
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


def test_a_protected_pdf_that_was_read_keeps_its_text_when_the_password_is_not_at_hand(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(embedding={"provider": "none"})
    document = library.add("local", protected(tmp_path / "a.pdf"), password="sésame").document
    finish(library)
    later = opened(embedding={"provider": "none"})
    assert later.reindex("local", None, again=True) == [document]
    finish(later)
    assert (the(later, document).status, the(later, document).error_code) == ("ready", "encrypted")
    assert "--password" in the(later, document).error
    assert "password was not kept" in the(later, document).error
    assert found(later, "door") == ["Behind the door."]
    later.reindex("local", None, again=True, password="sésame")
    finish(later)
    assert (the(later, document).status, the(later, document).error) == ("ready", "")


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


def test_what_was_read_whole_is_not_tried_again(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library)
    assert not library.retry("local", document)
    assert waiting(library) == 0


def test_a_sweep_with_nothing_to_do_takes_no_lock_of_sqlite(opened: Callable[..., Library]) -> None:
    library = opened(database="")
    library.database.lock_times = []
    library.sweep()
    assert library.database.lock_times == []
