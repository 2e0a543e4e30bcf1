"""Plan the searches of the web for a question, and those for pictures and videos that it asks for."""

import re

from pincite.answer.extractive.question_kind import ParsedQuestion
from pincite.answer.extractive.tool_calls import IMAGES, VIDEOS, WEB, Call

_LONGEST = 300  # characters of a question that an engine is asked as it stands
_LEAD = (
    r"^(?:(?:please|can\s+you|could\s+you|i\s+(?:want|need)|i['’]d\s+like|peux-tu|pouvez-vous|je\s+(?:veux|voudrais|cherche))"
    r"\W+)*(?:(?:to\s+)?(?:show|see|find|give|get|look|search|display|montre[rz]?|affiche[rz]?|trouve[rz]?|cherche[rz]?"
    r"|donne[rz]?|voir)\b(?:-(?:moi|nous))?(?:\s+(?:me|us|for|up|at))*\s+)?(?:(?:some|a\s+few|any|the|an?|des|quelques|les|une?)\s+)?"
)
_OF = (
    r"\s+(?:of|about|on|from|showing|with|sur|montrant|de\s+la\b|de\s+l['’]|des\b|du\b|de\b|d['’])\s*"
    r"(?P<a>[^?.!;]+)"
)
_KINDS = {
    IMAGES: r"pictures?|photos?|photographs?|images?|illustrations?|photographies?",
    VIDEOS: r"videos?|vidéos?|films?|clips?",
}
_KIND = rf"(?:{'|'.join(_KINDS.values())})"
_MEDIA = re.compile(
    rf"{_LEAD}(?P<kinds>{_KIND}(?:\s*(?:,|and|or|et|ou|&)\s*(?:(?:some|des|les)\s+)?{_KIND})?){_OF}", re.I
)

# A follow-up question, "and videos?", refers to what was shown before.
_MORE = re.compile(
    rf"^(?:(?:and|also|et|aussi)\s+)?(?:(?:some|any|the|des|les|de)\s+)?(?P<kinds>{_KIND})[\s?]*\((?P<a>[^()]+)\)$",
    re.I,
)

_SHOWN_BEFORE = re.compile(rf"^{_KIND}\s+(?:of|de\s+la|de\s+l['’]|des|du|de|d['’])\s*", re.I)


def plan_web_calls(asking: ParsedQuestion, *queries: str) -> list[Call]:
    """Return searches of the web for these words, in the question's language where that narrows the results."""
    language = (("language", asking.language),) if asking.language == "fr" else ()
    return [Call(WEB, (("query", query), *language)) for query in dict.fromkeys(queries)]


def write_engine_query(asking: ParsedQuestion) -> str:
    """Return a question as an engine is asked it: as it stands, unless it is long."""
    return asking.text if len(asking.text) <= _LONGEST else asking.core[:_LONGEST]


def plan_media_calls(asking: ParsedQuestion) -> list[Call]:
    """Return searches for the pictures or videos that a question asks to see."""
    found = _MEDIA.match(asking.text) or _MORE.match(asking.text)
    query = _SHOWN_BEFORE.sub("", found["a"]).strip() if found else ""
    if found is None or not query:
        return []
    kinds = found["kinds"]
    return [
        Call(tool, (("query", query),)) for tool, kind in _KINDS.items() if re.search(rf"\b(?:{kind})\b", kinds, re.I)
    ]
