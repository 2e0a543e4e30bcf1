"""Tokenize text exactly as the model was trained: fold it, then find the likeliest split into pieces.

There are two tokenizers with the same result. `SentencePieceTokenizer` is fast but takes half a second to load 250,000
pieces; `LookupTokenizer` is slow but ready at once, for a single question from the command line.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from pincite.embedding.weights import Pieces

_SPACE = "\u2581"  # a space in the vocabulary
_SPACES = re.compile(" {2,}")
_LONGEST_PIECE = 16  # characters
_HASH_BITS = 20  # enough that few of the 250,000 pieces collide with the thousands of prefixes looked up
_LONGEST_TEXT = 16_384  # characters; twice the length of 512 of the longest pieces


class Tokenizer(Protocol):
    """Convert folded text to token ids, without the ids of start and end."""

    def __call__(self, folded: str) -> list[int]: ...


def fold_text(text: str, folds: Mapping[int, str]) -> str:
    """Fold a text for tokenizing: replace compatibility characters, and merge runs of spaces."""
    # The wheel folds each character alone. Composing first is what the model's own tokenizer does, and accents written
    # as separate marks (common in PDFs) need it.
    text = unicodedata.normalize("NFC", text.replace("\0", ""))
    text = text.encode("utf-8", "replace").decode("utf-8").translate(folds)
    text = _SPACES.sub(" ", text)[:_LONGEST_TEXT].replace(" ", _SPACE)
    return text if text.startswith(_SPACE) else _SPACE + text


def has_piece(pieces: Pieces, text: str) -> bool:
    """Return whether a text, with a space in front, is one piece of the vocabulary."""
    return score_piece(pieces, text) is not None


def score_piece(pieces: Pieces, text: str) -> float | None:
    """Return the log frequency of a text, with a space in front, as one piece, or None if it is not a piece."""
    wanted = (_SPACE + text).encode()
    at = pieces.text.find(wanted)
    while at >= 0:
        number = int(np.searchsorted(pieces.offsets, at))
        if pieces.offsets[number] == at and pieces.offsets[number + 1] == at + len(wanted):
            return float(pieces.scores[number])
        at = pieces.text.find(wanted, at + 1)
    return None


class SentencePieceTokenizer:
    """The fast tokenizer, loaded from a model that `make_sentencepiece_model` wrote."""

    def __init__(self, model: bytes, unknown: int) -> None:
        from sentencepiece import SentencePieceProcessor

        self._processor = SentencePieceProcessor()
        self._processor.LoadFromSerializedProto(model)
        self._unknown = unknown

    def __call__(self, folded: str) -> list[int]:
        ids: list[int] = self._processor.encode(folded)
        if self._unknown not in ids:
            return ids
        # A run of unknown characters is returned as one piece, but the model counts each character.
        pieces: list[str] = self._processor.encode(folded, out_type=str)
        return [
            token
            for token, piece in zip(ids, pieces, strict=True)
            for _ in range(len(piece) if token == self._unknown else 1)
        ]


def make_sentencepiece_model(pieces: Pieces) -> bytes:
    """Return the vocabulary as a SentencePiece model file without normalisation (protobuf, written by hand)."""
    ends = pieces.offsets.tolist()
    body = bytearray()
    for number, (first, last, score) in enumerate(zip(ends, ends[1:], pieces.scores.tolist(), strict=False)):
        piece = b"\x0a" + _encode_varint(last - first) + pieces.text[first:last] + b"\x15" + struct.pack("<f", score)
        if number == pieces.unknown:
            piece += b"\x18\x02"
        body += b"\x0a" + _encode_varint(len(piece)) + piece
    ids = ((40, pieces.unknown), (41, pieces.start), (42, pieces.end), (43, pieces.padding))
    trainer = b"\x18\x01" + b"".join(_encode_varint(field << 3) + _encode_varint(value) for field, value in ids)
    normalizer = b"\x0a\x08identity" + b"\x18\x00\x20\x00\x28\x01"
    return bytes(
        body + b"\x12" + _encode_varint(len(trainer)) + trainer + b"\x1a" + _encode_varint(len(normalizer)) + normalizer
    )


def _encode_varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


class LookupTokenizer:
    """The tokenizer that needs no loading: it looks up only the pieces that occur in the given text."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._hashed: np.ndarray | None = None  # the hash of each piece's first bytes
        self._unknown_score = np.float32(pieces.scores.min() - np.float32(10))

    def __call__(self, folded: str) -> list[int]:
        return self.cut([folded])[0]

    def cut(self, folded: Sequence[str]) -> list[list[int]]:
        """Tokenize several texts; the vocabulary is searched once for all of them."""
        known = self._known(folded)
        return [self._cut(text, known) for text in folded]

    def _cut(self, folded: str, known: Mapping[str, int]) -> list[int]:
        scores, unknown = self._pieces.scores, self._pieces.unknown
        # Single precision, because its rounding decides ties as in the original tokenizer.
        best: list[np.float32 | None] = [np.float32(0), *[None] * len(folded)]
        previous: list[tuple[int, int]] = [(0, 0)] * (len(folded) + 1)
        for start in range(len(folded)):
            here = best[start]
            if here is None:
                continue
            for end in range(start + 1, min(start + _LONGEST_PIECE, len(folded)) + 1):
                token = known.get(folded[start:end], unknown)
                if token == unknown and end > start + 1:
                    continue
                total = here + (self._unknown_score if token == unknown else scores[token])
                there = best[end]
                if there is None or total > there:
                    best[end], previous[end] = total, (start, token)
        ids = []
        end = len(folded)
        while end > 0:
            end, token = previous[end]
            ids.append(token)
        return ids[::-1]

    def _known(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the pieces that may occur in some texts, found by hashing their first bytes."""
        pieces = self._pieces
        if self._hashed is None:
            self._hashed = _hash_pieces(pieces)
        wanted = {
            folded[start:end].encode()[:8]
            for folded in texts
            for start in range(len(folded))
            for end in range(start + 1, min(start + _LONGEST_PIECE, len(folded)) + 1)
        }
        table = np.zeros(1 << _HASH_BITS, bool)
        table[_hash_heads(np.array([int.from_bytes(head, "little") for head in wanted], np.uint64))] = True
        found = np.flatnonzero(table[self._hashed])
        return {pieces.text[pieces.offsets[i] : pieces.offsets[i + 1]].decode(): int(i) for i in found}


def _hash_pieces(pieces: Pieces) -> np.ndarray:
    """Return the hash of the first eight bytes of each piece."""
    lengths = np.minimum(np.diff(pieces.offsets), 8)
    padded = pieces.text + bytes(8)
    heads: np.ndarray = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))[pieces.offsets[:-1]]
    masks = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
    return _hash_heads(heads & masks[lengths])


def _hash_heads(heads: np.ndarray) -> np.ndarray:
    return (heads * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _HASH_BITS)
