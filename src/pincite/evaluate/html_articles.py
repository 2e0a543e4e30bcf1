"""Measure the main content, title and date of web pages against human annotations, compared with other readers."""

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
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.page_metadata import PageMetadata, find_address_day, is_same_title, is_within_day, read_metadata
from pincite.evaluate.shingles import Counts, compare_texts, compute_figures, compute_lead
from pincite.reading import Source, html_blocks, read
from pincite.reading.document_draft import Draft
from pincite.reading.html import decode_page
from pincite.types import Document

_SHAPE = (
    'ground-truth.json has {"KEY": {"articleBody": …, "url": …}}, and html/KEY.html or html/KEY.html.gz is the page'
)


@dataclass(frozen=True, slots=True)
class ArticleCase:
    """A page and the article that a person marked in it."""

    key: str
    page: bytes
    gold: str
    address: str

    @property
    def half(self) -> str:
        """The half of the set, by the hash of its key: rules were developed on the first half only."""
        return "second half" if hashlib.sha256(self.key.encode()).digest()[0] % 2 else "first half"


def evaluate(folder: Path, say: ReportStatus) -> dict[str, Any]:
    """Return precision, recall and F1 of each reader by half and over all.

    Also return its speed, and the agreement of titles and dates.
    """
    cases = _read_cases(folder)
    documents: list[Document] = []
    texts: dict[str, list[str]] = {}
    speeds: dict[str, float] = {}
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "page.html"

        def ours(case: ArticleCase) -> str:
            path.write_bytes(case.page)
            documents.append(read(Source(path, "page.html")))
            return documents[-1].text

        readers: dict[str, Callable[[ArticleCase], str]] = {
            "pincite": ours,
            "trafilatura": _read_with_trafilatura,
            "readability": _read_with_readability,
            "all that is visible": _read_visible,
        }
        for reader in readers.values():
            reader(cases[0])  # load the libraries with the first page, which is not timed
        documents.clear()
        for name, reader in readers.items():
            begun, texts[name] = time.process_time(), []
            for number, case in enumerate(cases, 1):
                say(f"{name}: {number}/{len(cases)} pages")
                texts[name].append(reader(case))
            speeds[name] = round(len(cases) / max(time.process_time() - begun, 1e-6), 1)
    trees = [html_blocks.parse_html(decode_page(case.page)) for case in cases]
    metadata = [read_metadata(tree) for tree in trees]
    titles = [_list_titles(tree, known) for tree, known in zip(trees, metadata, strict=True)]
    counted = {name: _count_runs(cases, list(map(strip_title, found, titles))) for name, found in texts.items()}
    counted |= {f"{name}, title and all": _count_runs(cases, texts[name]) for name in ("pincite", "trafilatura")}
    return {
        "set": folder.name,
        "pages": len(cases),
        "about": f"{folder.name}: {len(cases)} pages; {describe_machine()}",
        "readers": {
            name: {group: compute_figures(found) for group, found in _group_by_half(cases, counts).items()}
            for name, counts in counted.items()
        },
        "lead": {
            name: _measure_leads(cases, counted["pincite"], counted[name]) for name in readers if name != "pincite"
        },
        "pages_per_cpu_second": speeds,
        **_compare_facts(cases, documents, metadata),
    }


def _count_runs(cases: Sequence[ArticleCase], texts: Sequence[str]) -> list[Counts]:
    return [compare_texts(text, case.gold) for case, text in zip(cases, texts, strict=True)]


def _group_by_half(cases: Sequence[ArticleCase], counts: Sequence[Counts]) -> dict[str, list[Counts]]:
    groups: dict[str, list[Counts]] = {"all": list(counts), "first half": [], "second half": []}
    for case, count in zip(cases, counts, strict=True):
        groups[case.half].append(count)
    return groups


def _measure_leads(
    cases: Sequence[ArticleCase], ours: Sequence[Counts], theirs: Sequence[Counts]
) -> dict[str, dict[str, float]]:
    other = _group_by_half(cases, theirs)
    return {group: compute_lead(counts, other[group]) for group, counts in _group_by_half(cases, ours).items()}


def _list_titles(root: Any, said: PageMetadata) -> tuple[str, ...]:
    headings = () if root is None else tuple(html_blocks.extract_text(heading) for heading in root.iter("h1"))
    return said.titles + headings


def strip_title(text: str, titles: Sequence[str]) -> str:
    """Return a text without a first line that is the page's title, which the annotated body does not contain."""
    first, _, rest = text.partition("\n")
    return rest if is_same_title(first, titles) else text


def _read_with_trafilatura(case: ArticleCase) -> str:
    import trafilatura

    return trafilatura.extract(decode_page(case.page), include_comments=False) or ""


def _read_with_readability(case: ArticleCase) -> str:
    from trafilatura.readability_lxml import Document as Readability

    root = html_blocks.parse_html(decode_page(case.page))
    return "" if root is None else _write_text(html_blocks.parse_html(Readability(root).summary()))


def _read_visible(case: ArticleCase) -> str:
    return _write_text(html_blocks.parse_html(decode_page(case.page)))


def _write_text(root: Any) -> str:
    draft = Draft()
    if root is not None:
        html_blocks.write_blocks(root, draft)
    return draft.document("html").text


def _compare_facts(
    cases: Sequence[ArticleCase], documents: Sequence[Document], said: Sequence[PageMetadata]
) -> dict[str, dict[str, int]]:
    """Count how often a title and a date are found, and how often they agree with the page's own metadata."""
    titles = [document.title if document.title != "page" else "" for document in documents]
    days = [document.metadata.get("date", "") for document in documents]
    by_address = [find_address_day(case.address) for case in cases]
    return {
        "titles": {
            "found": sum(map(bool, titles)),
            "declared": sum(bool(one.titles) for one in said),
            "agree": sum(is_same_title(title, one.titles) for title, one in zip(titles, said, strict=True)),
        },
        "dates": {
            "found": sum(map(bool, days)),
            "declared": sum(bool(one.days) for one in said),
            "agree": sum(is_within_day(day, one.days) for day, one in zip(days, said, strict=True)),
            "in_address": sum(map(bool, by_address)),
            "agree_with_address": sum(
                is_within_day(day, (other,)) for day, other in zip(days, by_address, strict=True) if other
            ),
        },
    }


def _read_cases(folder: Path) -> list[ArticleCase]:
    truth = folder / "ground-truth.json"
    if not truth.is_file():
        raise Misuse(f"There is no ground-truth.json in {folder}.", f"{_SHAPE}.")
    try:
        entries = [(str(key), str(e["articleBody"]), str(e.get("url", ""))) for key, e in _load_json(truth).items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Misuse(f"{truth} does not have the expected format.", f"{_SHAPE}.") from None
    if not entries:
        raise Misuse(f"There are no pages in {truth}.", f"{_SHAPE}.")
    return [ArticleCase(key, _read_page(folder, key), gold, address) for key, gold, address in sorted(entries)]


def _load_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _read_page(folder: Path, key: str) -> bytes:
    plain = folder / "html" / f"{key}.html"
    try:
        return plain.read_bytes() if plain.exists() else gzip.decompress(plain.with_suffix(".html.gz").read_bytes())
    except (OSError, EOFError, ValueError) as error:
        raise Misuse(f"The page {key} of the set cannot be read: {error}", f"{_SHAPE}.") from None
