"""A sentence of an answer to the characters it rests on: the place where it is quoted, or the sentences it cites.

Shared words decide only where to point. They never decide whether the source supports the sentence.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.squeeze import squeeze
from pincite.text.display import join_broken_words
from pincite.types import Evidence, Pin, Span

Meaning = Callable[[Sequence[str]], NDArray[np.float32]]
Cited = tuple[Evidence, int | None]  # an evidence, and perhaps the number of a sentence of it

_SHORTEST_QUOTE = 6  # letters
_MOST = 3  # sentences of an evidence cited as a whole that a sentence is pinned to
_WORTH = 0.22  # of a claim's weight that a further sentence must add to be pinned too
_COMPARED = 40  # sentences compared by meaning where no word is shared
_SUGGESTED = 0.8  # of a claim's weight that an evidence must hold to be suggested
_CELLS = re.compile(r"\S[ ]*[\t|][ ]*\S")
# Signs that carry a meaning: figures with their points, currencies, comparisons, a minus before a figure, brackets
# around one, a question mark at the end.
_SIGN = re.compile(
    r"(?<![\w)])[-−–](?=\s?[$€£¥]?\s?\d)|\d+(?:[.,:/\s\u00a0\u202f]?\d+)*|[$€£¥¢%‰<>≤≥=≠±×÷+−^~≈]|[(\[](?=[\d.,]+[)\]])|\?\W*$"
)
_SAME_SIGN = str.maketrans({"−": "-", "–": "-", "[": "("})
_QUOTED_LINE = re.compile(r"^\s{0,40}>+\s?", re.M)
_UNENDED = re.compile(r"[\w,;-]$")
_DIGITS = re.compile(r"\d+(?:[.,\u00a0\u202f ']\d{3})*(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`|^\s{0,40}(?:[-*+•]\s+|>\s+|#{1,6}\s+)", re.M)
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s+")
_FENCE = re.compile(r"^\s{0,40}(?:`{3,}|~{3,})[^\n]*$", re.M)  # a code block's first and last line
_EDGE = 2  # characters of white space at the edge of a passage
_LONG = 300  # characters: shorter lines without a stop are items and headings
_PREFIX = 6  # letters: the ending of a word differs between a sentence and its source more often than its beginning
_FIGURE_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Pinned:
    """The stretches that a sentence cites, and the evidence in which it stands itself, word for word and whole."""

    pins: tuple[Pin, ...] = ()
    quoted: frozenset[int] = frozenset()

    @property
    def is_quote(self) -> bool:
        return bool(self.quoted)


def strip_markup(sentence: str) -> str:
    """A sentence of an answer without Markdown signs: bold, code, bullets, numbers of items, heading marks."""
    return _NUMBERED.sub("", _MARKUP.sub("", sentence)).strip()


def pin_sentence(sentence: str, cited: Sequence[Cited], meaning: Meaning | None = None) -> Pinned:
    """The stretches of the cited evidence that a sentence rests on; every evidence that is cited has at least one.

    A sentence that stands in a cited evidence word for word is pinned there. Else it is pinned to the sentences that it
    names, and of an evidence cited as a whole to those with most of its words and figures.
    """
    text = strip_markup(sentence)
    # The number of an item may be the source's own.
    numbered = _MARKUP.sub("", sentence).strip()
    quotes = {
        evidence.number: pin
        for evidence, _ in cited
        if (pin := find_quote(text, evidence) or find_quote(numbered, evidence))
    }
    named: dict[int, tuple[Evidence, list[int]]] = {}
    for evidence, number in cited:
        if evidence.number in quotes:
            continue
        numbers = named.setdefault(evidence.number, (evidence, []))[1]
        if number and number <= len(evidence.sentences):
            numbers.append(number - 1)
    pins = [
        pin
        for evidence, numbers in named.values()
        for pin in _join(evidence, list(dict.fromkeys(numbers)) or _choose(text, evidence, meaning))
    ]
    return Pinned((*dict.fromkeys(quotes.values()), *pins), frozenset(quotes))


def suggest_evidence(sentence: str, others: Sequence[Evidence]) -> Pin | None:
    """A stretch of evidence that was not cited and holds nearly all words and figures of a sentence."""
    text = strip_markup(sentence)
    wanted = _terms(text)
    figures = {term for term in wanted if term[0].isdigit()}
    for evidence in others:
        if quote := find_quote(text, evidence):
            return quote
    for evidence in others:
        held = _terms(evidence.text)
        if wanted and figures <= held and len(wanted & held) >= _SUGGESTED * len(wanted):
            return _join(evidence, _choose(text, evidence, None))[0]
    return None


def find_quote(sentence: str, evidence: Evidence) -> Pin | None:
    """The stretch of an evidence that has the very words of a sentence and is made of whole sentences or table rows.

    Letters and digits count, and so do the signs and points of figures. Spaces, quotation marks and the like do not.
    """
    wanted = squeeze(sentence).text
    if len(wanted) < _SHORTEST_QUOTE:
        return None
    letters = squeeze(evidence.text)
    first = evidence.span.start
    at = letters.text.find(wanted)
    while at >= 0:
        start, end = first + int(letters.places[at]), first + int(letters.places[at + len(wanted) - 1]) + 1
        whole = _find_rows(evidence, start, end) or _find_sentences(evidence, start, end)
        quote = _FENCE.sub("", evidence.quote(*whole))
        is_whole = len(squeeze(quote).codes) == len(wanted) and not _is_cut(evidence, *whole)
        if is_whole and _list_signs(sentence) == _list_signs(quote):
            return Pin(evidence.number, Span(evidence.span.document, *whole))
        at = letters.text.find(wanted, at + 1)
    return None


def _find_sentences(evidence: Evidence, start: int, end: int) -> tuple[int, int]:
    touched = [span for span in evidence.sentences if span[0] < end and span[1] > start]
    return (touched[0][0], touched[-1][1]) if touched else (start, end)


def _find_rows(evidence: Evidence, start: int, end: int) -> tuple[int, int] | None:
    """The whole rows of a table that a stretch consists of; None when it is no table."""
    first = evidence.span.start
    before = evidence.text.rfind("\n", 0, start - first) + 1
    after = evidence.text.find("\n", end - first)
    lines = evidence.text[before : after if after >= 0 else len(evidence.text)]
    if not all(_CELLS.search(row) for row in lines.split("\n")):
        return None
    return first + before, first + before + len(lines)


def _list_signs(text: str) -> list[str]:
    """The figures of a text with their points, and the other signs that carry a meaning, in order."""
    plain = _QUOTED_LINE.sub("", join_broken_words(text).replace("\t", " | "))
    plain = plain.replace(">=", "≥").replace("<=", "≤").strip()
    return ["".join(sign.split()).translate(_SAME_SIGN)[:40] for sign in _SIGN.findall(plain)]


def _is_cut(evidence: Evidence, start: int, end: int) -> bool:
    """Whether a stretch ends where the passage was cut, in the middle of a sentence."""
    words = evidence.quote(start, end).strip()
    begins = start <= evidence.span.start + _EDGE and words[:1].islower()
    ends = end >= evidence.span.end - _EDGE and bool(_UNENDED.search(words)) and len(words) > _LONG
    return begins or ends


def _choose(sentence: str, evidence: Evidence, meaning: Meaning | None) -> list[int]:
    """The sentences of an evidence cited as a whole, by index, that hold most of a sentence's words and figures."""
    spans = evidence.sentences or ((evidence.span.start, evidence.span.end),)
    held = [_terms(evidence.quote(*span)) for span in spans]
    wanted = _terms(sentence)
    weights = {term: _weigh(term, held) for term in wanted}
    total = sum(weights.values()) or 1.0
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < _MOST:
        best, gain = _find_best(chosen, held, wanted - covered, weights)
        lacks_figure = best >= 0 and any(term[0].isdigit() for term in (wanted - covered) & held[best])
        if best < 0 or (chosen and not lacks_figure and gain < _WORTH * total):
            break
        chosen.append(best)
        covered |= held[best] & wanted
    if not chosen:
        return [_find_nearest(sentence, [evidence.quote(*span) for span in spans], meaning)]
    return sorted(chosen)


