"""What a reader is given, and what a reader is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.reading.limits import DEFAULTS, Limits
from pincite.types import Document


def _silent(page: int, pages: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. The name is a hint and is never trusted; pages in `skip` hung or crashed an earlier try.

    `limits` say how much of it is read.
    """

    path: Path
    name: str
    password: str | None = None
    skip: frozenset[int] = frozenset()
    ocr: str = "eng+fra"
    progress: Callable[[int, int], None] = _silent
    limits: Limits = DEFAULTS


class Reader(Protocol):
    """Every format module has a `read` like this; it raises `Unreadable` with a reason a person understands."""

    def __call__(self, source: Source) -> Document: ...
