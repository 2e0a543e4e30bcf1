"""Any passage to the characters it stands for, or an honest "not found".

The passage is looked for as it is, then with everything but its letters and digits left out, in every order the pages
can be read in; then by likeness, at the places that share most with it. Every digit must agree. When two places are
as good, or none is good enough, nothing is found: a wrong highlight is worse than none.
"""

import logging
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pincite.evidence import quotation
from pincite.evidence.align import Alignment, Indices, Stretch, align
from pincite.evidence.concordance import Concordance, Reading
from pincite.evidence.numbers import Numbers
from pincite.evidence.squeeze import Places, Squeezed, squeeze
from pincite.evidence.strays import Strays

# Every step, told as it is taken: `[PDF] …` lines at DEBUG, for whoever asks why a passage is lit or is not.
log = logging.getLogger("pincite.locate")

How = Literal["exact", "normalised", "approximate"]
Refusal = Literal["empty", "short", "repeated", "numbers", "different", "absent"]
Span = tuple[int, int]  # of the document's text, end exclusive

_SHORT = 20  # letters: a passage shorter than this must stand once, unless a page is given
_WHOLE_WORDS = 8  # letters: a passage shorter than this must be whole words
_APPROXIMATE = 16  # letters: a passage shorter than this is not looked for by likeness
_LONGEST = 20_000  # letters: nor is one longer than this
_SURE = 0.93  # a likeness that ends the search
_LEAST_ALIKE = 0.65  # of a passage's letters, where one is compared closely
_LEAST_SHARED = 0.06  # of the passage's sequences that a place must hold to be looked at
_NEAR_BEST = 0.05  # less alike than the best place so far, and no longer worth it
_NEARLY = 0.8  # a likeness at which numbers that stand elsewhere are worth looking for
_TRIES = 4  # places that are compared closely, in each order
_APART = 3  # sheets between the pieces of a passage with an ellipsis


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """A block of a passage (a paragraph or a line of it): the characters that stand for it, and how alike they are."""

    text: str
    spans: tuple[Span, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Location:
    """Where a passage stands in a document: spans of its text in order; none when it was not found.

    `refusal` says why not, and `nearest` then is the place that was most alike, to be looked at and never lit.
    """

    spans: tuple[Span, ...]
    score: float
    blocks: tuple[BlockMatch, ...]
    how: How | None = None
    refusal: Refusal | None = None
    nearest: tuple[Span, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.spans)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A passage made ready: its text, its letters and digits, its numbers, and the sheets to look at first."""

    text: str
    squeezed: Squeezed
    letters: str
    numbers: Numbers
    sheets: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place that may stand for a passage: in which order it is read, and how its letters lie over it."""

    reading: Reading
    found: Alignment
    score: float
    hinted: bool
    agrees: bool = True
    strays: int = 0

    @property
    def alike(self) -> float:
        """The share of the passage's letters that stand here."""
        return float(self.found.equal.mean())

    @property
    def is_sure(self) -> bool:
        return self.agrees and self.score > _SURE and not self.found.leaps


def locate(concordance: Concordance, text: str, pages: Collection[int] = ()) -> Location:
    """The characters a passage stands for. `pages` say where to look first, and never where not to look."""
    asked = _asked(concordance, text, pages)
    log.debug("[PDF] passage of %d characters, %d compared; pages %s", len(text), len(asked.letters), sorted(pages))
    if not asked.letters:
        return Location((), 0.0, (), refusal="empty")
    verbatim = _verbatim(concordance, asked)
    if verbatim:
        return verbatim
    bare = _asked(concordance, quotation.plain(text), pages)
    ways = [asked] if bare.letters in ("", asked.letters) else [asked, bare]
    for way in ways:
        location = _normalised(concordance, way)
        if location:
            return _told(location)
    whole = _approximate(concordance, ways[-1])
    if whole.score > _SURE and whole.found:
        return _told(whole)
    return _told(_in_pieces(concordance, ways[-1]) or whole)


def _told(location: Location) -> Location:
    for block in location.blocks:
        log.debug("[PDF] block %.60r: score %.3f, %d pieces", block.text, block.score, len(block.spans))
    log.debug("[PDF] %s, score %.3f", location.how or f"not found: {location.refusal}", location.score)
    return location


def _asked(concordance: Concordance, text: str, pages: Collection[int]) -> _Asked:
    squeezed = squeeze(text)
    sheets = frozenset(sheet for page in pages for sheet in concordance.sheets_of(page))
    return _Asked(text, squeezed, squeezed.text, Numbers(text, squeezed), sheets)


def _verbatim(concordance: Concordance, asked: _Asked) -> Location | None:
    """The passage as it is, character for character, where it begins and ends with words of its own."""
    text, wanted = concordance.document.text, asked.text.strip()
    if len(asked.letters) < _SHORT:
        return None
    places = concordance.squeezed.places
    first = None
    for start in _occurrences(text, wanted):
        span = (start, start + len(wanted))
        at = int(np.searchsorted(places, start))
        found = _straight(at, len(asked.letters))
        if not asked.numbers.agree(text, concordance.own.letters, places, found):
            continue
        if not asked.sheets or concordance.sheet_at(at) in asked.sheets:
            first = span
            break
        first = first or span
    if first is None:
        return None
    log.debug("[PDF] found as it is, at %d", first[0])
    shift = first[0] - asked.text.index(wanted)
    blocks = tuple(
        BlockMatch(asked.text[a:b], ((max(a + shift, first[0]), min(b + shift, first[1])),), 1.0)
        for a, b in quotation.blocks(asked.text)
    )
    return Location((first,), 1.0, blocks, how="exact")


def _occurrences(text: str, wanted: str, most: int = 300) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0 and most:
        yield at
        at = text.find(wanted, at + 1)
        most -= 1


def _straight(at: int, count: int) -> Alignment:
    return Alignment(np.arange(at, at + count), np.ones(count, np.bool_), [(at, at + count)])


def _normalised(concordance: Concordance, asked: _Asked) -> Location | None:
    """The passage by its letters and digits alone, in any order of reading; a place on a hinted page goes first."""
    count = len(asked.letters)
    best: _Candidate | None = None
    refusal: Refusal | None = None
    for reading in concordance.readings():
        places = [at for at in _occurrences(reading.letters, asked.letters) if _stands(concordance, reading, asked, at)]
        hinted = [at for at in places if concordance.sheet_at(at) in asked.sheets]
        log.debug("[PDF] %s: %d places, %d on the pages given", reading.order, len(places), len(hinted))
        if count < _SHORT and len(hinted or places) > 1 and not best:
            refusal = "repeated"
            continue
        for at in hinted[:1] or places[:1]:
            if best is None or (hinted and not best.hinted):
                best = _Candidate(reading, _straight(at, count), 1.0, bool(hinted))
        if best and (best.hinted or not asked.sheets):
            break
    if best:
        return _location(concordance, asked, best, "normalised")
    if refusal:
        return Location((), 0.0, _unmatched(asked), refusal=refusal)
    return None


def _stands(concordance: Concordance, reading: Reading, asked: _Asked, at: int) -> bool:
    """May the passage stand here? A number is never cut, nor a word when the passage is short."""
    count = len(asked.letters)
    if count < _WHOLE_WORDS and not (concordance.begins(reading, at) and concordance.begins(reading, at + count)):
        return False
    return asked.numbers.agree(concordance.document.text, reading.letters, reading.where, _straight(at, count))


def _in_pieces(concordance: Concordance, asked: _Asked) -> Location | None:
    """A passage with ellipses: every piece of it, in order and not far apart; the longest is looked for first."""
    parts = quotation.pieces(asked.text)
    if len(parts) < 2:
        return None
    pieces = [_asked(concordance, part, ()) for part in parts]
    pieces = [replace(piece, sheets=asked.sheets) for piece in pieces]
    found: dict[int, Location] = {}
    for i in sorted(range(len(pieces)), key=lambda i: -len(pieces[i].letters)):
        location = _verbatim(concordance, pieces[i]) or _normalised(concordance, pieces[i])
        location = location if location and location.found else _approximate(concordance, pieces[i])
        if not location.found:
            return None
        found[i] = location
        if len(found) == 1:
            near = frozenset(
                concordance.sheet_at(int(np.searchsorted(concordance.squeezed.places, start)))
                for start, _ in location.spans
            )
            pieces = [replace(piece, sheets=near) for piece in pieces]
    ordered = [found[i] for i in range(len(pieces))]
    starts = [
        concordance.sheet_at(int(np.searchsorted(concordance.squeezed.places, one.spans[0][0]))) for one in ordered
    ]
    if max(starts) - min(starts) > _APART:
        return None
    return Location(
        tuple(sorted({span for one in ordered for span in one.spans})),
        min(one.score for one in ordered),
        tuple(block for one in ordered for block in one.blocks),
        how="approximate" if any(one.how == "approximate" for one in ordered) else "normalised",
    )


def _approximate(concordance: Concordance, asked: _Asked) -> Location:
    """The place most like the passage, if it is like enough and has the same numbers."""
    count = len(asked.letters)
    if count < _APPROXIMATE or count > _LONGEST:
        return Location((), 0.0, _unmatched(asked), refusal="short" if count < _APPROXIMATE else "different")
    best: _Candidate | None = None
    for candidate in _candidates(concordance, asked):
        if best is None or _rank(candidate) > _rank(best):
            best = candidate
    if best is None:
        return Location((), 0.0, _unmatched(asked), refusal="absent")
    location = _location(concordance, asked, best, "approximate")
    alike = best.score >= _enough(count, best.found.leaps)
    if best.agrees and alike:
        return location
    refusal: Refusal = "numbers" if alike else "different"
    return replace(location, spans=(), how=None, refusal=refusal, nearest=location.spans)


def _rank(candidate: _Candidate) -> float:
    """What makes a place the better one: likeness above all, then numbers that agree, then the pages given."""
    found = candidate.found
    extra = found.covered / max(len(found.places), 1) - 1
    return (
        candidate.alike
        + 0.05 * candidate.agrees
        + 0.02 * candidate.hinted
        - 0.01 * found.leaps
        - 0.1 * max(extra, 0.0)
        - 0.002 * candidate.strays
    )


def _enough(count: int, leaps: int) -> float:
    """How like a place must be: the shorter the passage and the more leaps it took, the more."""
    least = 0.72 if count >= 120 else 0.76 if count >= 60 else 0.78 if count >= 35 else 0.84
    return min(least + 0.01 * leaps, 0.9)


def _candidates(concordance: Concordance, asked: _Asked) -> Iterator[_Candidate]:
    """The places that share most with the passage, each laid under it, until one is sure and no other is as likely."""
    sure, least = 0.0, _LEAST_ALIKE
    settled: set[int] = set()
    for sheet, votes in _likely(concordance, asked):
        if votes < sure:
            return
        if sheet in settled:
            continue
        for first, last in _windows(concordance, sheet, len(asked.letters)):
            best: _Candidate | None = None
            for reading in _orders(concordance, first, last):
                candidate = _lay(concordance, asked, reading, first, last, least)
                if candidate is None:
                    continue
                yield candidate
                least = max(least, candidate.alike)
                best = max(best or candidate, candidate, key=_rank)
                if best.is_sure:
                    break
            if best and best.alike > _SURE and not best.found.leaps:
                settled.update(
                    concordance.sheet_at(at) for piece in best.found.pieces for at in (piece[0], piece[1] - 1)
                )
                sure = max(sure, 0.9 * votes if best.agrees else 0.0)
                break


def _orders(concordance: Concordance, first: int, last: int) -> Iterator[Reading]:
    """The orders in which these sheets can be read, each once."""
    a, b = int(concordance.edges[first]), int(concordance.edges[last])
    seen: list[Places] = []
    for reading in concordance.readings():
        source = reading.source[a:b]
        if not any(np.array_equal(source, other) for other in seen):
            seen.append(source)
            yield reading


def _lay(
    concordance: Concordance, asked: _Asked, reading: Reading, first: int, last: int, least: float
) -> _Candidate | None:
    """The passage over the sheets from first to last in one order; None where it is clearly less alike than asked."""
    a, b = int(concordance.edges[first]), int(concordance.edges[last])
    stretch = Stretch(reading.codes[a:b], *concordance.begins_in(reading, a, b))
    found = align(asked.squeezed.codes, stretch, least)
    if found is None:
        return None
    agrees = asked.numbers.agree(concordance.document.text, reading.letters[a:b], reading.where[a:b], found)
    strays = 0
    promising = found.score >= _NEARLY and float(found.equal.mean()) > least - _NEAR_BEST
    if promising and (not agrees or found.score < _SURE):
        pieces = len(found.pieces)
        agrees = Strays(concordance, reading, a, b, found).gather(asked.numbers)
        strays = len(found.pieces) - pieces
    found.places = np.where(found.places >= 0, found.places + a, -1)
    found.pieces = [(start + a, end + a) for start, end in found.pieces]
    hinted = concordance.sheet_at(found.pieces[0][0]) in asked.sheets
    log.debug(
        "[PDF] sheets %d to %d, %s: score %.3f, %d leaps, numbers %s",
        first + 1, last, reading.order, found.score, found.leaps, "agree" if agrees else "differ",
    )  # fmt: skip
    return _Candidate(reading, found, found.score, hinted, agrees, strays)


def _likely(concordance: Concordance, asked: _Asked) -> list[tuple[int, float]]:
    """The sheets that share most with the passage and how much, by themselves or with the one before or after."""
    votes = concordance.votes(asked.squeezed.codes)
    if not len(votes) or votes.max() < _LEAST_SHARED:
        return []
    beside = np.maximum(np.append(votes[1:], 0), np.insert(votes[:-1], 0, 0))
    shared = votes + np.minimum(beside, votes)
    for sheet in asked.sheets:
        if 0 <= sheet < len(shared):
            shared[sheet] *= 1.25
    order = np.argsort(-shared, kind="stable")[: 2 * _TRIES].tolist()
    best = float(shared[order[0]])
    return [(sheet, float(shared[sheet])) for sheet in order if shared[sheet] >= 0.3 * best > 0][:_TRIES]


def _windows(concordance: Concordance, sheet: int, need: int) -> Iterator[tuple[int, int]]:
    """A sheet by itself, then with as many around it as the passage may run over."""
    edges = concordance.edges
    yield sheet, sheet + 1
    first = int(np.searchsorted(edges, edges[sheet] - need, "right")) - 1
    last = int(np.searchsorted(edges, edges[sheet + 1] + need, "left"))
    first, last = max(first, 0), min(last, len(edges) - 1)
    if (first, last) != (sheet, sheet + 1):
        yield first, last


def _location(concordance: Concordance, asked: _Asked, candidate: _Candidate, how: How) -> Location:
    found, source = candidate.found, candidate.reading.source
    ids = np.concatenate([source[start:end] for start, end in found.pieces]) if found.pieces else source[:0]
    spans = list(_spans(concordance, ids))
    if how == "normalised" and spans:
        spans = _with_marks(concordance.document.text, asked.text, spans)
    blocks = []
    for a, b in quotation.blocks(asked.text):
        i, j = np.searchsorted(asked.squeezed.places, (a, b))
        places = found.places[i:j]
        share = float(found.equal[i:j].mean()) if j > i else 0.0
        blocks.append(BlockMatch(asked.text[a:b], tuple(_spans(concordance, source[places[places >= 0]])), share))
    return Location(tuple(spans), candidate.score, tuple(blocks), how=how)


def _spans(concordance: Concordance, ids: Indices) -> Iterator[Span]:
    """Compared characters, in any order, as spans of the text."""
    if not len(ids):
        return
    ids = np.unique(ids)
    cuts = np.flatnonzero(np.diff(ids) != 1) + 1
    places = concordance.squeezed.places
    for run in np.split(ids, cuts):
        yield int(places[run[0]]), int(places[run[-1]]) + 1


def _with_marks(text: str, asked: str, spans: list[Span]) -> list[Span]:
    """The spans with the marks around them that the passage has too: a full stop, a bracket, a quotation mark."""
    asked = asked.strip()
    end = spans[-1][1]
    tail = re.search(r"[^\w\s]*$", asked)
    for mark in tail.group() if tail else "":
        if text[end : end + 1] == mark:
            end += 1
    start = spans[0][0]
    head = re.match(r"[^\w\s]*", asked)
    for mark in reversed(head.group() if head else ""):
        if start and text[start - 1] == mark:
            start -= 1
    spans[0] = (start, spans[0][1])
    spans[-1] = (spans[-1][0], end)
    return spans


def _unmatched(asked: _Asked) -> tuple[BlockMatch, ...]:
    return tuple(BlockMatch(asked.text[a:b], (), 0.0) for a, b in quotation.blocks(asked.text))
