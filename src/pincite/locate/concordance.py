"""The data that locating needs of a document, made once when it is read.

It holds every order in which the pages can be read, and for each sheet (a page, or a stretch of a document without
pages) the short sequences of letters on it.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pincite.locate.reading_orders import Runs, compute_orders
from pincite.text.squeeze import Codes, Places, SqueezedText, squeeze
from pincite.types import Document, Page

Bools = NDArray[np.bool_]
Shares = NDArray[np.float32]  # one a sheet

GRAM = 8  # letters in a sequence
ORDERS = ("text", "drawn", "rows", "columns")  # our text's own, as the file draws it, row by row, column by column

VERSION = 2  # raise it when the same document would give other bytes
_STRETCH = 4000  # characters of a sheet where there are no pages
_BITS = 24  # of a sequence's hash
_HEAD = struct.Struct("<BII")
_NEWLINE, _TAB, _SOFT_HYPHEN = 0x0A, 0x09, 0xAD
_SPACE = re.compile(r"\s")
_SPACES = np.array(
    [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
)


@dataclass(frozen=True, slots=True)
class ReadingOrder:
    """The letters and digits of a document in one order, with the number and the offset that each has in the text."""

    order: str
    codes: Codes
    letters: str
    source: Places
    where: Places


class Concordance:
    """A document prepared for locating. Most parts are computed when first needed."""

    def __init__(self, document: Document, runs: tuple[Runs, ...], grams: Places, sheets: Places) -> None:
        self.document = document
        self._runs = runs
        self._grams = grams
        self._gram_sheets = sheets
        self._readings: dict[str, ReadingOrder] = {}

    @cached_property
    def squeezed(self) -> SqueezedText:
        return squeeze(self.document.text)

    @cached_property
    def edges(self) -> Places:
        """The compared characters at which sheets begin, and the end of the last sheet."""
        return _find_sheet_edges(self.document, self.squeezed.places)

    @cached_property
    def words(self) -> Bools:
        """Flags of the compared characters that begin a word in our text; a word broken at a line end continues."""
        goes_on = self._after(self._codes == _SOFT_HYPHEN)
        goes_on[:1] = False
        return self._after(np.isin(self._codes, _SPACES)) & ~goes_on

    @cached_property
    def lines(self) -> Bools:
        """Flags of the compared characters that begin a line or a cell in our text."""
        return self._after((self._codes == _NEWLINE) | (self._codes == _TAB))

    @cached_property
    def blocks(self) -> Bools:
        """Flags of the compared characters that begin a block or a cell in our text."""
        newline = self._codes == _NEWLINE
        return self._after((newline & np.append(newline[1:], False)) | (self._codes == _TAB))

    @property
    def _codes(self) -> Codes:
        return np.frombuffer(self.document.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    def _after(self, marks: Bools) -> Bools:
        """Return which compared characters follow a marked one directly; the first always counts."""
        counts = np.cumsum(marks, dtype=np.int32)[self.squeezed.places]
        begins: Bools = np.diff(counts, prepend=-1) > 0
        return begins

    @cached_property
    def own(self) -> ReadingOrder:
        """The order of our text."""
        codes, places = self.squeezed.codes, self.squeezed.places
        return ReadingOrder(ORDERS[0], codes, self.squeezed.text, np.arange(len(codes), dtype=np.int32), places)

    def readings(self) -> Iterator[ReadingOrder]:
        """Yield every order there is, our text's own first, each made when it is come to."""
        yield self.own
        for order, runs in zip(ORDERS[1:], self._runs, strict=True):
            if len(runs) and order not in self._readings:
                # Hidden words stand after the pages, so every order ends with them.
                paged = _expand_runs(runs)
                source = np.append(paged, np.arange(len(paged), len(self.squeezed.codes), dtype=np.int32))
                codes = self.squeezed.codes[source]
                letters = codes.tobytes().decode("utf-32-le")
                self._readings[order] = ReadingOrder(order, codes, letters, source, self.squeezed.places[source])
            if order in self._readings:
                yield self._readings[order]

    def sheet_at(self, at: int) -> int:
        """Return the sheet a compared character stands on; every order keeps a sheet's characters on it."""
        return int(np.searchsorted(self.edges, at, "right")) - 1

    def sheets_of(self, page: int) -> range:
        """Return the sheets that a page is made of."""
        pages = self.document.pages
        if not 0 < page <= len(pages):
            return range(0)
        ends = _find_places(self.squeezed.places, (pages[page - 1].start, pages[page - 1].end))
        first, last = np.searchsorted(self.edges[:-1], ends, "left")
        return range(int(first), int(last))

    def is_word_start(self, reading: ReadingOrder, at: int) -> bool:
        """Whether a word begins at this place of an order."""
        if at in (0, len(reading.source)):
            return True
        here, before = int(reading.source[at]), int(reading.source[at - 1])
        # Scripts from here on are written without spaces.
        return here != before + 1 or bool(self.words[here]) or reading.letters[at] >= "\u2e80"

    def find_starts(self, reading: ReadingOrder, start: int, end: int) -> tuple[Bools, ...]:
        """Return where words, lines and blocks begin between two places of an order; its end begins each of them."""
        source = reading.source[start:end]
        leaps = np.diff(source, prepend=-2) != 1
        return tuple(np.append(begins[source] | leaps, True) for begins in (self.words, self.lines, self.blocks))

    def may_hold(self, codes: Codes) -> bool:
        """Whether these letters may stand somewhere as they are: no if one of their sequences stands nowhere."""
        hashes = _hash_grams(codes)
        asked = hashes[_sample_hashes(hashes)]
        if not len(self._grams):
            return not len(asked)
        at = np.searchsorted(self._grams, asked).clip(max=len(self._grams) - 1)
        return bool((self._grams[at] == asked).all())

    def score_sheets(self, codes: Codes) -> Shares:
        """Return the share of a passage's sequences that each sheet holds; rare sequences weigh more."""
        count = len(self.edges) - 1
        hashes = _hash_grams(codes)
        asked = np.unique(hashes[_sample_hashes(hashes)])
        first = np.searchsorted(self._grams, asked, "left")
        many = np.searchsorted(self._grams, asked, "right") - first
        weights = np.log1p(count / np.maximum(many, 1)).astype(np.float32)
        at = np.repeat(first - np.cumsum(many) + many, many) + np.arange(int(many.sum()))
        held = np.bincount(self._gram_sheets[at], np.repeat(weights, many), count)
        return (held / max(float(weights.sum()), 1e-9)).astype(np.float32)

    def to_bytes(self) -> bytes:
        parts = [_deflate_array(runs[:, 0]) + _deflate_array(runs[:, 1]) for runs in self._runs]
        parts += [_deflate_array(self._grams), _deflate_array(self._gram_sheets)]
        return _HEAD.pack(VERSION, len(self.document.text), _compute_checksum(self.document)) + b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes, document: Document) -> "Concordance | None":
        """Restore a concordance; None if the bytes are of an older version or of another document."""
        version, length, checksum = _HEAD.unpack_from(data)
        if (version, length) != (VERSION, len(document.text)) or checksum != _compute_checksum(document):
            return None
        at = _HEAD.size
        arrays = []
        while at < len(data):
            array, at = _inflate_array(data, at)
            arrays.append(array)
        runs = tuple(np.stack(arrays[i : i + 2], axis=1) for i in range(0, 2 * (len(ORDERS) - 1), 2))
        return cls(document, runs, arrays[-2], arrays[-1])


