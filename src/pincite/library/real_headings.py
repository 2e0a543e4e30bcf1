"""Drop lines of a PDF that are set like headings and are none: symbols, code, lines of contents, running heads.

The headings of a PDF are guessed from its fonts; those of other formats are marked by their authors.
"""

import re
from collections.abc import Sequence

_LEADER = re.compile(r"(?:\.\s?){4,}")  # the dots before a page number
_PAGE_NUMBER = re.compile(r"\d{1,4}\s+(?=\S)")
_LABEL = re.compile(r"\w+\s+(?:\d+(?:\.\d+)*|[ivxlc]+)[.:]?\s+", re.IGNORECASE)  # "Chapter 2. "
_CODE = re.compile(r":=|==|!=|->|=>|&&|\|\||\w\([^()\s]*\)|[{};]$")
_KEYWORDS = 2  # words in a line of code without any sign


def find_real_headings(titles: Sequence[str]) -> list[int]:
    """Return the places of the real headings among those of a PDF, in order."""
    folded = {each.casefold() for each in titles}
    begins = [each[:1] for each in titles if each[:1].isalpha()]
    is_capital = 2 * sum(map(str.isupper, begins)) > len(begins)
    return [
        place
        for place, title in enumerate(titles)
        if not _LEADER.search(title)
        and not _is_symbols(title)
        and not _is_running_head(title, folded)
        and not (is_capital and _is_code(title))
    ]


def _is_symbols(title: str) -> bool:
    """Whether most of a line are lone letters and signs, as of a score or a formula."""
    pieces = title.split()
    lone = sum(len(each) == 1 and not each.isdigit() for each in pieces)
    return not any(map(str.isalnum, title)) or (lone > 2 and 2 * lone > len(pieces))


def _is_running_head(title: str, folded: set[str]) -> bool:
    """Whether a line is a page number and the words of another heading, perhaps after that one's label."""
    number = _PAGE_NUMBER.match(title)
    words = title[number.end() :].casefold() if number else ""
    label = _LABEL.match(words)
    return words in folded or (label is not None and words[label.end() :] in folded)


def _is_code(title: str) -> bool:
    """Whether a line may be one of code in a document whose headings begin with a capital."""
    return title[:2].islower() and (bool(_CODE.search(title)) or len(title.split()) <= _KEYWORDS)
