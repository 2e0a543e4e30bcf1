"""Documents are embedded together, and one that fails does not cost the others."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError, Unreachable
from pincite.jobs import Worker
from pincite.library import Library
from tests.clock import PATIENCE
from tests.databases import both_engines
from tests.job_steps import die, working
from tests.work import Fake, all_of, finish, note, the, waiting

database_address = both_engines  # every test runs on both engines


def test_a_document_whose_vectors_keep_killing_the_program_stays_searchable(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"attempts": 1})
    document = library.add("local", note(tmp_path / "a.txt")).document
    reader = Worker(library, Fake, readers=1)
    reader.run(report=lambda report: reader.stop() if report.ended else None)
    die(library)
    finish(library, Fake())
    assert the(library, document).status == "searchable"
    assert "died 1 times while making its vectors" in the(library, document).error


def test_an_embedder_that_is_away_is_not_asked_for_each_document(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    asked: list[str] = []

    class Away(Fake):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            asked.append(texts[0])
            raise Unreachable("It cannot be reached.", "See that it runs.")

    library = opened()
    known = [library.add("local", note(tmp_path / f"{name}.txt", f"Text {name}.")).document for name in "abc"]
    finish(library, Away())
    assert len(asked) == 1
    assert {(the(library, id).status, the(library, id).error) for id in known} == {
        ("searchable", "It cannot be reached. See that it runs.")
    }


class Counted(Fake):
    """Remembers how many passages it embedded in each call, and refuses a text with the word "bad"."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(len(texts))
        if any("bad" in text for text in texts):
            raise EmbeddingError("It is refused.", "Leave it out.")
        return super().passages(texts)


def test_small_documents_are_embedded_together(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, embedder = opened(), Counted()
    for number in range(40):
        library.add("local", note(tmp_path / f"{number}.txt", f"Point {number} of the agenda."), is_bulk=True)
    finish(library, embedder)
    assert {stored.status for stored in all_of(library)} == {"ready"}
    assert embedder.calls == [32, 8]
    assert len(set(embedder.embedded)) == 40
    assert waiting(library) == 0


def test_a_document_that_cannot_be_embedded_does_not_cost_its_neighbours(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library, embedder = opened(), Counted()
    known = [library.add("local", note(tmp_path / f"{n}.txt", f"A {n} note.")).document for n in ("good", "bad", "new")]
    finish(library, embedder)
    assert [the(library, id).status for id in known] == ["ready", "searchable", "ready"]
    assert "refused" in the(library, known[1]).error
    assert embedder.calls == [3, 1, 1, 1]


def test_a_document_that_is_cancelled_in_a_common_batch_does_not_cost_the_others(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    known = [library.add("local", note(tmp_path / f"{number}.txt", f"Point {number}.")).document for number in range(3)]
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.cancel("local", known[1])
    assert [the(library, id).status for id in known] == ["ready", "searchable", "ready"]
    assert waiting(library) == 0
