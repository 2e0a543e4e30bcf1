"""Many passages in many files: a case a line in, a result a line out, in order."""

import json
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import door
from pincite.errors import Misuse, Unreadable

if TYPE_CHECKING:
    from pincite.evidence.concordance import Concordance
    from pincite.reading.isolate import Isolated
    from pincite.settings import Settings

_KEPT = 4  # documents held ready: cases are mostly in order of their files
_SHAPE = '{"id": 1, "file": "report.pdf", "text": "the words to find", "pages": [3]}'


def run(cases: Path, root: Path, settings: "Settings") -> None:
    """Locate every case of a file and print its result; a case that is wrong gives one that says so."""
    from pincite.reading.isolate import Isolated

    if not cases.is_file():
        raise Misuse(f"There is no file {cases}.", f"It needs a line for each passage: {_SHAPE}")
    # Not splitlines: passages may hold separators that are line ends to it and not to JSON.
    given = [line for line in cases.read_text(encoding="utf-8", errors="replace").split("\n") if line.strip()]
    with Isolated(settings.reading) as reader, door.console(stderr=True).status("…") as status:
        documents = _Documents(root, reader, settings)
        for number, line in enumerate(given, 1):
            status.update(f"{number:,} of {len(given):,}")
            door.print_json(_result(line, documents))


class _Documents:
    """The last few files, read and made ready; one that cannot be read is not tried again."""

    def __init__(self, root: Path, reader: "Isolated", settings: "Settings") -> None:
        self._root = root
        self._reader = reader
        self._settings = settings
        self._ready: OrderedDict[str, Concordance] = OrderedDict()
        self._unreadable: dict[str, Unreadable] = {}

    def get(self, name: str) -> "Concordance":
        from pincite.evidence.concordance import build
        from pincite.reading.source import Source

        if name in self._unreadable:
            raise self._unreadable[name]
        if name not in self._ready:
            path = self._root / name
            try:
                source = Source(path, path.name, ocr=self._settings.reading.ocr)
                self._ready[name] = build(self._reader.read(source))
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

    case: Any = None
    try:
        case = json.loads(line)
        name, text = str(case["file"]), case["text"]
        pages = [int(page) for page in case.get("pages") or ()]
        if not isinstance(text, str):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError):
        return {"id": _id(case), "matches": [], "error": f"This is not a case. Each line is {_SHAPE}"}
    try:
        concordance = documents.get(name)
    except Unreadable as error:
        return {"id": _id(case), "matches": [], "error": error.message}
    begun = time.process_time()
    location = locate(concordance, text, pages)
    found = boxes(concordance.document, location.spans)
    ms = (time.process_time() - begun) * 1000
    told = account(concordance.document, location, found)
    return {"id": _id(case), "matches": told["matches"], "ms": round(ms, 3)}


def _id(case: Any) -> Any:
    return case.get("id") if isinstance(case, dict) else None