def build_concordance(document: Document) -> Concordance:
    """Read every page in every order, and note which sequences each sheet holds."""
    squeezed = squeeze(document.text)
    places = squeezed.places
    edges = _find_sheet_edges(document, places)
    parts: list[list[Runs]] = [[] for _ in range(len(ORDERS) - 1)]
    whole = np.array([[0, 0]], np.int32)
    # Without boxes there is no other order than that of the text.
    pages = document.pages if any(page.boxes for page in document.pages) else ()
    for page, (start, end) in zip(pages, _find_page_bounds(pages, places), strict=True):
        if end > start:
            found = compute_orders(document.text, page, places[start:end])
            for i, part in enumerate(parts):
                runs = found[i] if found else np.array([[0, end - start]], np.int32)
                part.append(runs + np.array([[start, 0]], np.int32))
    readings: list[Runs] = []
    for part in parts:
        runs = _merge_runs(np.concatenate(part)) if part else whole[:0]
        trivial = len(runs) <= 1 or any(np.array_equal(runs, other) for other in readings)
        readings.append(whole[:0] if trivial else runs)
    grams, sheets = _collect_grams(squeezed.codes, readings, edges)
    made = Concordance(document, tuple(readings), grams, sheets)
    made.__dict__["squeezed"] = squeezed
    made.__dict__["edges"] = edges
    return made


