"""A drawing that a process returned damaged is left out, and the rest is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from pincite.isolation.child_process import IsolatedProcess
from pincite.library.document_drawings import DocumentDrawings
from pincite.reading.drawing import PART_HEAD, DrawnBlock, DrawnParagraph, DrawnRun, ReadStretch
from pincite.reading.source import Source
from pincite.settings import ReadingSettings
from pincite.store.documents import StoredDocument

TEXT = "Deep water."


def make_part() -> bytes:
    run = DrawnRun(start=0, end=len(TEXT))
    block = DrawnBlock(start=0, end=len(TEXT), paragraph=DrawnParagraph(runs=[run]))
    read = ReadStretch(start=0, text=TEXT, width=300, blocks=[block])
    return PART_HEAD.pack(0, len(TEXT)) + read.model_dump_json().encode()


@pytest.mark.parametrize("damaged", [b"", b"\0", b"\0" * (PART_HEAD.size - 1), PART_HEAD.pack(0, 5), b"\0" * 100])
def test_a_damaged_part_of_a_document_is_left_out_and_the_others_are_drawn(
    monkeypatch: pytest.MonkeyPatch, damaged: bytes
) -> None:
    @contextmanager
    def open_source(_: StoredDocument) -> Iterator[Source]:
        yield Source(Path("lake.docx"), "lake.docx")

    monkeypatch.setattr(IsolatedProcess, "draw", lambda *_: [damaged, make_part()])
    drawings = DocumentDrawings(ReadingSettings(), open_source)
    stored = cast("StoredDocument", SimpleNamespace(sha256="0" * 64))
    drawn = drawings.draw_stretch(stored, 0, len(TEXT), lambda start, end: TEXT[start:end])
    drawings.close()
    assert drawn.width == 300
    (block,) = drawn.blocks
    assert block.paragraph
    assert [run.text for run in block.paragraph.runs] == [TEXT]
