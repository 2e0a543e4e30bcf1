"""Locate a passage: find the characters of a document that it stands for, or report that it was not found.

The search goes through these steps and stops at the first result:

1. the passage as it is;
2. its letters and digits only, in every order in which the pages can be read;
3. the most similar place, among the sheets that share most with it.

Every digit must agree. Among equally good places, the first on a given page is chosen, or else the first; a short
passage must stand only once. If no place is good enough, nothing is found: a wrong highlight is worse than none.
"""

import logging
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pincite.locate.alignment import Alignment
from pincite.locate.approximate_match import MatchCandidate, compute_required_likeness, find_most_alike
from pincite.locate.concordance import Concordance, ReadingOrder
from pincite.locate.location import LocatedBlock, Location, NotFoundReason, Span, make_location, make_unmatched_blocks
from pincite.locate.quotation import (
    PreparedQuotation,
    prepare_quotation,
    split_at_ellipses,
    split_blocks,
    strip_passage_markup,
)
from pincite.locate.reordered_headings import find_reordered_headings

# Logs every step as a `[PDF] …` line at DEBUG level, to explain why a passage is highlighted or not.
log = logging.getLogger("pincite.locate")

SHORT = 20  # letters: a passage shorter than this must stand once, unless a page is given
WHOLE_WORDS = 8  # letters: a passage shorter than this must be whole words
_APPROXIMATE = 16  # letters: a shorter passage is not located by likeness
_LONGEST = 20_000  # letters: a longer passage is not located by likeness
_SURE = 0.93  # likeness from which on dots in the passage are real dots, not an ellipsis
_TWINS = 300  # places with the same letters that are checked
_TWIN_LETTERS = 1_000_000  # letters of them all, at most
_PIECES = 300  # of a passage with ellipses, at most
_APART = 3  # sheets between the pieces of a passage with an ellipsis


def locate(concordance: Concordance, text: str, pages: Collection[int] = ()) -> Location:
    """Return the characters that a passage stands for. `pages` are searched first, but other pages are searched too."""
    sheets = frozenset(sheet for page in pages for sheet in concordance.sheets_of(page))
    asked = prepare_quotation(text, sheets)
    log.debug("[PDF] passage of %d characters, %d compared; pages %s", len(text), len(asked.letters), sorted(pages))
    if not asked.letters:
        return Location((), 0.0, (), refusal="empty")
    location = (
        _locate_verbatim(concordance, asked)
        or _locate_normalised(concordance, asked)
        or _locate_without_marks(concordance, asked)
    )
    return _log_location(location if location.found else _locate_reordered_headings(concordance, asked, location))


def _locate_reordered_headings(concordance: Concordance, asked: PreparedQuotation, refused: Location) -> Location:
    """Return the headings whose words stand in another order, or else the earlier refusal."""
    found = () if refused.refusal == "repeated" else find_reordered_headings(concordance, asked)
    if not found:
        return refused
    matched = tuple(LocatedBlock(words, (span,), 1.0) for words, span in found)
    return Location(tuple(sorted(span for _, span in found)), 1.0, matched, how="approximate")


def _locate_without_marks(concordance: Concordance, asked: PreparedQuotation) -> Location:
    """Locate the passage without its markup, then in pieces where it has ellipses, then by likeness."""
    bare = prepare_quotation(strip_passage_markup(asked.text), asked.sheets)
    if bare.letters not in ("", asked.letters):
        location = _locate_normalised(concordance, bare)
        if location:
            return location
        asked = bare
    parts = [prepare_quotation(part, asked.sheets) for part in split_at_ellipses(asked.text)]
    if len(parts) < 2:
        return _locate_approximately(concordance, asked)
    location = _locate_in_pieces(concordance, parts, by_likeness=False)
    return location or _locate_by_likeness(concordance, asked, parts)


def _locate_by_likeness(concordance: Concordance, asked: PreparedQuotation, parts: list[PreparedQuotation]) -> Location:
    """Locate the whole passage with its dots where it is very alike, or else its pieces."""
    whole = _locate_approximately(concordance, asked)
    if whole.found and whole.score > _SURE:
        return whole
    return _locate_in_pieces(concordance, parts, by_likeness=True) or whole


def _log_location(location: Location) -> Location:
    for block in location.blocks:
        log.debug("[PDF] block %r: score %.3f, %d pieces", block.text[:60], block.score, len(block.spans))
    log.debug("[PDF] %s, score %.3f", location.how or f"not found: {location.refusal}", location.score)
    return location


