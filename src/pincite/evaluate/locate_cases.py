"""Read the cases of a locating set: passages to find, and passages that are absent, as lines of JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.geometry import Words

_SHAPE = (
    '{"id", "file", "text", "pages": [3] or null, "negative", "core", "kind", "change", "extractor", '
    '"gold": [[[page, first word, last word]]]}'
)


@dataclass(frozen=True, slots=True)
class LocateCase:
    """A passage to locate in a file. `gold` lists the right places, each as words on one or more pages.

    Core passages are those that most programs read as running text; a negative one must not be found.
    """

    id: int | str
    file: str
    text: str
    pages: tuple[int, ...]
    negative: bool
    core: bool
    kind: str
    change: str
    extractor: str
    gold: tuple[tuple[Words, ...], ...]


def read_cases(folder: Path) -> list[LocateCase]:
    """Read the cases of a folder that also contains their PDFs and words; `Misuse` names what is missing or wrong."""
    path = folder / "cases.jsonl"
    if not path.is_file():
        raise Misuse(f"There is no {path}.", "The folder needs cases.jsonl, pdfs/ and words/.")
    cases = []
    # Not splitlines: passages may contain separators that it treats as line ends and JSON does not.
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                cases.append(_parse_case(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Misuse(f"{path}, line {number} is not a case.", f"Each line is {_SHAPE}.") from None
    if not cases:
        raise Misuse(f"There are no cases in {path}.", f"Each line is {_SHAPE}.")
    needed = {find_pdf_file(folder, case) for case in cases} | {
        find_words_file(folder, case) for case in cases if not case.negative
    }
    missing = sorted(str(each) for each in needed if not each.is_file())
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise Misuse(f"There is no {missing[0]}{more}.", "The folder needs every case's PDF, and its words.")
    return cases


def find_pdf_file(folder: Path, case: LocateCase) -> Path:
    """Return the file of a case."""
    return folder / "pdfs" / case.file


def find_words_file(folder: Path, case: LocateCase) -> Path:
    """Return the file of words that the gold of a case refers to."""
    return folder / "words" / f"{case.file}.{case.extractor}.json.gz"


def _parse_case(entry: dict[str, Any]) -> LocateCase:
    gold = tuple(
        tuple((int(page), int(first), int(last)) for page, first, last in alternative) for alternative in entry["gold"]
    )
    negative = bool(entry["negative"])
    if not gold and not negative:
        raise ValueError("a passage to find has a place")
    return LocateCase(
        id=entry["id"],
        file=str(entry["file"]),
        text=str(entry["text"]),
        pages=tuple(int(page) for page in entry.get("pages") or ()),
        negative=negative,
        core=bool(entry["core"]),
        kind=str(entry["kind"]),
        change=str(entry["change"]),
        extractor=str(entry["extractor"]),
        gold=gold,
    )
