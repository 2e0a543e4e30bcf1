"""Find the characters that a sentence of an answer rests on: the place of its quote, or the sentences it cites.

Shared words decide only where to point. They never decide whether the source supports the sentence.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.text.display import join_broken_words
from pincite.text.folding import fold_word
from pincite.text.squeeze import squeeze
from pincite.text.stopwords import STOP_WORDS
from pincite.text.words import LETTERS
from pincite.types import NON_CONTENT_KINDS, BlockKind, Evidence, Pin, Span

Meaning = Callable[[Sequence[str]], NDArray[np.float32]]
Cited = tuple[Evidence, int | None]  # an evidence, and perhaps the number of a sentence of it

_SHORTEST_QUOTE = 6  # letters
_MOST = 3  # sentences of an evidence cited as a whole that a sentence is pinned to
_WORTH = 0.22  # of a claim's weight that a further sentence must add to be pinned too
_COMPARED = 40  # sentences compared by meaning where no word is shared
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
_MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`|^\s{0,40}(?:[-*+•]\s+|>\s+|#{1,6}\s+)", re.M)
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s+")
_FENCE = re.compile(r"^\s{0,40}(?:`{3,}|~{3,})[^\n]*$", re.M)  # a code block's first and last line
_EDGE = 2  # characters of white space at the edge of a passage
_LONG = 300  # characters: shorter lines without a stop are items and headings
_PREFIX = 6  # letters: the ending of a word differs between a sentence and its source more often than its beginning
_FIGURE_WEIGHT = 2.0
SMALL_WORDS = frozenset(word[:_PREFIX] for words in STOP_WORDS.values() for word in words)


@dataclass(frozen=True, slots=True)
class PinnedSentence:
    """The stretches that a sentence cites, and the evidence that has the whole sentence word for word."""

    pins: tuple[Pin, ...] = ()
    quoted: frozenset[int] = frozenset()

    @property
    def is_quote(self) -> bool:
        return bool(self.quoted)


def strip_markup(sentence: str) -> str:
    """Return a sentence of an answer without Markdown: bold, code, bullets, item numbers, heading marks."""
    return _NUMBERED.sub("", _MARKUP.sub("", sentence)).strip()


def pin_sentence(sentence: str, cited: Sequence[Cited], meaning: Meaning | None = None) -> PinnedSentence:
    """Return the stretches of the cited evidence that a sentence rests on, at least one for each cited evidence.

    A sentence that stands word for word in a cited evidence is pinned there. Otherwise it is pinned to the
    sentences that it names; for an evidence cited as a whole, to those with most of its words and figures.
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
        for pin in join_pins(evidence, _keep_body(evidence, numbers) or _choose_sentences(text, evidence, meaning))
    ]
    return PinnedSentence((*dict.fromkeys(quotes.values()), *pins), frozenset(quotes))


