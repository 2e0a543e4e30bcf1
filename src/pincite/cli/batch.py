"""Many passages in many files: a case a line in, a result a line out, in order."""

import json
import math
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import door
from pincite.cli.prepared import is_there
from pincite.errors import Misuse, Unreadable

if TYPE_CHECKING:
    from pincite.evidence.concordance import Concordance
    from pincite.isolation.process import Isolated
    from pincite.settings import Settings

_KEPT = 4  # documents held ready: cases are mostly in order of their files
_SHAPE = '{"id": 1, "file": "report.pdf", "text": "the words to find", "pages": [3]}'


@dataclass(frozen=True, slots=True)
class _Case:
    """A passage to find in a file of the batch's folder, and the pages to look at first."""

    file: str
    text: str
    pages: tuple[int, ...]


def run(cases: Path, root: Path, settings: "Settings", password: str | None = None) -> None:
    """Locate every case of a file and print its result; a case that is wrong gives one that says so."""
    from pincite.isolation.process import Isolated

    given = _lines(cases)
    with Isolated(settings.reading) as reader, door.console(stderr=True).status("…") as shown:
        documents = _Documents(root, reader, settings, password)
        for number, line in enumerate(given, 1):
            shown.update(f"{number:,} of {len(given):,}")
            door.print_json(_result(line, documents))


def _lines(cases: Path) -> list[str]:
    hint = f"It needs a line for each passage: {_SHAPE}"
    if not is_there(cases):
        raise Misuse(f"There is no file {cases}.", hint)
    try:
        told = cases.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise Misuse(f"{cases} cannot be read: {error.strerror}.", hint) from None
    # Not splitlines: passages may hold separators that are line ends to it and not to JSON.
    return [line for line in told.split("\n") if line.strip()]


class _Documents:
    """The last few files, read and made ready; one that cannot be read is not tried again."""

    def __init__(self, root: Path, reader: "Isolated", settings: "Settings", password: str | None) -> None:
        self._root = root
        self._reader = reader
        self._settings = settings
        self._password = password
        self._ready: OrderedDict[str, Concordance] = OrderedDict()
        self._unreadable: dict[str, Unreadable] = {}

    def get(self, name: str) -> "Concordance":
        from pincite.library.locating import ready
        from pincite.reading.source import Source

        if name in self._unreadable:
            raise self._unreadable[name]
        if name not in self._ready:
            path = self._root / name
            try:
                source = Source(path, path.name, self._password, ocr=self._settings.reading.ocr)
                self._ready[name] = ready(self._reader.read(source))
            except Unreadable as error:
                self._unreadable[name] = error
                raise
            if len(self._ready) > _KEPT:
                self._ready.popitem(last=False)
        self._ready.move_to_end(name)
        return self._ready[name]


def _result(line: str, documents: _Documents) -> dict[str, Any]:
    from pincite.evidence.account import account
    from pincite.evidence.boxes import boxes
    from pincite.evidence.locate import locate

    given = _parsed(line)
    id = _id(given)
    try:
        case = _case(given)
        concordance = documents.get(case.file)
    except (Misuse, Unreadable) as error:
        return {"id": id, "matches": [], "error": error.message}
    begun = time.process_time()
    location = locate(concordance, case.text, case.pages)
    found = boxes(concordance.document, location.spans)
    ms = (time.process_time() - begun) * 1000
    told = account(concordance.document, location, found)
    return {"id": id, "matches": told["matches"], "ms": round(ms, 3)}


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _case(given: Any) -> _Case:
    """A line as it was parsed, as a case; `Misuse` that says what is wrong with it."""
    from pincite.reading.finish import clean

    if not isinstance(given, dict):
        raise Misuse(f"This is not a case. Each line is {_SHAPE}")
    for name in ("file", "text"):
        if not isinstance(given.get(name), str):
            raise Misuse(f"This is not a case: its {name} must be a string. Each line is {_SHAPE}")
    if given.get("id") is not None and _id(given) is None:
        raise Misuse(f"This is not a case: its id must be a string or a number. Each line is {_SHAPE}")
    pages = [] if given.get("pages") is None else given["pages"]
    if not isinstance(pages, list) or not all(map(_is_page, pages)):
        raise Misuse(f"This is not a case: its pages must be a list of numbers from 1. Each line is {_SHAPE}")
    return _Case(given["file"], clean(given["text"]), tuple(map(int, pages)))


def _is_page(given: Any) -> bool:
    """A whole number from 1; true is none, though Python counts with it."""
    if isinstance(given, float):
        return given >= 1 and given.is_integer()
    return isinstance(given, int) and not isinstance(given, bool) and given >= 1


def _id(given: Any) -> str | int | float | None:
    """The case's id if it is one that can be told again, a string or a number."""
    id = given.get("id") if isinstance(given, dict) else None
    return id if isinstance(id, str | int) or (isinstance(id, float) and math.isfinite(id)) else None
