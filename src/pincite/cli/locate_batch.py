"""`pincite locate --batch`: locate many passages. Each input line is a case, each output line its result."""

import json
import math
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import options
from pincite.cli.locate_target import is_there
from pincite.errors import Misuse, Unreadable

if TYPE_CHECKING:
    from pincite.isolation.child_process import IsolatedProcess
    from pincite.locate.concordance import Concordance
    from pincite.settings import Settings

_KEPT = 4  # prepared documents in the cache; cases are mostly sorted by file
_SHAPE = '{"id": 1, "file": "report.pdf", "text": "the words to find", "pages": [3]}'


@dataclass(frozen=True, slots=True)
class _BatchCase:
    """A passage to find in a file of the batch folder, and the pages to search first."""

    file: str
    text: str
    pages: tuple[int, ...]


def locate_batch(cases: Path, root: Path, settings: "Settings", password: str | None = None) -> None:
    """Locate every case of a file and print its result. An invalid case prints a result with an error."""
    from pincite.isolation.child_process import IsolatedProcess

    given = _read_lines(cases)
    with IsolatedProcess(settings.reading) as reader, options.make_console(stderr=True).status("…") as shown:
        documents = _DocumentCache(root, reader, settings, password)
        for number, line in enumerate(given, 1):
            shown.update(f"{number:,} of {len(given):,}")
            options.print_json(_locate_line(line, documents))


def _read_lines(cases: Path) -> list[str]:
    hint = f"It needs a line for each passage: {_SHAPE}"
    if not is_there(cases):
        raise Misuse(f"There is no file {cases}.", hint)
    try:
        content = cases.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise Misuse(f"{cases} cannot be read: {error.strerror}.", hint) from None
    # Not splitlines: it also splits at Unicode separators, which JSON allows inside a string.
    return [line for line in content.split("\n") if line.strip()]


class _DocumentCache:
    """A cache of the last few files, read and prepared. An unreadable file is not read again."""

    def __init__(self, root: Path, reader: "IsolatedProcess", settings: "Settings", password: str | None) -> None:
        self._root = root
        self._reader = reader
        self._settings = settings
        self._password = password
        self._ready: OrderedDict[str, Concordance] = OrderedDict()
        self._unreadable: dict[str, Unreadable] = {}

    def get(self, name: str) -> "Concordance":
        from pincite.library.passage_locator import prepare_document
        from pincite.reading.source import Source

        if name in self._unreadable:
            raise self._unreadable[name]
        if name not in self._ready:
            path = self._root / name
            try:
                source = Source(path, path.name, self._password, ocr=self._settings.reading.ocr)
                self._ready[name] = prepare_document(self._reader.read(source))
            except Unreadable as error:
                self._unreadable[name] = error
                raise
            if len(self._ready) > _KEPT:
                self._ready.popitem(last=False)
        self._ready.move_to_end(name)
        return self._ready[name]


def _locate_line(line: str, documents: _DocumentCache) -> dict[str, Any]:
    from pincite.locate.boxes import find_boxes
    from pincite.locate.locate import locate
    from pincite.locate.result import describe_location

    given = _parse_line(line)
    id = _read_id(given)
    try:
        case = _make_case(given)
        concordance = documents.get(case.file)
    except (Misuse, Unreadable) as error:
        return {"id": id, "matches": [], "error": error.message}
    begun = time.process_time()
    location = locate(concordance, case.text, case.pages)
    found = find_boxes(concordance.document, location.spans)
    ms = (time.process_time() - begun) * 1000
    content = describe_location(concordance.document, location, found)
    return {"id": id, "matches": content["matches"], "ms": round(ms, 3)}


def _parse_line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _make_case(given: Any) -> _BatchCase:
    """Return a parsed line as a case. Raise `Misuse` if it is invalid."""
    from pincite.text.storable import clean_text

    if not isinstance(given, dict):
        raise Misuse(f"This is not a case. Each line is {_SHAPE}")
    for name in ("file", "text"):
        if not isinstance(given.get(name), str):
            raise Misuse(f"This is not a case: its {name} must be a string. Each line is {_SHAPE}")
    if given.get("id") is not None and _read_id(given) is None:
        raise Misuse(f"This is not a case: its id must be a string or a number. Each line is {_SHAPE}")
    pages = [] if given.get("pages") is None else given["pages"]
    if not isinstance(pages, list) or not all(map(_is_page, pages)):
        raise Misuse(f"This is not a case: its pages must be a list of numbers from 1. Each line is {_SHAPE}")
    return _BatchCase(given["file"], clean_text(given["text"]), tuple(map(int, pages)))


def _is_page(given: Any) -> bool:
    """Return whether a value is a whole number from 1. `True` is not, although it is an `int` in Python."""
    if isinstance(given, float):
        return given >= 1 and given.is_integer()
    return isinstance(given, int) and not isinstance(given, bool) and given >= 1


def _read_id(given: Any) -> str | int | float | None:
    """Return the id of a case if it is a string or a finite number, else None."""
    id = given.get("id") if isinstance(given, dict) else None
    return id if isinstance(id, str | int) or (isinstance(id, float) and math.isfinite(id)) else None
