"""Decode the bytes of a text file so that the same bytes can be written again."""

import codecs
import hashlib
from dataclasses import dataclass, field
from typing import Literal

from pincite.errors import Misuse
from pincite.reading.encoding import decode_text, detect_utf16

Newline = Literal["\n", "\r\n", "\r", "mixed"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 65_536  # bytes in which a zero byte shows a binary file


@dataclass(frozen=True, slots=True)
class TextFile:
    """The exact text of a file, without its byte order mark, and everything needed to write the same bytes again.

    A file without a line end has the newline "\\n".
    """

    path: str
    text: str
    encoding: str
    newline: Newline
    bom: bool
    sha256: str
    data: bytes = field(repr=False)

    def encode(self, text: str) -> bytes:
        """Return the bytes of another text in this file's encoding, with its byte order mark."""
        mark = next((bom for bom, codec in _BOMS if codec == self.encoding), b"") if self.bom else b""
        return mark + text.encode(self.encoding)


def decode_file(path: str, data: bytes) -> TextFile:
    """Return the text of a file's bytes; raise Misuse for a binary file."""
    found = _decode_exactly(data)
    if found is None:
        raise Misuse(f"{path} is a binary file.", "Name a text file.", "binary_file", {"path": path})
    text, encoding, has_mark = found
    return TextFile(path, text, encoding, find_newline(text), has_mark, hashlib.sha256(data).hexdigest(), data)


def find_newline(text: str) -> Newline:
    """Return the line end of a text, or "mixed" if it has several kinds."""
    pairs = text.count("\r\n")
    found: list[Newline] = []
    if pairs:
        found.append("\r\n")
    if text.count("\n") > pairs:
        found.append("\n")
    if text.count("\r") > pairs:
        found.append("\r")
    if len(found) > 1:
        return "mixed"
    return found[0] if found else "\n"


def is_binary(data: bytes) -> bool:
    """Return whether bytes are no text: a zero byte outside of UTF-16 and UTF-32."""
    if b"\0" not in data[:_SAMPLE]:
        return False
    return not data.startswith(tuple(bom for bom, _ in _BOMS)) and not detect_utf16(data)


def _decode_exactly(data: bytes) -> tuple[str, str, bool] | None:
    """Return text, encoding and whether there is a byte order mark; None if no encoding gives the bytes back."""
    if is_binary(data):
        return None
    for bom, codec in _BOMS:
        if data.startswith(bom) and (text := _decode_strictly(data[len(bom) :], codec)) is not None:
            return text, codec, True
    guessed = (detect_utf16(data),) if b"\0" in data[:_SAMPLE] else ("utf-8", "cp1252")
    for codec in guessed:
        if codec and (text := _decode_strictly(data, codec)) is not None:
            # Other code pages have other letters at the bytes of cp1252: the reader of documents knows which is meant.
            if codec == "cp1252" and decode_text(data) != text:
                break
            return text, codec, False
    if b"\0" in data:
        return None
    return _decode_guessed(data)


def _decode_guessed(data: bytes) -> tuple[str, str, bool]:
    import charset_normalizer

    best = charset_normalizer.from_bytes(data[:100_000]).best()
    text = _decode_strictly(data, best.encoding) if best else None
    if best and text is not None:
        return text, best.encoding, False
    return data.decode("latin-1"), "latin-1", False  # every byte has a character and comes back as it was


def _decode_strictly(data: bytes, codec: str) -> str | None:
    try:
        text = data.decode(codec)
        return text if text.encode(codec) == data else None
    except (UnicodeError, LookupError):
        return None
