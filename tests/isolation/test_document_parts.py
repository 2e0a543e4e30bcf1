"""The parent gets a document from the isolated process unchanged, and refuses anything else."""

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import pdfs

from pincite.index.terms import list_terms
from pincite.isolation.document_parts import (
    BlocksPart,
    ConcordancePart,
    ContentsCheck,
    EntriesPart,
    HeadPart,
    PagesPart,
    Part,
    Recipe,
    TextSlice,
    decode_part,
    encode_contents,
)
from pincite.isolation.frames import FRAME, LARGEST, PROGRESS, RESULT, read_frames, split_bytes
from pincite.passages import make_indexed, split_passages
from pincite.reading import Source, read
from pincite.types import Block, Document, Page

TEXT = "Les hérons sont revenus. " * 4000
DOCUMENT = Document(
    "text",
    TEXT,
    "Oiseaux",
    "fr",
    pages=(Page(1, 0, 60_000, 10, 20), Page(2, 60_000, len(TEXT), 10, 20, label="ii")),
    blocks=tuple(Block("paragraph", at, at + 25, 0) for at in range(0, len(TEXT), 25)),
    metadata={"author": "Ada"},
    problems=("Page 3 was skipped.",),
)
RECIPE = Recipe(1500, 200, name="oiseaux.txt")


def parts(document: Document = DOCUMENT, recipe: Recipe = RECIPE) -> list[Part]:
    check = ContentsCheck()
    made = [decode_part(data) for data in encode_contents(document, recipe)]
    for part in made:
        check.check(part)
    check.finish()
    return made


def test_every_part_of_a_document_comes_back(tmp_path: Path) -> None:
    made = parts()
    (head,) = (part for part in made if isinstance(part, HeadPart))
    assert head.document == Document(
        "text", "", "Oiseaux", "fr", metadata=DOCUMENT.metadata, problems=DOCUMENT.problems
    )
    assert "".join(part.text for part in made if isinstance(part, TextSlice)) == TEXT
    assert tuple(p for part in made if isinstance(part, PagesPart) for p in part.pages) == DOCUMENT.pages
    assert tuple(b for part in made if isinstance(part, BlocksPart) for b in part.blocks) == DOCUMENT.blocks
    assert b"".join(part.data for part in made if isinstance(part, ConcordancePart))


def test_the_terms_are_those_of_the_index() -> None:
    entries = [entry for part in parts() if isinstance(part, EntriesPart) for entry in part.entries]
    pieces = split_passages(DOCUMENT, 1500, 200)
    assert [entry.passage for entry in entries] == pieces
    first = make_indexed(DOCUMENT, pieces[0], "oiseaux.txt")
    assert entries[0].context.split() == list_terms(first.context, "fr")
    assert entries[0].body.split() == list_terms(first.body, "fr")


def test_a_given_title_stands_in_place_of_that_which_was_read() -> None:
    assert "waterfowl" in _context(Recipe(1500, 200, title="Waterfowl"))
    assert "oiseau" not in _context(Recipe(1500, 200, title="Waterfowl"))
    untitled = Document("text", TEXT, "", "fr")
    assert "waterfowl" in _context(Recipe(1500, 200, untitled="Waterfowl"), untitled)


def _context(recipe: Recipe, document: Document = DOCUMENT) -> str:
    return next(part for part in parts(document, recipe) if isinstance(part, EntriesPart)).entries[0].context


def test_a_real_file_is_cut_into_parts_that_fit(tmp_path: Path) -> None:
    path = pdfs.simple(tmp_path / "a.pdf", pages=3)
    document = read(Source(path, "a.pdf"))
    made = list(encode_contents(document, RECIPE))
    assert len(made) > 4
    assert max(map(len, made)) < LARGEST
    pages = [page for part in map(decode_part, made) if isinstance(part, PagesPart) for page in part.pages]
    assert [(page.boxes, page.number) for page in pages] == [(page.boxes, page.number) for page in document.pages]
    assert all(page.boxes for page in pages)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"?",
        b"T\0",
        b"T\0\0\0\0\xff\xff",
        b"H{}",
        b"H[]",
        b"H" + json.dumps({"kind": "virus", "characters": 1}).encode(),
        b'B[["bomb", 0, 1, 0]]',
        b'B[["paragraph", 0]]',
        b"E[[1, 2]]",
        b"E" + b"[" * 100_000,
        b"G\xff\xff\xff\xff[]",
        b"G\x02\0\0\0[]boxes of no page",
    ],
)
def test_nonsense_is_refused(data: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error)):
        decode_part(data)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made[1:],
        lambda made: [made[0], *made],
        lambda made: [made[0], *made[2:]],
        lambda made: made[:2],
        lambda made: [HeadPart(made[0].document, 10), *made[1:]],
    ],
    ids=["no head", "two heads", "a slice missing", "no end", "spans outside"],
)
def test_parts_that_do_not_fit_together_are_refused(spoil: Callable[[list[Part]], list[Part]]) -> None:
    check = ContentsCheck()

    def check_all() -> None:
        for part in spoil(parts()):
            check.check(part)
        check.finish()

    with pytest.raises(ValueError):
        check_all()


class Endless:
    """A pipe that says how much was asked of it at once."""

    def __init__(self, head: bytes) -> None:
        self.left = head
        self.most = 0

    def read(self, size: int) -> bytes:
        self.most = max(self.most, size)
        given, self.left = self.left[:size], self.left[size:]
        return given or bytes(min(size, 10))


@pytest.mark.parametrize(("letter", "length"), [(RESULT, 2**60), (RESULT, LARGEST + 1), (PROGRESS, 10**6), (b"?", 1)])
def test_a_frame_that_is_too_large_or_of_no_kind_ends_the_pipe_unread(letter: bytes, length: int) -> None:
    pipe = Endless(FRAME.pack(letter, length))
    assert list(read_frames(pipe)) == []  # type: ignore[arg-type]
    assert pipe.most == FRAME.size


def test_bytes_are_cut_to_fit_and_nothing_is_lost() -> None:
    data = bytes(range(256)) * 10
    assert list(split_bytes(b"")) == [b""]
    assert [len(part) for part in split_bytes(data, 1000)] == [1000, 1000, 560]
    assert b"".join(split_bytes(data, 1000)) == data
