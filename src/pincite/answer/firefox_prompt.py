"""Parse a message that Firefox wrote: the title of the page, the selected text, and the request.

Firefox puts one sentence before the request, in the user's language: I'm on page “…” with “…” selected. Newer versions
put the text of the page between <tabTitle> and <selection> marks. That text was written by the page, not by the user.
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
# The sentence before the marks is short. Marks further on are part of a message about such marks.
_SOON = 120
_LONGEST_TITLE = 1000


@dataclass(frozen=True, slots=True)
class FirefoxPrompt:
    """The parts of a Firefox message.

    `title` and `selection` come from the page and are only data. `request` is the user's.
    """

    title: str
    selection: str
    request: str


def parse_firefox_prompt(message: str) -> FirefoxPrompt | None:
    """Return the parts of a message that Firefox wrote; None when a person wrote it."""
    return _parse_tagged(message) or _parse_quoted(message)


def _parse_tagged(message: str) -> FirefoxPrompt | None:
    lower = message.lower()
    if len(lower) != len(message):  # a letter whose lower case is longer would shift the positions
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in message)
    found = {}
    first, last = len(message), 0
    for tag in _TAGS:
        begin = lower.find(f"<{tag}>")
        # Up to the last end mark, so that a page that writes an end mark gets no words into the request.
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
    return FirefoxPrompt(_clean_words(found["tabtitle"]), _clean_words(found["selection"]), rest.strip())


def _parse_quoted(message: str) -> FirefoxPrompt | None:
    prefix = _PREFIX.match(message)
    between = prefix and _BETWEEN.search(message, prefix.end(), prefix.end() + _LONGEST_TITLE)
    if not prefix or not between:
        return None
    # Take the last end, best at the end of a line: a page that writes `” selected.` gets no words into the request.
    ends = list(_AFTER.finditer(message, between.end()))
    ends = [end for end in ends if _LINE_ENDS.match(message, end.end())] or ends
    if not ends:
        return FirefoxPrompt(message[prefix.end() : between.start()].strip(), message[between.end() :].strip(), "")
    return FirefoxPrompt(
        message[prefix.end() : between.start()].strip(),
        message[between.end() : ends[-1].start()].strip(),
        message[ends[-1].end() :].strip(),
    )


def _clean_words(words: str) -> str:
    """Return a page's text without our marks inside it, and with its entities decoded."""
    return html.unescape(re.sub(r"</?(?:tabtitle|selection)>", " ", words, flags=re.IGNORECASE)).strip()