def _compute_checksum(document: Document) -> int:
    return zlib.crc32(document.text.encode("utf-8", "surrogatepass"))


def _find_page_bounds(pages: Sequence[Page], places: Places) -> list[tuple[int, int]]:
    """Return the first compared character of each page and the one behind its last."""
    starts = _find_places(places, [page.start for page in pages])
    ends = _find_places(places, [page.end for page in pages])
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _find_places(places: Places, sought: Sequence[int]) -> NDArray[np.intp]:
    """Return the first compared character at or behind each offset.

    The keys need the type of `places`, or numpy would copy it.
    """
    return np.searchsorted(places, np.array(sought, places.dtype))


def _find_sheet_edges(document: Document, places: Places) -> Places:
    starts: list[int] = []
    stretches = [(page.start, page.end, page.width > 0) for page in document.pages] or [(0, len(document.text), False)]
    for start, end, whole in stretches:
        starts.append(start)
        while not whole and end - start > 2 * _STRETCH:
            cut = _SPACE.search(document.text, start + _STRETCH, start + 2 * _STRETCH)
            start = cut.end() if cut else start + _STRETCH
            starts.append(start)
    return np.append(_find_places(places, starts), len(places)).astype(np.int32)


def _merge_runs(runs: Runs) -> Runs:
    """Join the runs that continue the run before them."""
    new = np.append(True, runs[1:, 0] != runs[:-1, 0] + runs[:-1, 1])
    starts = np.flatnonzero(new)
    return np.stack([runs[starts, 0], np.add.reduceat(runs[:, 1], starts)], axis=1).astype(np.int32)


def _expand_runs(runs: Runs) -> Places:
    first, count = runs[:, 0], runs[:, 1]
    ends = np.cumsum(count)
    return (np.repeat(first - ends + count, count) + np.arange(int(ends[-1]))).astype(np.int32)


def _collect_grams(codes: Codes, readings: list[Runs], edges: Places) -> tuple[Places, Places]:
    """Return each sampled sequence's hash with each sheet that holds it, in order of hash."""
    keys = []
    sheet_of = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    for runs in [None, *readings]:
        if runs is not None and not len(runs):
            continue
        source = _expand_runs(runs) if runs is not None else np.arange(len(codes))
        hashes = _hash_grams(codes[source])
        chosen = _sample_hashes(hashes)
        keys.append((hashes[chosen].astype(np.int64) << 32) | sheet_of[source[: len(hashes)]][chosen])
    found = np.sort(np.concatenate(keys))
    found = found[np.diff(found, prepend=-1) > 0]
    return (found >> 32).astype(np.int32), (found & 0xFFFFFFFF).astype(np.int32)


def _sample_hashes(hashes: NDArray[np.uint32]) -> Bools:
    """Return a flag for every other sequence, always the same ones: half the memory, and enough of them."""
    chosen: Bools = (hashes & np.uint32(1)) == 0
    return chosen


def _hash_grams(codes: Codes) -> NDArray[np.uint32]:
    count = max(len(codes) - GRAM + 1, 0)
    hashes = np.zeros(count, np.uint32)
    for i in range(GRAM):
        hashes *= np.uint32(0x01000193)
        hashes ^= codes[i : i + count]
    hashes ^= hashes >> np.uint32(15)
    hashes *= np.uint32(0x2C1B3C6D)
    return hashes >> np.uint32(32 - _BITS)


def _deflate_array(array: Places) -> bytes:
    """Return an array of whole numbers, as steps from each to the next."""
    stored = np.diff(array, prepend=0).astype("<i4").view(np.uint8).reshape(-1, 4).T.tobytes()
    packed = zlib.compress(stored, 1)
    return struct.pack("<II", len(array), len(packed)) + packed


def _inflate_array(data: bytes, at: int) -> tuple[Places, int]:
    count, size = struct.unpack_from("<II", data, at)
    stored = np.frombuffer(zlib.decompress(data[at + 8 : at + 8 + size]), np.uint8).reshape(4, count)
    steps = np.ascontiguousarray(stored.T).view("<i4").ravel()
    return np.cumsum(steps, dtype=np.int32), at + 8 + size
