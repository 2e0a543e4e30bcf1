"""Read the printed page numbers of a PDF: from its catalogue (/PageLabels), or from its running heads and feet."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

import pypdfium2 as pdfium

from pincite.types import Document

_LONGEST = 40  # characters
_FEWEST = 3  # pages one after the other whose numbers count up with them
_NUMBER = re.compile(r"(?<![\w.,/])(?<!\w-)[1-9]\d{0,4}(?![\w.,]?\w)")
_ROMAN = re.compile(r"[ivxlc]+|[IVXLC]+")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def read_labels(file: Any, count: int) -> list[str]:
    """Return the declared label of each page, "" if it equals the page's number or is not declared."""
    labels = []
    try:
        for index in range(count):
            label = " ".join(file.get_page_label(index).split())
            labels.append("" if label == str(index + 1) or len(label) > _LONGEST or not label.isprintable() else label)
    except (pdfium.PdfiumError, ValueError, UnicodeError):
        return []
    return labels


def add_labels(document: Document, labels: Sequence[str]) -> Document:
    """Return the document with the printed number of each page; without declared ones, as its pages show them."""
    if not any(labels):
        labels = _find_printed_numbers(document)
    if not any(labels):
        return document
    pages = [replace(page, label=label) for page, label in zip(document.pages, labels, strict=True)]
    return replace(document, pages=tuple(pages))


def _find_printed_numbers(document: Document) -> list[str]:
    """Return the number that each page shows at its edge; "" if it equals the page's number or is not there.

    A number counts if it is as far from the page's own number as that of the pages beside it. Of two, the one that does
    so for longer counts.
    """
    labels = [""] * len(document.pages)
    lengths = [0] * len(document.pages)
    shown = _list_shown_numbers(document)
    for by, found in groupby(sorted(shown), key=lambda each: each[:2]):
        run: list[tuple[int, str]] = []
        for _, _, place, label in [*found, (*by, -1, "")]:
            if run and place != run[-1][0] + 1:
                for at, text in run if len(run) >= _FEWEST else ():
                    if len(run) > lengths[at]:
                        labels[at], lengths[at] = text, len(run)
                run = []
            run.append((place, label))
    _fill_gaps(labels)
    return ["" if label == str(place) else label for place, label in enumerate(labels, 1)]


def _fill_gaps(labels: list[str]) -> None:
    """Number the pages between two whose numbers differ as much as their places, such as the first of a chapter."""
    known = [place for place, label in enumerate(labels) if label.isdecimal()]
    for one, two in pairwise(known):
        if int(labels[two]) - int(labels[one]) == two - one:
            labels[one : two + 1] = map(str, range(int(labels[one]), int(labels[two]) + 1))


def _list_shown_numbers(document: Document) -> set[tuple[bool, int, int, str]]:
    """Return the numbers in heads and feet: whether Roman, the distance to the page's number, its place, the label."""
    starts = [page.start for page in document.pages]
    found = set()
    for block in document.blocks:
        if block.kind not in ("header", "footer"):
            continue
        place = bisect_right(starts, block.start) - 1
        text = document.text[block.start : block.end].strip()
        if _ROMAN.fullmatch(text):
            found.add((True, _read_roman(text) - place, place, text))
        found |= {(False, int(number) - place, place, number) for number in _NUMBER.findall(text)}
    return found


def _read_roman(text: str) -> int:
    values = [_VALUES[letter] for letter in text.lower()]
    return sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))