def _locate_verbatim(concordance: Concordance, asked: PreparedQuotation) -> Location | None:
    """Locate the passage character for character: on a given page, or else where it stands first.

    A short passage must stand once in the document, or once on the given pages.
    """
    text, wanted = concordance.document.text, asked.text.strip()
    count = len(asked.letters)
    if not concordance.may_hold(asked.squeezed.codes):
        return None
    places = concordance.squeezed.places
    hinted: list[Span] = []
    others: list[Span] = []
    for start in _find_occurrences(text, wanted):
        at = int(np.searchsorted(places, start))
        if _may_stand_at(concordance, concordance.own, asked, at):
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
        LocatedBlock(asked.text[a:b], ((max(a + shift, first[0]), min(b + shift, first[1])),), 1.0)
        for a, b in split_blocks(asked.text)
    )
    return Location((first,), 1.0, matched, how="exact")


def _find_occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(min(_TWINS, _TWIN_LETTERS // len(wanted) + 1)):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _align_identically(at: int, count: int) -> Alignment:
    """Return the alignment of a passage with equal letters."""
    return Alignment(np.arange(at, at + count), np.ones(count, np.bool_), [(at, at + count)])


def _locate_normalised(concordance: Concordance, asked: PreparedQuotation) -> Location | None:
    """Locate the passage by its letters and digits in any reading order; a place on a given page comes first."""
    if not concordance.may_hold(asked.squeezed.codes):
        return None
    count = len(asked.letters)
    best: MatchCandidate | None = None
    repeated = False
    for reading in concordance.readings():
        places = [
            at
            for at in _find_occurrences(reading.letters, asked.letters)
            if _may_stand_at(concordance, reading, asked, at)
        ]
        hinted = [at for at in places if concordance.sheet_at(at) in asked.sheets]
        log.debug("[PDF] %s: %d places, %d on the pages given", reading.order, len(places), len(hinted))
        if count < SHORT and len(hinted or places) > 1:
            repeated = True
        elif places and (best is None or hinted):
            best = MatchCandidate(reading, _align_identically((hinted or places)[0], count), bool(hinted))
        if repeated or (best and (best.hinted or not asked.sheets)):
            break
    if best and not repeated:
        return make_location(concordance, asked, best, "normalised")
    return Location((), 0.0, make_unmatched_blocks(asked), refusal="repeated") if repeated else None


def _may_stand_at(concordance: Concordance, reading: ReadingOrder, asked: PreparedQuotation, at: int) -> bool:
    """Whether the passage may stand here: a number is never cut, nor is a word when the passage is short."""
    count = len(asked.letters)
    if count < WHOLE_WORDS and not (
        concordance.is_word_start(reading, at) and concordance.is_word_start(reading, at + count)
    ):
        return False
    return asked.numbers.has_same_numbers(concordance.document.text, reading.letters, reading.where, at)


def _locate_in_pieces(concordance: Concordance, parts: list[PreparedQuotation], by_likeness: bool) -> Location | None:
    """Locate every piece of a passage with ellipses, in order and not far apart; the longest piece comes first."""
    found: dict[int, Location] = {}
    near: frozenset[int] = frozenset()
    if len(parts) > _PIECES:
        return None
    for i in sorted(range(len(parts)), key=lambda i: -len(parts[i].letters)):
        # A place near the longest piece comes before other places.
        part = replace(parts[i], sheets=near) if found else parts[i]
        location = _locate_verbatim(concordance, part) or _locate_normalised(concordance, part)
        if by_likeness and not (location and location.found):
            location = _locate_approximately(concordance, part)
        if not (location and location.found):
            return None
        found[i] = location
        near |= _list_sheets(concordance, location)
    ordered = [found[i] for i in range(len(parts))]
    if max(near) - min(near) > _APART + len(near) or not _is_in_sequence(concordance, ordered):
        return None
    return Location(
        tuple(sorted({span for one in ordered for span in one.spans})),
        min(one.score for one in ordered),
        tuple(block for one in ordered for block in one.blocks),
        how="approximate" if any(one.how == "approximate" for one in ordered) else "normalised",
    )


def _is_in_sequence(concordance: Concordance, locations: list[Location]) -> bool:
    """Whether these places follow each other in some reading order."""
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


def _list_sheets(concordance: Concordance, location: Location) -> frozenset[int]:
    starts = [start for start, _ in location.spans]
    return frozenset(map(concordance.sheet_at, np.searchsorted(concordance.squeezed.places, starts).tolist()))


def _locate_approximately(concordance: Concordance, asked: PreparedQuotation) -> Location:
    """Return the place most like the passage, if it is alike enough and has the same numbers."""
    count = len(asked.letters)
    if count < _APPROXIMATE or count > _LONGEST:
        return Location((), 0.0, make_unmatched_blocks(asked), refusal="short" if count < _APPROXIMATE else "different")
    best = find_most_alike(concordance, asked)
    if best is None:
        return Location((), 0.0, make_unmatched_blocks(asked), refusal="absent")
    location = make_location(concordance, asked, best, "approximate")
    alike = best.found.score >= compute_required_likeness(count, best.found.leaps)
    if best.agrees and alike:
        return location
    refusal: NotFoundReason = "numbers" if alike else "different"
    return replace(location, spans=(), how=None, refusal=refusal, nearest=location.spans)
