"""Build the bibliography of an answer: each source once, with author, pages, address and the day it was fetched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pincite.events import Answer, Citation
from pincite.store import documents
from pincite.store.database import Database

Facts = Mapping[str, Mapping[str, str]]  # metadata of documents by id

HEADING = {"en": "Bibliography", "fr": "Bibliographie"}
_PAGES = {"en": ("page", "pages"), "fr": ("page", "pages")}
_READ = {"en": "read on {}", "fr": "lu le {}"}
_DAY = 10  # characters of a day in ISO
_SLIDE = "slide"


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A cited source: author, title, pages, address and the day it was fetched."""

    title: str
    pages: tuple[int, ...] = ()
    labels: Mapping[int, str] = field(default_factory=dict)  # the printed number of a page, where it is another
    url: str | None = None
    author: str = ""
    day: str = ""

    def describe(self, language: str = "en") -> str:
        """Return the entry without its address, on one line."""
        word = _PAGES[language][len(self.pages) > 1]
        parts = [
            " ".join(self.author.split()),
            " ".join(self.title.split()),
            f"{word} {format_ranges(self.pages, self.labels)}" if self.pages else "",
            _READ[language].format(self.day) if self.day else "",
        ]
        return ", ".join(part for part in parts if part)


def make_bibliography(answer: Answer, facts: Facts) -> list[CitedWork]:
    """Return the sources of an answer in the order of their first citation."""
    cited: dict[str, list[Citation]] = {}
    for citation in answer.citations:
        cited.setdefault(citation.document, []).append(citation)
    return [
        CitedWork(
            title=citations[0].title,
            pages=tuple(pages := list_cited_pages(citations)),
            labels={page: label for page, label in pages.items() if label and not label.startswith(_SLIDE)},
            url=citations[0].url,
            author=facts.get(document, {}).get("author", ""),
            day=facts.get(document, {}).get("fetched", "")[:_DAY],
        )
        for document, citations in cited.items()
    ]


def list_cited_pages(citations: Sequence[Citation]) -> dict[int, str]:
    """Return the cited pages of one document in order, each with its label: a printed number, "slide 2", or ""."""
    found: dict[int, str] = {}
    for citation in citations:
        for page in {box.page for box in citation.boxes} or ({citation.page} if citation.page else set()):
            found[page] = (citation.label if page == citation.page else "") or found.get(page, "")
    return dict(sorted(found.items()))


def describe_pages(pages: Mapping[int, str]) -> str:
    """Return pages by their printed numbers, such as "iv, 3–5" or "slides 2, 7"; "" for none."""
    if not pages:
        return ""
    if all(label.startswith(_SLIDE) for label in pages.values()):
        return f"{_SLIDE}{'s' if len(pages) > 1 else ''} {format_ranges(tuple(pages))}"
    return format_ranges(tuple(pages), {page: label for page, label in pages.items() if label})


def load_document_facts(database: Database, owner: str, answers: Sequence[Answer]) -> dict[str, Mapping[str, str]]:
    """Return the metadata of the documents that answers cite, without documents that were removed since."""
    cited = list(dict.fromkeys(citation.document for answer in answers for citation in answer.citations))
    if not cited:
        return {}
    with database.reading() as connection:
        return {each.id: each.metadata for each in documents.get_many(connection, owner, cited)}


def format_ranges(pages: Sequence[int], labels: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return page numbers with ranges, such as "3, 7–9". A page with a label has that in place of its number."""
    runs: list[list[int]] = []
    for page in pages:
        follows = bool(runs) and page == runs[-1][-1] + 1
        if follows and _is_number(labels.get(page)) == _is_number(labels.get(page - 1)):
            runs[-1].append(page)
        else:
            runs.append([page])
    shown = ([labels.get(page, str(page)) for page in (run[0], run[-1])] for run in runs)
    return ", ".join(first if first == last else f"{first}–{last}" for first, last in shown)


def _is_number(label: str | None) -> bool:
    return label is None or label.isdecimal()
