"""List the sentences of some evidence, each with its words and the words above it, for a summary or a report."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.answer.extractive.flat_text import flatten_text
from pincite.answer.extractive.question_words import collect_words, measure_overlap
from pincite.types import Evidence

_LONGEST_TITLE = 110
_ENDED = re.compile(r"[.!…;:»”\")]$")
_MARKED = re.compile(r"#{1,6}\s")  # a heading in Markdown
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.M)
_SAME = 0.75  # of the words of two sentences that say the same


@dataclass(frozen=True, slots=True)
class CandidateSentence:
    """A sentence of some evidence, its words, those above it and those of its whole passage."""

    evidence: Evidence
    number: int
    start: int
    end: int
    text: str
    words: frozenset[str]
    heading: str
    above: frozenset[str]
    passage: frozenset[str]
    is_title: bool

    @property
    def place(self) -> tuple[str, int]:
        """The document of the sentence and its offset there."""
        return self.evidence.span.document, self.start

    @property
    def raw(self) -> str:
        return self.evidence.quote(self.start, self.end)


def list_candidate_sentences(evidence: Sequence[Evidence]) -> list[CandidateSentence]:
    """Return every sentence of the evidence; where two passages share one, it is taken once."""
    found, seen = [], set()
    for source in evidence:
        own = list(_list_sentences(source))
        passage = frozenset[str]().union(*(one.words for one in own))
        for one in own:
            if one.place not in seen:
                seen.add(one.place)
                found.append(replace(one, passage=passage))
    return found


def _list_sentences(source: Evidence) -> Iterator[CandidateSentence]:
    """Yield the sentences of one evidence, and the rows of its tables, each with what stands above it."""
    around = collect_words(" ".join((source.title, *source.headings)))
    heading, above = "", around
    for number, sentence in enumerate(source.sentences, 1):
        rows = _split_rows(source, *sentence)
        top = flatten_text(source.quote(*rows[0])) if len(rows) > 1 else ""
        over = above | collect_words(top) if top else above
        for start, end in rows:
            text = flatten_text(source.quote(start, end))
            words = collect_words(text)
            is_title = (bool(top) and start == rows[0][0]) or _is_title(text, source.quote(end, end + 1))
            yield CandidateSentence(
                source, number, start, end, text, words, top or heading, over, frozenset(), is_title
            )
        if not top and is_title:
            heading, above = text, around | words


def is_repeat(one: CandidateSentence, others: Sequence[CandidateSentence]) -> bool:
    """Whether a sentence repeats one of these."""
    return any(measure_overlap(one.words, other.words) >= _SAME for other in others)


def _split_rows(source: Evidence, start: int, end: int) -> list[tuple[int, int]]:
    """Return the rows of a Markdown table, which the sentence splitter does not split, or the sentence itself."""
    found = [row.span() for row in _ROW.finditer(source.quote(start, end)) if any(map(str.isalnum, row[0]))]
    return [(start + a, start + b) for a, b in found] if len(found) > 1 else [(start, end)]


def _is_title(text: str, after: str) -> bool:
    """Whether a short line without a full stop is a title above the text that follows."""
    if _MARKED.match(text):
        return True
    if not text or len(text) > _LONGEST_TITLE or " | " in text or not text[0].isalnum():
        return False
    return text.endswith("?") or (after == "\n" and not _ENDED.search(text))
