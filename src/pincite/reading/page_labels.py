"""Read the printed page numbers of a PDF from its catalogue (/PageLabels)."""

from dataclasses import replace
from typing import Any

import pypdfium2 as pdfium

from pincite.types import Document

_LONGEST = 40  # characters


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


def add_labels(document: Document, labels: list[str]) -> Document:
    """Return the document with the printed number of each page."""
    if not any(labels):
        return document
    pages = [replace(page, label=label) for page, label in zip(document.pages, labels, strict=True)]
    return replace(document, pages=tuple(pages))