def _find_best(
    chosen: Sequence[int],
    held: Sequence[frozenset[str]],
    lacking: frozenset[str],
    weights: dict[str, float],
) -> tuple[int, float]:
    """The sentence that holds most of the weight that is lacking; -1 when none holds any."""
    gains = [(sum(weights[term] for term in lacking & held[i]), -i) for i in range(len(held)) if i not in chosen]
    gain, index = max(gains, default=(0.0, 1))
    return (-index, gain) if gain > 0 else (-1, 0.0)


def _weigh(term: str, held: Sequence[frozenset[str]]) -> float:
    """A figure weighs double; a word weighs less the more sentences of the evidence have it."""
    count = sum(term in each for each in held)
    weight = 1.0 / (1.0 + max(count - 1, 0) / 2)
    return weight * (_FIGURE_WEIGHT if term[0].isdigit() else 1.0)


def _find_nearest(sentence: str, texts: Sequence[str], meaning: Meaning | None) -> int:
    """The text nearest in meaning, as between two languages; the first where that cannot be told."""
    if meaning is None or len(texts) < 2:
        return 0
    vectors = meaning([sentence, *texts[:_COMPARED]])
    return int((vectors[1:] @ vectors[0]).argmax()) if len(vectors) > 1 else 0


def _join(evidence: Evidence, indices: Sequence[int]) -> list[Pin]:
    """Pins for sentences by index, neighbours as one stretch, in the order they are given in."""
    spans = evidence.sentences or ((evidence.span.start, evidence.span.end),)
    runs: list[list[int]] = []
    for index in indices:
        for run in runs:
            if run[0] - 1 <= index <= run[1] + 1:
                run[:] = [min(run[0], index), max(run[1], index)]
                break
        else:
            runs.append([index, index])
    return [Pin(evidence.number, Span(evidence.span.document, spans[a][0], spans[b][1])) for a, b in runs]


def _terms(text: str) -> frozenset[str]:
    """The words of a text, cut to their beginnings and without accents, and its figures as digits."""
    plain = join_broken_words(text)
    words = {_fold(word)[:_PREFIX] for word in _WORD.findall(plain)}
    figures = {re.sub(r"\D", "", figure) for figure in _DIGITS.findall(plain)}
    return frozenset(words | figures) - {""}


@lru_cache(maxsize=50_000)
def _fold(word: str) -> str:
    """A word in lower case and without accents."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word.casefold())))
