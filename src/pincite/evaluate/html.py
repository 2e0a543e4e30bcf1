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
from pincite.evaluate.shingles import Counts, compare, figures, lead
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
    texts: dict[str, list[str]] = {}
    speeds: dict[str, float] = {}
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "page.html"

        def ours(case: Case) -> str:
            path.write_bytes(case.page)
            documents.append(read(Source(path, "page.html")))
            return documents[-1].text

        readers: dict[str, Callable[[Case], str]] = {
            "pincite": ours,
            "trafilatura": _trafilatura,
            "readability": _readability,
            "all that is visible": _visible,
        }
        for reader in readers.values():
            reader(cases[0])  # what a reader is made of is loaded with its first page, which is not timed
        documents.clear()
        for name, reader in readers.items():
            begun, texts[name] = time.process_time(), []
            for number, case in enumerate(cases, 1):
                say(f"{name}: {number}/{len(cases)} pages")
                texts[name].append(reader(case))
            speeds[name] = round(len(cases) / max(time.process_time() - begun, 1e-6), 1)
    trees = [markup.parse(text_of(case.page)) for case in cases]
    said = [declared(tree) for tree in trees]
    titles = [_titles(tree, known) for tree, known in zip(trees, said, strict=True)]
    counted = {name: _counted(cases, list(map(untitled, found, titles))) for name, found in texts.items()}
    counted |= {f"{name}, title and all": _counted(cases, texts[name]) for name in ("pincite", "trafilatura")}
    return {
        "set": folder.name,
        "pages": len(cases),
        "about": f"{folder.name}: {len(cases)} pages; {about()}",
        "readers": {
            name: {group: figures(found) for group, found in _grouped(cases, counts).items()}
            for name, counts in counted.items()
        },
        "lead": {name: _leads(cases, counted["pincite"], counted[name]) for name in readers if name != "pincite"},
        "pages_per_cpu_second": speeds,
        **_facts(cases, documents, said),
    }


def _counted(cases: Sequence[Case], texts: Sequence[str]) -> list[Counts]:
    return [compare(text, case.gold) for case, text in zip(cases, texts, strict=True)]


def _grouped(cases: Sequence[Case], counts: Sequence[Counts]) -> dict[str, list[Counts]]:
    groups: dict[str, list[Counts]] = {"all": list(counts), "first half": [], "second half": []}
    for case, count in zip(cases, counts, strict=True):
        groups[case.half].append(count)
    return groups


def _leads(cases: Sequence[Case], ours: Sequence[Counts], theirs: Sequence[Counts]) -> dict[str, dict[str, float]]:
    other = _grouped(cases, theirs)
    return {group: lead(counts, other[group]) for group, counts in _grouped(cases, ours).items()}


def _titles(root: Any, said: Declared) -> tuple[str, ...]:
    headings = () if root is None else tuple(markup.content(heading) for heading in root.iter("h1"))
    return said.titles + headings


def untitled(text: str, titles: Sequence[str]) -> str:
    """A text without a first line that is the page's title: whoever marked the article's body left it out."""
    first, _, rest = text.partition("\n")
    return rest if same_title(first, titles) else text


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


def _facts(cases: Sequence[Case], documents: Sequence[Document], said: Sequence[Declared]) -> dict[str, dict[str, int]]:
    """How often a title and a date are found, and how often they are what the page says of itself."""
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
