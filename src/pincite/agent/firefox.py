"""A message that Firefox wrote for its reader to what it holds: the page's title, what is selected, what is asked.

Firefox puts one sentence before the request, in the reader's language: I'm on page “…” with “…” selected. Newer ones
put the page's own words between <tabTitle> and <selection> marks. Those words are the page's, not the reader's.
"""

import html
import re
from dataclasses import dataclass

_OPENING = '“"«„”'
_CLOSING = '”"»“'
_PREFIX = re.compile(
    rf"\s*(?:i['’ʼ]?\s?a?m on (?:the )?page|je suis sur la page)\s*[{_OPENING}]\s*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"(?:(?<!\s)\s+)?[{_CLOSING}]\s*(?:with|avec|et j['’ʼ]ai sélectionné)\s*[{_OPENING}]\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?:(?<!\s)\s+)?(?:[{_CLOSING}]\s*(?:is |est )?(?:selected|sélectionnée?)\s*|»\s*)\.", re.IGNORECASE
)
_LINE_ENDS = re.compile(r"[^\S\n]*(?:\n|\Z)")
_TAGS = ("tabtitle", "selection")
# The sentence in front is short without the page's words; marks further on belong to somebody who writes about them.
_SOON = 120
_LONGEST_TITLE = 1000


@dataclass(frozen=True, slots=True)
class FirefoxPrompt:
    """What Firefox sent: `title` and `selection` are a page's words and only data, `request` is the reader's."""

    title: str
    selection: str
    request: str


def firefox(message: str) -> FirefoxPrompt | None:
    """The parts of a message that Firefox wrote; none when a person wrote it."""
    return _tagged(message) or _quoted(message)


def _tagged(message: str) -> FirefoxPrompt | None:
    lower = message.lower()
    if len(lower) != len(message):  # a letter whose small form is longer would move what we cut
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in message)
    found = {}
    first, last = len(message), 0
    for tag in _TAGS:
        begin = lower.find(f"<{tag}>")
        # To the last end mark: a page that writes one of its own does not get its words into the request.
        end = lower.find(f"</{tag}>", begin) if tag == "tabtitle" else lower.rfind(f"</{tag}>")
        inside = begin + len(tag) + 2
        closed = end >= inside
        if begin < 0 or not (closed or tag == "selection"):
            return None
        found[tag] = message[inside : end if closed else len(message)]
        first, last = min(first, begin), max(last, end + len(tag) + 3 if closed else len(message))
    if first > _SOON:
        return None
    rest = re.sub(rf"\A[^\S\n]*[{_CLOSING}]?[^\n]{{0,40}}?(?:[.。।]|(?=\n)|\Z)", "", message[last:], count=1)
    return FirefoxPrompt(_clean(found["tabtitle"]), _clean(found["selection"]), rest.strip())


def _quoted(message: str) -> FirefoxPrompt | None:
    prefix = _PREFIX.match(message)
    between = prefix and _BETWEEN.search(message, prefix.end(), prefix.end() + _LONGEST_TITLE)
    if not prefix or not between:
        return None
    # The last one, and best at a line's end: a page that writes `” selected.` gets none of its words into the request.
    ends = list(_AFTER.finditer(message, between.end()))
    ends = [end for end in ends if _LINE_ENDS.match(message, end.end())] or ends
    if not ends:
        return FirefoxPrompt(message[prefix.end() : between.start()].strip(), message[between.end() :].strip(), "")
    return FirefoxPrompt(
        message[prefix.end() : between.start()].strip(),
        message[between.end() : ends[-1].start()].strip(),
        message[ends[-1].end() :].strip(),
    )


def _clean(words: str) -> str:
    """A page's words without marks of ours inside them, as they read on the page."""
    return html.unescape(re.sub(r"</?(?:tabtitle|selection)>", " ", words, flags=re.IGNORECASE)).strip()
