"""Find the source of a sentence that cites none, among the evidence of its answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.proof.pin import (
    SMALL_WORDS,
    cover_terms,
    find_quote,
    join_pins,
    list_spans,
    list_terms,
    split_body,
    strip_markup,
)
from pincite.text.squeeze import squeeze
from pincite.types import Evidence, Pin, Span

# The share of a sentence's terms that a few sentences of a source must hold, and the fewest terms. Chosen on half of
# expertqa: docs/benchmarks.md.
_HELD, _FEWEST_TERMS = 0.6, 2


@dataclass(frozen=True, slots=True)
class _KnownEvidence:
    """The parts of an evidence that are compared with each sentence: its letters, and the terms of its sentences."""

    letters: str
    terms: tuple[frozenset[str], ...]
    everything: frozenset[str]
    body: frozenset[int]
    heads: frozenset[int]


class SourceFinder:
    """Finds sources for the sentences of one answer. It remembers the words of each evidence."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Span], _KnownEvidence] = {}

    def find(self, sentence: str, evidence: Sequence[Evidence]) -> Pin | None:
        """Return the stretch of some evidence that has a sentence word for word, else most of its words.

        A few sentences of one evidence must hold them, and all of the figures. The stretch may support the sentence:
        shared words do not decide.
        """
        text = strip_markup(sentence)
        letters = squeeze(text).text
        for each in evidence:
            if letters in self._read(each).letters and (quote := find_quote(text, each)):
                return quote
        wanted = list_terms(text)
        best, most = None, 0.0
        for each in evidence:
            chosen, share = self._measure(wanted, each)
            if share > most:
                best, most = join_pins(each, chosen)[0], share
        return best if most >= _HELD else None

    def _measure(self, wanted: frozenset[str], evidence: Evidence) -> tuple[list[int], float]:
        """Return the sentences of an evidence with most of the wanted terms, and their share; 0 without a figure."""
        content = wanted - SMALL_WORDS
        known = self._read(evidence)
        if len(content) < _FEWEST_TERMS or len(content & known.everything) < _HELD * len(content):
            return [], 0.0
        chosen = sorted(cover_terms(wanted, known.terms, known.body, known.heads))
        held = frozenset[str]().union(*(known.terms[index] for index in chosen))
        lacks_figure = any(term[0].isdigit() for term in content - held)
        return chosen, 0.0 if lacks_figure or not chosen else len(content & held) / len(content)

    def _read(self, evidence: Evidence) -> _KnownEvidence:
        key = evidence.number, evidence.span  # an evidence may grow
        if key not in self._known:
            terms = tuple(list_terms(evidence.quote(*span)) for span in list_spans(evidence))
            everything = frozenset[str]().union(*terms)
            self._known[key] = _KnownEvidence(squeeze(evidence.text).text, terms, everything, *split_body(evidence))
        return self._known[key]
