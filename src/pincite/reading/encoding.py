"""Decode bytes of unknown encoding to text with \\n for every line end."""

import codecs
import re
from pathlib import Path

# The characters of Western European prose beyond ASCII; other code pages have other characters at these bytes.
WESTERN = frozenset(
    "àâäáãåæçéèêëíìîïñóòôöõøœùúûüýÿßšžÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÙÚÛÜÝŸŠŽ"
    "«»‹›‘’“”„‚–—…•·€£§¶°©®™†‡‰\u00a0\u00ad½¼¾²³¹ºª±×÷µ´¿¡¢¥¬"
)
_JOINED_SIGN = re.compile(r"[a-zA-Z][³¹²¿¡£¥¢¬±¶§¼½¾ºª°µ‚…„‰†‡•×÷´][a-zA-Z]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_text(path: Path, limit: int | None = None) -> str:
    """Read the text of a file: all of it, or `limit` characters and one more, which shows that it continues."""
    with path.open("rb") as file:
        data = file.read(-1 if limit is None else limit + 1)
        if limit is not None and not data.isascii():
            data += file.read(3 * limit)  # no encoding needs more than four bytes for a character
    return normalise_line_ends(decode_text(data))[: None if limit is None else limit + 1]


def normalise_line_ends(text: str) -> str:
    """Return the text with every line end as one \\n."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def decode_text(data: bytes, declared: str = "") -> str:
    """Decode bytes to the most plausible text; the bytes themselves count more than the `declared` encoding."""
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(codec, "replace")
    if codec := detect_utf16(data):
        return data.decode(codec, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if declared and (text := _decode_declared(data, declared)) is not None:
        return text
    text = data.decode("utf-8", "replace")
    foreign = sum(1 for char in text[:1_000_000] if char > "\x7f" and char != "\ufffd")
    if foreign > 10 * text.count("\ufffd", 0, 1_000_000):
        return text  # UTF-8 with a few broken bytes
    return _decode_western(data) or _decode_guessed(data)


def detect_utf16(data: bytes) -> str:
    """Return the UTF-16 codec of bytes without a byte order mark, recognised by their zeros; "" for others."""
    sample = data[:65536]
    sample = sample[: len(sample) // 2 * 2]
    if len(sample) < 4 or b"\0" not in sample:
        return ""
    even, odd, half = sample[0::2].count(0), sample[1::2].count(0), len(sample) // 2
    if odd > 0.4 * half and even <= 0.02 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd <= 0.02 * half:
        return "utf-16-be"
    return ""


def _decode_declared(data: bytes, codec: str) -> str | None:
    # A page that declares latin-1 means cp1252 in practice, as in browsers.
    codec = "cp1252" if codec.lower() in {"iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"} else codec
    try:
        return data.decode(codec, "replace") if codec.lower().replace("_", "-") not in {"utf-8", "utf8"} else None
    except (LookupError, ValueError):
        return None


def _decode_western(data: bytes) -> str:
    text = data.decode("cp1252", "replace")
    sample = text[:200_000]
    high = [char for char in sample if char > "\x7f"]
    letters = sum(1 for char in sample if char.isascii() and char.isalpha())
    strange = sum(1 for char in high if char not in WESTERN)
    if len(high) > 0.4 * letters + 6 or strange > 0.02 * len(high) or _JOINED_SIGN.search(sample):
        return ""
    return text


def _decode_guessed(data: bytes) -> str:
    import charset_normalizer

    best = charset_normalizer.from_bytes(data[:100_000]).best()
    return data.decode(best.encoding if best else "cp1252", "replace")
