"""Define the input of a reader, and the reader itself."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.reading.limits import DEFAULTS, DocumentLimits
from pincite.types import Document


def _ignore_progress(page: int, pages: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. The name is a hint and never trusted; pages in `skip` hung or crashed an earlier attempt.

    `limits` determine how much of it is read.
    """

    path: Path
    name: str
    password: str | None = None
    skip: frozenset[int] = frozenset()
    ocr: str = "eng+fra"
    progress: Callable[[int, int], None] = _ignore_progress
    limits: DocumentLimits = DEFAULTS


class Reader(Protocol):
    """The `read` function of a format module; it raises `Unreadable` with a reason for the user."""

    def __call__(self, source: Source) -> Document: ...
