"""Any passage to the characters it stands for, or an honest "not found".

The passage is looked for as it is, then with everything but its letters and digits left out, in every order the pages
can be read in; then by likeness, at the places that share most with it. Every digit must agree. Of several places that
are as good, the first on a page that was given is meant, or else the first; but a short passage must stand once. When
none is good enough, nothing is found: a wrong highlight is worse than none.
"""

import logging
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from pincite.evidence.align import Alignment
from pincite.evidence.concordance import Concordance, Reading
from pincite.evidence.headings import reordered
from pincite.evidence.likeness import Candidate, enough, most_alike
from pincite.evidence.quotation import Quotation, blocks, pieces, plain, quotation
from pincite.evidence.squeeze import Places

# Every step, told as it is taken: `[PDF] …` lines at DEBUG, for whoever asks why a passage is lit or is not.
log = logging.getLogger("pincite.locate")

How = Literal["exact", "normalised", "approximate"]
Refusal = Literal["empty", "short", "repeated", "numbers", "different", "absent"]
Span = tuple[int, int]  # of the document's text, end exclusive

SHORT = 20  # letters: a passage shorter than this must stand once, unless a page is given
WHOLE_WORDS = 8  # letters: a passage shorter than this must be whole words
_APPROXIMATE = 16  # letters: a passage shorter than this is not looked for by likeness
_LONGEST = 20_000  # letters: nor is one longer than this
_SURE = 0.93  # a likeness at which dots were meant
_MARKS = 20  # around a passage that are looked at
_BLANKS = (" ", "\u00a0", "\u202f")
_TWINS = 300  # places with the same letters that are looked at
_TWIN_LETTERS = 1_000_000  # letters of them all, at most
_PIECES = 300  # of a passage with ellipses, at most
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


def locate(concordance: Concordance, text: str, pages: Collection[int] = ()) -> Location:
    """The characters a passage stands for. `pages` say where to look first, and never where not to look."""
    sheets = frozenset(sheet for page in pages for sheet in concordance.sheets_of(page))
    asked = quotation(text, sheets)
    log.debug("[PDF] passage of %d characters, %d compared; pages %s", len(text), len(asked.letters), sorted(pages))
    if not asked.letters:
        return Location((), 0.0, (), refusal="empty")
    location = _verbatim(concordance, asked) or _normalised(concordance, asked) or _marked(concordance, asked)
    return _told(location if location.found else _reordered(concordance, asked, location))


def _reordered(concordance: Concordance, asked: Quotation, refused: Location) -> Location:
    """Headings whose words stand in another order; or what was found out before."""
    found = () if refused.refusal == "repeated" else reordered(concordance, asked)
    if not found:
        return refused
    matched = tuple(BlockMatch(words, (span,), 1.0) for words, span in found)
    return Location(tuple(sorted(span for _, span in found)), 1.0, matched, how="approximate")


def _marked(concordance: Concordance, asked: Quotation) -> Location:
    """The passage without its marks, then in pieces where it has ellipses, then by likeness."""
    bare = quotation(plain(asked.text), asked.sheets)
    if bare.letters not in ("", asked.letters):
        location = _normalised(concordance, bare)
        if location:
            return location
        asked = bare
    parts = [quotation(part, asked.sheets) for part in pieces(asked.text)]
    if len(parts) < 2:
        return _approximate(concordance, asked)
    location = _in_pieces(concordance, parts, by_likeness=False)
    return location or _by_likeness(concordance, asked, parts)


def _by_likeness(concordance: Concordance, asked: Quotation, parts: list[Quotation]) -> Location:
    """The whole passage, dots and all, where it is surely alike; or else its pieces."""
    whole = _approximate(concordance, asked)
    if whole.found and whole.score > _SURE:
        return whole
    return _in_pieces(concordance, parts, by_likeness=True) or whole


def _told(location: Location) -> Location:
    for block in location.blocks:
        log.debug("[PDF] block %r: score %.3f, %d pieces", block.text[:60], block.score, len(block.spans))
    log.debug("[PDF] %s, score %.3f", location.how or f"not found: {location.refusal}", location.score)
    return location


