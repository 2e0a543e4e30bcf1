"""A page's address and words on it to a link that opens the page at these words (a text fragment).

The rules, which the page in the browser has in its own language too: words that stand in one block and are no more than
`LONGEST` characters are given whole; else the first words of the first block and the last words of the last, six each;
nothing where that would not tell a place. A block ends where a line or a cell of a table does; the marks that we write
before the items of a list do not stand on the page.
"""

import re
from urllib.parse import quote as escaped

LONGEST = 120  # characters that are given whole
WORDS = 6  # of each end, of what is longer
_MOST = 300  # characters without spaces that are still given
_BLOCKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARK = re.compile(r"^\s*(?:-|\d{1,9}\.) +")
_DIRECTIVE = ":~:"


def link(url: str, quote: str) -> str:
    """The address that leads to these words on a page; the page's own where they lead nowhere."""
    found = directive(quote)
    if not found:
        return url
    address, _, place = url.partition("#")
    return f"{address}#{place.partition(_DIRECTIVE)[0]}{_DIRECTIVE}text={found}"


def directive(quote: str) -> str:
    """What stands after `text=`: the words, or the first and the last of them; "" when there are none to look for."""
    blocks = [" ".join(_MARK.sub("", block).split()) for block in _BLOCKS.split(quote)]
    blocks = [block for block in blocks if block]
    if not blocks:
        return ""
    if len(blocks) == 1:
        words = blocks[0].split()
        if len(blocks[0]) <= LONGEST or len(words) < 2 * WORDS:
            return _escaped(blocks[0]) if len(blocks[0]) <= _MOST else ""
    first, last = blocks[0].split()[:WORDS], blocks[-1].split()[-WORDS:]
    start, end = _escaped(" ".join(first)), _escaped(" ".join(last))
    return f"{start},{end}" if len(start) + len(end) <= 12 * _MOST else ""


def _escaped(words: str) -> str:
    # What separates the parts of a directive must not stand in its words; `quote` itself leaves the hyphen.
    return escaped(words, safe="", errors="replace").replace("-", "%2D")
