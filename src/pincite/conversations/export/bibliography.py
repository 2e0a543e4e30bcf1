"""Build the bibliography of an answer: each source once, with author, pages, address and the day it was fetched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.events import Answer, Citation
from pincite.store import documents
from pincite.store.database import Database

Facts = Mapping[str, Mapping[str, str]]  # metadata of documents by id

HEADING = {"en": "Bibliography", "fr": "Bibliographie"}
_PAGES = {"en": ("page", "pages"), "fr": ("page", "pages")}
_READ = {"en": "read on {}", "fr": "lu le {}"}
_DAY = 10  # characters of a day in ISO


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A cited source: author, title, pages, address and the day it was fetched."""

    title: str
    pages: tuple[int, ...] = ()
    url: str | None = None
    author: str = ""
    day: str = ""

    def describe(self, language: str = "en") -> str:
        """Return the entry without its address, on one line."""
        word = _PAGES[language][len(self.pages) > 1]
        parts = [
            " ".join(self.author.split()),
            " ".join(self.title.split()),
            f"{word} {_format_ranges(self.pages)}" if self.pages else "",
            _READ[language].format(self.day) if self.day else "",
        ]
        return ", ".join(part for part in parts if part)


def make_bibliography(answer: Answer, facts: Facts) -> list[CitedWork]:
    """Return the sources of an answer in the order of their first citation."""
    pages: dict[str, set[int]] = {}
    first: dict[str, Citation] = {}
    for citation in answer.citations:
        first.setdefault(citation.document, citation)
        shown = {box.page for box in citation.boxes} or ({citation.page} if citation.page else set())
        pages.setdefault(citation.document, set()).update(shown)
    return [
        CitedWork(
            title=citation.title,
            pages=tuple(sorted(pages[document])),
            url=citation.url,
            author=facts.get(document, {}).get("author", ""),
            day=facts.get(document, {}).get("fetched", "")[:_DAY],
        )
        for document, citation in first.items()
    ]


def load_document_facts(database: Database, owner: str, answers: Sequence[Answer]) -> dict[str, Mapping[str, str]]:
    """Return the metadata of the documents that answers cite, without documents that were removed since."""
    cited = list(dict.fromkeys(citation.document for answer in answers for citation in answer.citations))
    if not cited:
        return {}
    with database.reading() as connection:
        return {each.id: each.metadata for each in documents.get_many(connection, owner, cited)}


def _format_ranges(pages: Sequence[int]) -> str:
    """Return page numbers with ranges, such as "3, 7–9"."""
    starts = [pages[0], *(b for a, b in pairwise(pages) if b != a + 1)]
    ends = [*(a for a, b in pairwise(pages) if b != a + 1), pages[-1]]
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True))
