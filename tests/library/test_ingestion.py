"""A document is read, then searchable, then embedded; a failure says its reason."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.library import Library
from tests import files, pdfs
from tests.databases import both_engines
from tests.library.notes import LONG, found, protected
from tests.work import Fake, all_of, finish, note, the, waiting

database_address = both_engines  # every test runs on both engines


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