def find_quote(sentence: str, evidence: Evidence) -> Pin | None:
    """Return the stretch of whole sentences or table rows of an evidence that has a sentence's exact words.

    Letters, digits, and the signs and points of figures count. Spaces, quotation marks and the like do not.
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
    """Return the whole rows of a table that a stretch consists of; None when it is no table."""
    first = evidence.span.start
    before = evidence.text.rfind("\n", 0, start - first) + 1
    after = evidence.text.find("\n", end - first)
    lines = evidence.text[before : after if after >= 0 else len(evidence.text)]
    if not all(_CELLS.search(row) for row in lines.split("\n")):
        return None
    return first + before, first + before + len(lines)


def _list_signs(text: str) -> list[str]:
    """Return the figures of a text with their points, and the other signs that carry a meaning, in order."""
    plain = _QUOTED_LINE.sub("", join_broken_words(text).replace("\t", " | "))
    plain = plain.replace(">=", "≥").replace("<=", "≤").strip()
    return ["".join(sign.split()).translate(_SAME_SIGN)[:40] for sign in _SIGN.findall(plain)]


def _is_cut(evidence: Evidence, start: int, end: int) -> bool:
    """Whether a stretch ends where the passage was cut, in the middle of a sentence."""
    words = evidence.quote(start, end).strip()
    begins = start <= evidence.span.start + _EDGE and words[:1].islower()
    ends = end >= evidence.span.end - _EDGE and bool(_UNENDED.search(words)) and len(words) > _LONG
    return begins or ends


def _keep_body(evidence: Evidence, numbers: Sequence[int]) -> list[int]:
    """Return the sentences of the body among those named, with the headings directly above; none without any."""
    body, heads = split_body(evidence)
    kept: list[int] = []
    for index in sorted(set(numbers), reverse=True):
        if index in body or (index in heads and index + 1 in kept):
            kept.append(index)
    return [index for index in dict.fromkeys(numbers) if index in kept]


def split_body(evidence: Evidence) -> tuple[frozenset[int], frozenset[int]]:
    """Return the sentences of the body and the headings of an evidence; running heads and feet are neither.

    An evidence of nothing else is all body.
    """
    kinds = [_list_block_kinds(evidence, start, end) for start, end in list_spans(evidence)]
    content = [index for index, found in enumerate(kinds) if not found or found - NON_CONTENT_KINDS]
    heads = frozenset(index for index in content if kinds[index] - NON_CONTENT_KINDS == {"heading"})
    return frozenset(content or range(len(kinds))) - heads, heads


def _list_block_kinds(evidence: Evidence, start: int, end: int) -> set[BlockKind]:
    """Return the kinds of the blocks that a stretch touches."""
    first = max(bisect_right(evidence.blocks, start, key=lambda block: block.start) - 1, 0)
    last = bisect_left(evidence.blocks, end, key=lambda block: block.start)
    return {block.kind for block in evidence.blocks[first:last] if block.end > start}


def list_spans(evidence: Evidence) -> Sequence[tuple[int, int]]:
    return evidence.sentences or ((evidence.span.start, evidence.span.end),)


def _choose_sentences(sentence: str, evidence: Evidence, meaning: Meaning | None) -> list[int]:
    """Return the indices of the sentences of an evidence that hold most of a sentence's words and figures.

    A heading is chosen with the sentence below it, or where the body has no word or figure of the sentence.
    """
    texts = [evidence.quote(*span) for span in list_spans(evidence)]
    held = [list_terms(each) for each in texts]
    wanted = list_terms(sentence)
    body, heads = split_body(evidence)
    content = {term for term in wanted if term not in SMALL_WORDS}
    if not any(content & held[index] for index in body) and any(content & held[index] for index in heads):
        body, heads = heads, frozenset()
    if chosen := cover_terms(wanted, held, body, heads):
        return sorted(chosen)
    candidates = sorted(body or heads or range(len(texts)))
    return [candidates[_find_nearest(sentence, [texts[index] for index in candidates], meaning)]]


def cover_terms(
    wanted: frozenset[str], held: Sequence[frozenset[str]], body: Collection[int], heads: Collection[int]
) -> list[int]:
    """Return the sentences that hold most of the wanted terms, each with a part that those before it lack."""
    weights = {term: _weigh_term(term, held) for term in wanted}
    total = sum(weights.values()) or 1.0
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < _MOST:
        allowed = {*body, *(index for index in heads if index + 1 in chosen)}.difference(chosen)
        best, gain = _find_best(allowed, held, wanted - covered, weights)
        lacks_figure = best >= 0 and any(term[0].isdigit() for term in (wanted - covered) & held[best])
        if best < 0 or (chosen and not lacks_figure and gain < _WORTH * total):
            break
        chosen.append(best)
        covered |= held[best] & wanted
    return chosen


def _find_best(
    allowed: Collection[int],
    held: Sequence[frozenset[str]],
    lacking: frozenset[str],
    weights: dict[str, float],
) -> tuple[int, float]:
    """Return the allowed sentence that holds most of the weight that is lacking; -1 when none holds any."""
    gains = [(sum(weights[term] for term in lacking & held[i]), -i) for i in allowed]
    gain, index = max(gains, default=(0.0, 1))
    return (-index, gain) if gain > 0 else (-1, 0.0)


def _weigh_term(term: str, held: Sequence[frozenset[str]]) -> float:
    """Return the weight of a term: a figure weighs double, a word that many sentences have weighs less."""
    count = sum(term in each for each in held)
    weight = 1.0 / (1.0 + max(count - 1, 0) / 2)
    return weight * (_FIGURE_WEIGHT if term[0].isdigit() else 1.0)


def _find_nearest(sentence: str, texts: Sequence[str], meaning: Meaning | None) -> int:
    """Return the text nearest in meaning, for two languages for instance; the first one without an embedder."""
    if meaning is None or len(texts) < 2:
        return 0
    vectors = meaning([sentence, *texts[:_COMPARED]])
    return int((vectors[1:] @ vectors[0]).argmax()) if len(vectors) > 1 else 0


def join_pins(evidence: Evidence, indices: Sequence[int]) -> list[Pin]:
    """Return pins for sentences by index, in the given order; neighbours become one stretch."""
    spans = list_spans(evidence)
    runs: list[list[int]] = []
    for index in indices:
        for run in runs:
            if run[0] - 1 <= index <= run[1] + 1:
                run[:] = [min(run[0], index), max(run[1], index)]
                break
        else:
            runs.append([index, index])
    return [Pin(evidence.number, Span(evidence.span.document, spans[a][0], spans[b][1])) for a, b in runs]


def list_terms(text: str) -> frozenset[str]:
    """Return the words of a text, cut to their beginnings and without accents, and its figures as digits."""
    plain = join_broken_words(text)
    words = {fold_word(word)[:_PREFIX] for word in LETTERS.findall(plain) if len(word) > 1}
    figures = {re.sub(r"\D", "", figure) for figure in _DIGITS.findall(plain)}
    return frozenset(words | figures) - {""}
