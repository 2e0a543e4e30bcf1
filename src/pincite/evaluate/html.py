"""Web pages against what people marked as their article: main content, title and date, beside other readers."""

import gzip
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.declared import Declared, address_day, declared, same_title, within_a_day
from pincite.evaluate.machine import about
from pincite.evaluate.shingles import Counts, compare, figures
from pincite.evaluate.store import Say
from pincite.reading import Source, markup, read
from pincite.reading.draft import Draft
from pincite.reading.html import text_of
from pincite.types import Document

_SHAPE = (
    'ground-truth.json has {"KEY": {"articleBody": …, "url": …}}, and html/KEY.html or html/KEY.html.gz is the page'
)


@dataclass(frozen=True, slots=True)
class Case:
    """A page and what a person marked as its article."""

    key: str
    page: bytes
    gold: str
    address: str

    @property
    def half(self) -> str:
        """Which half of the set it is in, by its key's hash: rules are made looking at the first one only."""
        return "second half" if hashlib.sha256(self.key.encode()).digest()[0] % 2 else "first half"


def evaluate(folder: Path, say: Say) -> dict[str, Any]:
    """Precision, recall and F1 of each reader by half and over all, its speed, and how titles and dates agree."""
    cases = _cases(folder)
    documents: list[Document] = []
    rows: dict[str, Any] = {}
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "page.html"

        def ours(case: Case) -> str:
            path.write_bytes(case.page)
            documents.append(read(Source(path, "page.html")))
            return _body(documents[-1])

        readers: dict[str, Callable[[Case], str]] = {
            "pincite": ours,
            "trafilatura": _trafilatura,
            "readability": _readability,
            "all that is visible": _visible,
        }
        for name, reader in readers.items():
            texts, spent = [], 0.0
            for number, case in enumerate(cases, 1):
                say(f"{name}: {number}/{len(cases)} pages")
                begun = time.process_time()
                texts.append(reader(case))
                spent += time.process_time() - begun
            rows[name] = _row(cases, texts) | {"pages_per_cpu_second": round(len(cases) / max(spent, 1e-6), 1)}
    rows["pincite, the title too"] = _row(cases, [document.text for document in documents])
    return {
        "set": folder.name,
        "pages": len(cases),
        "about": f"{folder.name}: {len(cases)} pages; {about()}",
        "readers": rows,
        **_facts(cases, documents),
    }


def _row(cases: Sequence[Case], texts: Sequence[str]) -> dict[str, Any]:
    counted: list[tuple[str, Counts]] = [(c.half, compare(t, c.gold)) for c, t in zip(cases, texts, strict=True)]
    halves = {half: [counts for of, counts in counted if of == half] for half in ("first half", "second half")}
    groups = {"all": [counts for _, counts in counted], **halves}
    return {name: figures(group) for name, group in groups.items()}


def _body(document: Document) -> str:
    """A document's text without the title it begins with: the article's body, as the people marked it."""
    first = document.blocks[0] if document.blocks else None
    return document.text[first.end :] if first and first.kind == "heading" and first.level == 1 else document.text


def _trafilatura(case: Case) -> str:
    import trafilatura

    return trafilatura.extract(text_of(case.page), include_comments=False) or ""


def _readability(case: Case) -> str:
    from trafilatura.readability_lxml import Document as Readability

    root = markup.parse(text_of(case.page))
    return "" if root is None else _written(markup.parse(Readability(root).summary()))


def _visible(case: Case) -> str:
    return _written(markup.parse(text_of(case.page)))


def _written(root: Any) -> str:
    draft = Draft()
    if root is not None:
        markup.write(root, draft)
    return draft.document("html").text


def _facts(cases: Sequence[Case], documents: Sequence[Document]) -> dict[str, dict[str, int]]:
    """How often a title and a date are found, and how often they are what the page says of itself."""
    said: list[Declared] = [declared(markup.parse(text_of(case.page))) for case in cases]
    titles = [document.title if document.title != "page" else "" for document in documents]
    days = [document.metadata.get("date", "") for document in documents]
    by_address = [address_day(case.address) for case in cases]
    return {
        "titles": {
            "found": sum(map(bool, titles)),
            "declared": sum(bool(one.titles) for one in said),
            "agree": sum(same_title(title, one.titles) for title, one in zip(titles, said, strict=True)),
        },
        "dates": {
            "found": sum(map(bool, days)),
            "declared": sum(bool(one.days) for one in said),
            "agree": sum(within_a_day(day, one.days) for day, one in zip(days, said, strict=True)),
            "in_address": sum(map(bool, by_address)),
            "agree_with_address": sum(
                within_a_day(day, (other,)) for day, other in zip(days, by_address, strict=True) if other
            ),
        },
    }


def _cases(folder: Path) -> list[Case]:
    truth = folder / "ground-truth.json"
    if not truth.is_file():
        raise Misuse(f"There is no ground-truth.json in {folder}.", f"{_SHAPE}.")
    try:
        entries = [(str(key), str(e["articleBody"]), str(e.get("url", ""))) for key, e in _loaded(truth).items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Misuse(f"{truth} is not what it should be.", f"{_SHAPE}.") from None
    if not entries:
        raise Misuse(f"There are no pages in {truth}.", f"{_SHAPE}.")
    return [Case(key, _page(folder, key), gold, address) for key, gold, address in sorted(entries)]


def _loaded(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _page(folder: Path, key: str) -> bytes:
    plain = folder / "html" / f"{key}.html"
    try:
        return plain.read_bytes() if plain.exists() else gzip.decompress(plain.with_suffix(".html.gz").read_bytes())
    except (OSError, EOFError, ValueError) as error:
        raise Misuse(f"The page {key} of the set cannot be read: {error}", f"{_SHAPE}.") from None
