"""The numbered clauses of a plain text are its sections; lists, figures and dates are not."""

from pathlib import Path

import pytest

from pincite.passages import split_passages
from pincite.reading import plain_text
from pincite.reading.numbered_headings import is_counted
from pincite.reading.source import Source
from pincite.types import Document

BODY = "The tenant pays the rent on the first day of each month, without being asked."


@pytest.fixture
def read(tmp_path: Path) -> "Reader":
    return Reader(tmp_path)


class Reader:
    """Reads texts as files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, text: str) -> Document:
        path = self._folder / "a.txt"
        path.write_text(text, encoding="utf-8")
        return plain_text.read(Source(path, path.name))

    def headings(self, text: str) -> list[tuple[str, int]]:
        document = self(text)
        return [(document.text[b.start : b.end], b.level) for b in document.blocks if b.kind == "heading"]


def test_clauses_and_their_parts_are_headings(read: Reader) -> None:
    text = f"LEASE\n\n1. Rent\n\n{BODY}\n\n1.1 Late payment\n\n{BODY}\n\n2. Deposit\n\n{BODY}\n\n3. Term\n\n{BODY}\n"
    assert read.headings(text) == [("1. Rent", 1), ("1.1 Late payment", 2), ("2. Deposit", 1), ("3. Term", 1)]
    passages = split_passages(read(text), 150, 0)
    assert passages[-1].headings == ("3. Term",)


@pytest.mark.parametrize("label", ["Article", "Art.", "§", "Section"])
def test_an_article_may_have_a_title_and_its_words_in_the_next_line(read: Reader, label: str) -> None:
    text = "\n\n".join((f"{label} 1\n{BODY}", f"{label} 2 - Dépôt\n{BODY}\n{BODY}", BODY, f"{label} 3\n{BODY}", BODY))
    expected = [(f"{label} 1", 1), (f"{label} 2 - Dépôt", 1), (f"{label} 3", 1)]
    assert read.headings(text) == expected
    found = read(text)
    assert [found.text[block.start : block.end] for block in found.blocks[:2]] == [f"{label} 1", BODY]


def test_articles_of_chapters_stand_below_them(read: Reader) -> None:
    chapters = [
        f"Chapter {c} Matters\n\n" + "\n\n".join(f"Article {c * 3 + a}\n{BODY}\n\n{BODY}" for a in range(3))
        for c in range(3)
    ]
    levels = dict.fromkeys(level for _, level in read.headings("\n\n".join(chapters)))
    assert list(levels) == [1, 2]


@pytest.mark.parametrize(
    "labels",
    [
        ("Article 1er – Loyer", "Article 2 – Dépôt", "Article 3 – Durée"),
        ("Article premier", "Article 2", "Article 3"),
        ("TITRE I", "TITRE II", "TITRE III – SANCTIONS", "TITRE IV"),
        ("Article L. 121-1", "Article L. 121-2", "Article L. 122-1"),
        ("Article R121-9", "Article R121-10", "Article R121-11"),
    ],
)
def test_numbers_may_be_ordinal_roman_or_those_of_a_code_of_law(read: Reader, labels: tuple[str, ...]) -> None:
    text = "\n\n".join(f"{label}\n{BODY}" for label in labels)
    assert read.headings(text) == [(label, 1) for label in labels]


@pytest.mark.parametrize(
    "text",
    [
        "1. Apples\n\n2. Pears\n\n3. Plums\n\n4. Quinces",  # a list
        f"1. {BODY}\n\n{BODY}\n\n2. {BODY}\n\n{BODY}\n\n3. {BODY}\n\n{BODY}",  # numbered paragraphs
        f"12\n\n{BODY}\n\n13\n\n{BODY}\n\n14\n\n{BODY}",  # numbers of pages
        f"May 3\n\n{BODY}\n\nJune 4\n\n{BODY}\n\nJuly 5\n\n{BODY}",  # dates
        f"7 Apples\n\n{BODY}\n\n3 Pears\n\n{BODY}\n\n12 Plums\n\n{BODY}",  # figures
        f"1. Rent\n\n{BODY}\n\n2. Deposit\n\n{BODY}",  # too few to tell
        f"Louis XIV\n{BODY}\n\nLouis XII\n{BODY}\n\nLouis XVI\n{BODY}",  # names of kings
        "Section 2 of the lease applies\nand section 3 too.\n\n" * 3,
    ],
)
def test_lists_numbered_paragraphs_pages_and_dates_are_no_headings(read: Reader, text: str) -> None:
    assert read.headings(text) == []


@pytest.mark.parametrize(
    ("heading", "others", "expected"),
    [
        ("1. Definitions", ["1.1 Terms", "2. Employer"], True),
        ("Article 1 — Budget", ["Article 2 — Subsidies"], True),
        ("Titre I", ["Titre II"], True),
        ("§ 3 Term", ["§ 4 Rent"], True),
        ("3 lakes of the north", ["1. Loch Ness"], False),
        ("Budget 2024", ["Budget 2025"], False),
        ("Article 1", ["Chapter 2"], False),
        ("I remember", ["II. The war"], False),
    ],
)
def test_a_heading_is_a_chapter_if_another_counts_on(heading: str, others: list[str], expected: bool) -> None:
    assert is_counted(heading, others) == expected
