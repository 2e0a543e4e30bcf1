"""Make links that open a page at a quotation (text fragments).

The rules, which the UI implements too: a quotation within one block of at most `LONGEST` characters is given whole; a
longer one by the first six words of its first block and the last six of its last; no fragment if that would not
identify a place. A line or a table cell ends a block. The list markers that we add do not appear on the page.
"""

import re
from urllib.parse import quote as escaped

LONGEST = 120  # characters; a shorter quotation is given whole
WORDS = 6  # of each end of a longer quotation
_MOST = 300  # the longest quotation without spaces
_BLOCKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARK = re.compile(r"^\s*(?:-|\d{1,9}\.) +")
_DIRECTIVE = ":~:"


def make_fragment_link(url: str, quote: str) -> str:
    """Return a link to a quotation on a page, or the plain address if no fragment can be made."""
    found = make_directive(quote)
    if not found:
        return url
    address, _, place = url.partition("#")
    return f"{address}#{place.partition(_DIRECTIVE)[0]}{_DIRECTIVE}text={found}"


def make_directive(quote: str) -> str:
    """Return the value of `text=`: the whole quotation, or its first and last words; "" if there are none."""
    blocks = [" ".join(_MARK.sub("", block).split()) for block in _BLOCKS.split(quote)]
    blocks = [block for block in blocks if block]
    if not blocks:
        return ""
    if len(blocks) == 1:
        words = blocks[0].split()
        if len(blocks[0]) <= LONGEST or len(words) < 2 * WORDS:
            return _escape_words(blocks[0]) if len(blocks[0]) <= _MOST else ""
    first, last = blocks[0].split()[:WORDS], blocks[-1].split()[-WORDS:]
    start, end = _escape_words(" ".join(first)), _escape_words(" ".join(last))
    return f"{start},{end}" if len(start) + len(end) <= 12 * _MOST else ""


def _escape_words(words: str) -> str:
    # The separators of a directive must be escaped in its words; `quote` does not escape the hyphen.
    return escaped(words, safe="", errors="replace").replace("-", "%2D")
