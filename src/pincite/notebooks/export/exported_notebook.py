"""Prepare a notebook for every file format: its things in order, each as a small answer with numbered footnotes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pincite.conversations.export.footnotes import describe_source
from pincite.conversations.verdict_wording import describe_citation
from pincite.events import Answer, Citation, Usage
from pincite.notebooks.kept_items import read_proof
from pincite.notebooks.kept_tables import add_mark, is_table
from pincite.store import notebook_items, notebooks
from pincite.store.database import Database
from pincite.store.notebook_items import StoredItem
from pincite.store.notebooks import StoredNotebook

Language = str  # "en" or "fr"
KEPT_ON = {"en": "notebook, {}", "fr": "carnet, {}"}
QUESTION = {"en": "Question: {}", "fr": "Question\u00a0: {}"}
COMMENT = {"en": "Comment: {}", "fr": "Commentaire\u00a0: {}"}


@dataclass(frozen=True, slots=True)
class ExportedItem:
    """A kept thing as an answer of its own, and the number of its first footnote in the whole file."""

    stored: StoredItem
    answer: Answer
    first: int

    @property
    def is_quote(self) -> bool:
        """Whether it is shown as a quote: it is a passage, and no table."""
        return self.stored.kind == "passage" and not is_table(self.stored.text)

    def number(self, n: int) -> int:
        """Return the number of a footnote in the file, by the number of the citation in the thing."""
        return self.first + [each.n for each in self.answer.citations].index(n)


@dataclass(frozen=True, slots=True)
class ExportedNotebook:
    """A notebook with its things in order."""

    about: StoredNotebook
    items: tuple[ExportedItem, ...]

    @property
    def changed(self) -> datetime:
        """The time of the last change."""
        return datetime.fromtimestamp(self.about.updated, UTC)


def read_notebook(database: Database, owner: str, notebook: str) -> ExportedNotebook:
    """Return one of the owner's notebooks with everything in it; raise `NotFound` if there is none."""
    with database.reading() as connection:
        about = notebooks.get(connection, owner, notebook)
        return _number_items(about, notebook_items.find(connection, owner, notebook))


def _number_items(about: StoredNotebook, found: Sequence[StoredItem]) -> ExportedNotebook:
    items, first = [], 1
    for stored in found:
        proof = read_proof(stored)
        answer = Answer(
            answer=add_mark(stored.text) if stored.kind == "passage" and is_table(stored.text) else stored.text,
            refused=False,
            question=stored.question,
            model="",
            sentences=list(proof.sentences),
            citations=list(proof.citations),
            usage=Usage(input_tokens=0, output_tokens=0, requests=0),
        )
        items.append(ExportedItem(stored, answer, first))
        first += len(answer.citations)
    return ExportedNotebook(about, tuple(items))


def describe_footnote(item: ExportedItem, citation: Citation, language: Language) -> tuple[str, str, str]:
    """Return the parts of a footnote: the source with its page, the quote, and why it is verified.

    The quote of a kept passage stands in the text already.
    """
    quote = "" if item.stored.kind == "passage" else citation.quote
    basis = describe_citation(item.answer.sentences, citation.n, language)
    return describe_source(item.answer, citation, language), quote, basis
