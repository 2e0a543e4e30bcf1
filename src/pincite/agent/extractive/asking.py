"""A question to what it asks for: its language, and whether it names a summary, a comparison or the documents."""

import re
from dataclasses import dataclass
from typing import Literal

from pincite.reading.language import detect, french_or_english

Kind = Literal["question", "side", "comparison", "summary", "documents"]

_ASIDE = " — "  # between one side of a comparison, when it is asked for by itself, and the whole question
_STOP = re.compile(r"(?<=[.!?…])\s+(?=[\w«\"“(])")

_THEME = r"(?P<a>.+?)"
_OTHER = r"(?P<b>.+?)\s*[?.!]*$"
_COMPARISONS = [
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bdifferences?\b.*?\bbetween\s+{_THEME}\s+and\s+{_OTHER}",
        rf"\bcompar(?:e|ing|ison)\b\s*(?:of|between)?\s*{_THEME}\s+(?:and|with|to|against|versus|vs\.?)\s+{_OTHER}",
        rf"\bhow\s+(?:does|do|did|is|are)\s+{_THEME}\s+(?:differ\s+from|compare\s+(?:to|with))\s+{_OTHER}",
        rf"\bdifférences?\b.*?\bentre\s+{_THEME}\s+et\s+{_OTHER}",
        rf"\bcompare[rz]?\b\s*(?:entre)?\s*{_THEME}\s+(?:et|avec|à|au|aux)\s+{_OTHER}",
        rf"\b(?:en\s+quoi|comment)\s+{_THEME}\s+(?:diffère|se\s+distingue)\w*\s+d(?:e\s+la|e\s+l['’]|es|u|e|['’])\s*"
        rf"{_OTHER}",
        rf"^{_THEME}\s+(?:et|ou|and|or|vs\.?|versus)\s+(?P<b>[^:?]+?)\s*:\s*(?:quelles?\s+(?:est\s+la\s+)?différences?|"
        r"what(?:['’]s|\s+is|\s+are)?\s+(?:the\s+)?differences?)\b.*$",
        rf"^(?:(?:and|so)\s+)?which\s+of\s+{_THEME}\s+and\s+(?P<b>.+?)\s+(?:is|are|was|has|costs?|needs?|uses?)\b.*$",
        r"^(?P<a>(?:\S+\s+){1,5}?)(?:vs\.?|versus)\s+(?P<b>(?:\S+\s*){1,5}?)\s*[?.!]*$",
    )
]
# As a question that goes on is understood: which one is cheaper? (A and B)
_CHOICES = [
    re.compile(
        rf"^(?:(?:and|so|et|alors)\s+)?(?:which|lequel|laquelle)\b[^()]*\({_THEME}\s+(?:and|et)\s+(?P<b>[^()]+)\)$",
        re.I,
    )
]
# What is the same of both sides is said of the first alone: "the price of A and of B", "le prix de A et celui de B".
_SHORT_SIDE = re.compile(r"(?:(?:that|those|celui|celle|ceux|celles)\s+)?(?=(?:of|de|du|des)\s|d['’])", re.I)
_HEAD = re.compile(r"(\S.*?)\s+(?:of\s|de\s|du\s|des\s|d['’])", re.I)
_SUMMARIES = [
    re.compile(pattern, re.I)
    for pattern in (
        r"^(?:please\s+|can\s+you\s+|could\s+you\s+)*summari[sz]e\b\s*(?P<a>.*)$",
        r"^(?:give\s+(?:me\s+)?|write\s+|make\s+)?(?:an?\s+|the\s+)?(?:short\s+|brief\s+)?(?:summary|overview|synopsis)"
        r"\s+of\s+(?P<a>.*)$",
        r"^what\s+(?:is|are)\s+(?P<a>this(?:\s+(?:document|file|report|text|paper|article|page|site|video))?)\s+about\b.*$",
        r"^what\s+are\s+the\s+(?:main|key)\s+(?:points|ideas|findings|takeaways)\s+(?:of|in|from)\s+(?P<a>.*)$",
        r"^(?:peux-tu\s+|pouvez-vous\s+|merci\s+de\s+)*(?:me\s+|nous\s+)?résume[rz]?(?:-moi)?\b\s*(?P<a>.*)$",
        r"^(?:fais|faites|donne|donnez|rédige|rédigez|propose)?(?:-moi)?\s*(?:un\s+|une\s+|le\s+|la\s+)?(?:bref\s+|brève\s+"
        r"|court\s+)?(?:résumé|synthèse)\s+(?:de\s+la\s+|de\s+l['’]|des\s+|du\s+|de\s+|d['’])\s*(?P<a>.*)$",
        r"^de\s+quoi\s+(?:parle|traite)\s+(?P<a>.*)$",
        r"^quels\s+sont\s+les\s+(?:points|idées|éléments)\s+(?:clés|essentiels|principaux|importants)\s+(?:de\s+la\s+|"
        r"de\s+l['’]|des\s+|du\s+|de\s+|d['’])\s*(?P<a>.*)$",
    )
]
_DOCUMENTS = re.compile(
    r"^(?:(?:please|can\s+you|could\s+you|peux-tu|pouvez-vous)\s+)*(?:(?:list|show|name|give|tell|donne|montre|cite|liste)"
    r"[rz]?(?:-(?:moi|nous))?\s+(?:me\s+|us\s+)?(?:all\s+|toute?s?\s+)*(?:the|of\s+my|my|our|les|mes|nos)\s+(?:documents?|files?|"
    r"fichiers?)(?:\s+(?:i|we)\s+have|\s+que\s+j['’]ai|\s+available|\s+disponibles?)?"
    r"|(?:which|what)\s+(?:documents|files)\s+(?:do\s+(?:i|we|you)\s+have|are\s+(?:there|available)|have\s+i)(?:\s+here)?"
    r"|(?:quels?\s+(?:sont\s+(?:les|mes|nos)\s+)?|quels\s+)(?:documents|fichiers)"
    r"(?:\s+(?:ai-je|avons-nous|as-tu|avez-vous|y\s+a-t-il|sont\s+disponibles|est-ce\s+que\s+j['’]ai))?(?:\s+ici)?)\s*[?.!]*$",
    re.I,
)
_LONGEST = 600  # characters of the sentence that asks: who pastes a page asks for nothing that these patterns know


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as it is understood. `core` is the sentence that asks, without what tells how to answer.

    `subjects` are the two sides of a comparison, or what is to be summarised; of one side of a comparison that is asked
    for by itself, that side and the other.
    """

    text: str
    core: str
    language: str
    kind: Kind = "question"
    subjects: tuple[str, ...] = ()


def understand(question: str) -> Asking:
    """A question to what it asks for."""
    text = " ".join(question.split())
    if (side := _side(text)) is not None:
        return side
    core = _core(text)[:_LONGEST]
    language = language_of(text)
    if _DOCUMENTS.match(core):
        return Asking(text, core, language, "documents")
    if (named := _subjects(_SUMMARIES, core)) is not None:
        return Asking(text, core, language, "summary", named)
    if sides := _subjects(_CHOICES, text[:_LONGEST]) or _subjects(_COMPARISONS, core):
        return Asking(text, core, language, "comparison", _spelled_out(sides))
    return Asking(text, core, language)


def _spelled_out(sides: tuple[str, ...]) -> tuple[str, ...]:
    """The sides of a comparison, the second with what it leaves to the first: the price of A and (that) of B."""
    if len(sides) == 2 and (short := _SHORT_SIDE.match(sides[1])) and (head := _HEAD.match(sides[0])):
        return sides[0], f"{head[1]} {sides[1][short.end() :]}"
    return sides


def of_side(side: str, question: str) -> str:
    """How one side of a comparison is asked for by itself."""
    return f"{side}{_ASIDE}{question}"


def _side(text: str) -> Asking | None:
    """What a comparison asks of one of its sides, when it is put like that."""
    side, _, rest = text[:_LONGEST].partition(_ASIDE)
    whole = understand(rest) if rest else None
    if whole is None or whole.kind != "comparison" or side not in whole.subjects:
        return None
    words = f"{side} {whole.text}"
    return Asking(words, words, whole.language, "side", (side, *(one for one in whole.subjects if one != side)))


def language_of(text: str) -> str:
    """The language of a question, short as it is: French or English by its small words, else as documents' is told."""
    return french_or_english(text) or detect(text) or "en"


def _core(text: str) -> str:
    """The sentence that asks: the first with a question mark, else the first."""
    parts = _STOP.split(text)
    return next((part for part in parts if part.rstrip(' "»”)').endswith("?")), parts[0] if parts else text)


def _subjects(patterns: list[re.Pattern[str]], core: str) -> tuple[str, ...] | None:
    """What the first pattern that fits a question says it is about; None when none does."""
    for pattern in patterns:
        if found := pattern.search(core):
            return tuple(part.strip(" \"'«»“”?.!") for part in found.groups() if part)
    return None