def _verbatim(concordance: Concordance, asked: Quotation) -> Location | None:
    """The passage as it is, character for character: on a page that was given, or else where it stands first.

    A short one must stand once, unless it stands once on the pages given.
    """
    text, wanted = concordance.document.text, asked.text.strip()
    count = len(asked.letters)
    if not concordance.may_hold(asked.squeezed.codes):
        return None
    places = concordance.squeezed.places
    hinted: list[Span] = []
    others: list[Span] = []
    for start in _occurrences(text, wanted):
        at = int(np.searchsorted(places, start))
        if _stands(concordance, concordance.own, asked, at):
            found = hinted if concordance.sheet_at(at) in asked.sheets else others
            found.append((start, start + len(wanted)))
            if count >= SHORT and (hinted or not asked.sheets):
                break
    best = hinted or others
    if not best or (count < SHORT and len(best) > 1):
        return None
    first = best[0]
    shift = first[0] - asked.text.index(wanted)
    matched = tuple(
        BlockMatch(asked.text[a:b], ((max(a + shift, first[0]), min(b + shift, first[1])),), 1.0)
        for a, b in blocks(asked.text)
    )
    return Location((first,), 1.0, matched, how="exact")


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(min(_TWINS, _TWIN_LETTERS // len(wanted) + 1)):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _straight(at: int, count: int) -> Alignment:
    """A passage over the same letters."""
    return Alignment(np.arange(at, at + count), np.ones(count, np.bool_), [(at, at + count)])


def _normalised(concordance: Concordance, asked: Quotation) -> Location | None:
    """The passage by its letters and digits alone, in any order of reading; a place on a page that was given first."""
    if not concordance.may_hold(asked.squeezed.codes):
        return None
    count = len(asked.letters)
    best: Candidate | None = None
    repeated = False
    for reading in concordance.readings():
        places = [at for at in _occurrences(reading.letters, asked.letters) if _stands(concordance, reading, asked, at)]
        hinted = [at for at in places if concordance.sheet_at(at) in asked.sheets]
        log.debug("[PDF] %s: %d places, %d on the pages given", reading.order, len(places), len(hinted))
        if count < SHORT and len(hinted or places) > 1:
            repeated = True
        elif places and (best is None or hinted):
            best = Candidate(reading, _straight((hinted or places)[0], count), bool(hinted))
        if repeated or (best and (best.hinted or not asked.sheets)):
            break
    if best and not repeated:
        return _location(concordance, asked, best, "normalised")
    return Location((), 0.0, _unmatched(asked), refusal="repeated") if repeated else None


def _stands(concordance: Concordance, reading: Reading, asked: Quotation, at: int) -> bool:
    """May the passage stand here? A number is never cut, nor a word when the passage is short."""
    count = len(asked.letters)
    if count < WHOLE_WORDS and not (concordance.begins(reading, at) and concordance.begins(reading, at + count)):
        return False
    return asked.numbers.stand(concordance.document.text, reading.letters, reading.where, at)


def _in_pieces(concordance: Concordance, parts: list[Quotation], by_likeness: bool) -> Location | None:
    """A passage with ellipses: every piece of it, in order and not far apart; the longest is looked for first."""
    found: dict[int, Location] = {}
    near: frozenset[int] = frozenset()
    if len(parts) > _PIECES:
        return None
    for i in sorted(range(len(parts)), key=lambda i: -len(parts[i].letters)):
        # What stands where the longest piece does goes before what stands elsewhere.
        part = replace(parts[i], sheets=near) if found else parts[i]
        location = _verbatim(concordance, part) or _normalised(concordance, part)
        if by_likeness and not (location and location.found):
            location = _approximate(concordance, part)
        if not (location and location.found):
            return None
        found[i] = location
        near |= _sheets(concordance, location)
    ordered = [found[i] for i in range(len(parts))]
    if max(near) - min(near) > _APART + len(near) or not _follow(concordance, ordered):
        return None
    return Location(
        tuple(sorted({span for one in ordered for span in one.spans})),
        min(one.score for one in ordered),
        tuple(block for one in ordered for block in one.blocks),
        how="approximate" if any(one.how == "approximate" for one in ordered) else "normalised",
    )


def _follow(concordance: Concordance, locations: list[Location]) -> bool:
    """Do these places follow each other in some order of reading?"""
    letters = [np.searchsorted(concordance.squeezed.places, one.spans) - (0, 1) for one in locations]
    every = np.concatenate(letters)
    first, last = concordance.sheet_at(int(every.min())), concordance.sheet_at(int(every.max()))
    a, b = int(concordance.edges[first]), int(concordance.edges[last + 1])
    for reading in concordance.readings():
        ranks = np.argsort(reading.source[a:b])
        ends = [(ranks[own - a].min(), ranks[own - a].max()) for own in letters]
        if all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(ends)):
            return True
    return False


def _sheets(concordance: Concordance, location: Location) -> frozenset[int]:
    starts = [start for start, _ in location.spans]
    return frozenset(map(concordance.sheet_at, np.searchsorted(concordance.squeezed.places, starts).tolist()))


def _approximate(concordance: Concordance, asked: Quotation) -> Location:
    """The place most like the passage, if it is like enough and has the same numbers."""
    count = len(asked.letters)
    if count < _APPROXIMATE or count > _LONGEST:
        return Location((), 0.0, _unmatched(asked), refusal="short" if count < _APPROXIMATE else "different")
    best = most_alike(concordance, asked)
    if best is None:
        return Location((), 0.0, _unmatched(asked), refusal="absent")
    location = _location(concordance, asked, best, "approximate")
    alike = best.found.score >= enough(count, best.found.leaps)
    if best.agrees and alike:
        return location
    refusal: Refusal = "numbers" if alike else "different"
    return replace(location, spans=(), how=None, refusal=refusal, nearest=location.spans)


def _location(concordance: Concordance, asked: Quotation, candidate: Candidate, how: How) -> Location:
    found, source = candidate.found, candidate.reading.source
    spans = list(_spans(concordance, np.concatenate([source[start:end] for start, end in found.pieces])))
    if found.equal[0] and found.equal[-1]:
        where = candidate.reading.where[found.places[[0, -1]]].tolist()
        spans = _with_marks(concordance.document.text, asked, where[0], where[1] + 1, spans)
    matched = []
    for a, b in blocks(asked.text):
        i, j = np.searchsorted(asked.squeezed.places, (a, b))
        places = found.places[i:j]
        share = float(found.equal[i:j].mean()) if j > i else 0.0
        matched.append(BlockMatch(asked.text[a:b], tuple(_spans(concordance, source[places[places >= 0]])), share))
    return Location(tuple(spans), found.score, tuple(matched), how=how)


def _spans(concordance: Concordance, letters: Places) -> Iterator[Span]:
    """Compared characters of the document, by their numbers in any order, as spans of its text."""
    if not len(letters):
        return
    letters = np.unique(letters)
    ends = np.flatnonzero(np.diff(letters, append=-1) != 1)
    starts = np.concatenate([[0], ends[:-1] + 1])
    places = concordance.squeezed.places
    yield from zip(places[letters[starts]].tolist(), (places[letters[ends]] + 1).tolist(), strict=True)


def _with_marks(text: str, asked: Quotation, start: int, end: int, spans: list[Span]) -> list[Span]:
    """The spans with the marks around the passage that stand in the document too: a full stop, a bracket, a "%"."""
    marked = asked.text.strip()
    letters = asked.squeezed.places - (len(asked.text) - len(asked.text.lstrip()))
    first, last = start, end
    for mark in marked[int(letters[-1]) + 1 :][:_MARKS]:
        at = last + (text[last : last + 1] in _BLANKS)
        last = at + 1 if text[at : at + 1] == mark else last
    for mark in reversed(marked[: int(letters[0])][-_MARKS:]):
        at = first - (first > 0 and text[first - 1] in _BLANKS)
        first = at - 1 if at > 0 and text[at - 1] == mark else first
    return [(first if a == start else a, last if b == end else b) for a, b in spans]


def _unmatched(asked: Quotation) -> tuple[BlockMatch, ...]:
    return tuple(BlockMatch(asked.text[a:b], (), 0.0) for a, b in blocks(asked.text))
