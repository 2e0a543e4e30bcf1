"""The sources of an answer as a bibliography: each once, with its pages, its address and the day it was read there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.events import Answer, Citation
from pincite.store import documents
from pincite.store.database import Database

Facts = Mapping[str, Mapping[str, str]]  # what is known of documents besides what they say, by their ids

HEADING = {"en": "Bibliography", "fr": "Bibliographie"}
_PAGES = {"en": ("page", "pages"), "fr": ("page", "pages")}
_READ = {"en": "read on {}", "fr": "lu le {}"}
_DAY = 10  # characters of a day in ISO


@dataclass(frozen=True, slots=True)
class Work:
    """A source that was cited: who wrote it, its title, the pages, where on the web it is, and when it was read."""

    title: str
    pages: tuple[int, ...] = ()
    url: str | None = None
    author: str = ""
    day: str = ""

    def told(self, language: str = "en") -> str:
        """All of it but the address, on one line."""
        word = _PAGES[language][len(self.pages) > 1]
        parts = [
            " ".join(self.author.split()),
            " ".join(self.title.split()),
            f"{word} {_ranges(self.pages)}" if self.pages else "",
            _READ[language].format(self.day) if self.day else "",
        ]
        return ", ".join(part for part in parts if part)


def bibliography(answer: Answer, facts: Facts) -> list[Work]:
    """The sources of an answer, in the order in which it first cites them."""
    pages: dict[str, set[int]] = {}
    first: dict[str, Citation] = {}
    for citation in answer.citations:
        first.setdefault(citation.document, citation)
        shown = {box.page for box in citation.boxes} or ({citation.page} if citation.page else set())
        pages.setdefault(citation.document, set()).update(shown)
    return [
        Work(
            title=citation.title,
            pages=tuple(sorted(pages[document])),
            url=citation.url,
            author=facts.get(document, {}).get("author", ""),
            day=facts.get(document, {}).get("fetched", "")[:_DAY],
        )
        for document, citation in first.items()
    ]


def facts(database: Database, owner: str, answers: Sequence[Answer]) -> dict[str, Mapping[str, str]]:
    """What is known of the documents that answers cite; those that were removed since are left out."""
    cited = list(dict.fromkeys(citation.document for answer in answers for citation in answer.citations))
    if not cited:
        return {}
    with database.reading() as connection:
        return {each.id: each.metadata for each in documents.all_of(connection, cited) if each.owner == owner}


def _ranges(pages: Sequence[int]) -> str:
    """Page numbers in order, those in a row as one: 3, 7–9."""
    starts = [pages[0], *(b for a, b in pairwise(pages) if b != a + 1)]
    ends = [*(a for a, b in pairwise(pages) if b != a + 1), pages[-1]]
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True))
