"""Parse a question: its language, and whether it asks for a summary, a comparison or the list of documents."""

import re
from dataclasses import dataclass
from typing import Literal

from pincite.answer.search_need import drop_small_talk
from pincite.text.language import detect_question_language

Kind = Literal["question", "side", "comparison", "summary", "documents"]

_ARTICLE = re.compile(r"^(?:l['’]|(?:les?|la|une?|des?|du|the|an?|my|our|mon|ma|mes|notre|nos)\s+)", re.I)
_ASIDE = " — "  # between one side of a comparison, when it is asked for by itself, and the whole question
_STOP = re.compile(r"(?<=[.!?…])(?<!\b[A-Z]\.)\s+(?=[\w«\"“(])")  # not behind an initial: article L. 121-3

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
# A follow-up question with its subject added: which one is cheaper? (A and B)
_CHOICES = [
    re.compile(
        rf"^(?:(?:and|so|et|alors)\s+)?(?:which|lequel|laquelle)\b[^()]*\({_THEME}\s+(?:and|et)\s+(?P<b>[^()]+)\)$",
        re.I,
    )
]
# The second side omits what both have in common: "the price of A and of B", "le prix de A et celui de B".
_SHORT_SIDE = re.compile(r"(?:(?:that|those|celui|celle|ceux|celles)\s+)?(?=(?:of|de|du|des)\s|d['’])", re.I)
_HEAD = re.compile(r"(\S.*?)\s+(?:of\s|de\s|du\s|des\s|d['’])", re.I)
# What is compared, before the name of its owner: "net sales of A", "le chiffre d'affaires d'A".
_NAMED_HEAD = re.compile(
    r"(\S.*?)\s+(?:of\s+(?:the\s+)?|(?:[Dd]e\s+(?:la\s+|l['’])?|[Dd]u\s+|[Dd]es\s+|[Dd]['’]))(?=[A-ZÀ-Þ])"
)
_OWNED = re.compile(r"(\S.*?)(?:['’]s|(?<=s)['’])\s+(\S.*)")  # A's net sales
_POSSESSIVE = re.compile(r"(?<=\w)['’]s?$")
_VOWEL = re.compile(r"[aeiouàâéèêëîïôûœ]", re.I)
# Or it is a number alone: "the sales of 2022 and 2023".
_NUMBER_SIDE = re.compile(r"\d[\w.,/-]*")
_BEFORE_NUMBER = re.compile(r"(\S.*\s)\d[\w.,/-]*")
# A year after the second side is that of both: "the sales of A and B in 2023".
_YEAR_OF_BOTH = re.compile(r"\s+(?:in|for|en|pour)\s+(?:1\d|20)\d\d$", re.I)
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
_LONGEST = 600  # characters of the sentence that asks; these patterns do not apply to a pasted page


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A parsed question. `core` is the sentence that asks, without instructions on how to answer.

    `subjects` are the two sides of a comparison, or the text to summarise. For one side of a comparison that is
    asked for alone, they are that side and the other. `own` is a follow-up question without the subject of the last
    question; empty for others.
    """

    text: str
    core: str
    language: str
    kind: Kind = "question"
    subjects: tuple[str, ...] = ()
    own: str = ""


def parse_question(question: str) -> ParsedQuestion:
    """Parse a question."""
    text = drop_small_talk(" ".join(question.split()))
    if (side := _parse_side(text)) is not None:
        return side
    core = _find_core(text)[:_LONGEST]
    language = detect_question_language(text)
    if _DOCUMENTS.match(core):
        return ParsedQuestion(text, core, language, "documents")
    if (named := _match_subjects(_SUMMARIES, core)) is not None:
        return ParsedQuestion(text, core, language, "summary", named)
    if sides := _match_subjects(_CHOICES, text[:_LONGEST]) or _match_subjects(_COMPARISONS, core):
        return ParsedQuestion(text, core, language, "comparison", _complete_sides(sides))
    return ParsedQuestion(text, core, language)


def _complete_sides(sides: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sides of a comparison, each completed from the other: the price of A and (that) of B, A's and B's."""
    if len(sides) != 2:
        return sides
    one, other = sides
    if (year := _YEAR_OF_BOTH.search(other)) and not any(map(str.isdigit, one)):
        one += year[0]
    head = _NAMED_HEAD.match(one) or _HEAD.match(one)
    if head and (short := _SHORT_SIDE.match(other)):
        return one, f"{head[1]} {other[short.end() :]}"
    if _NUMBER_SIDE.fullmatch(other) and (before := _BEFORE_NUMBER.fullmatch(one)):
        return one, before[1] + other
    if (owned := _OWNED.match(one)) and _is_owner(other):
        return one, _write_owned(other, owned[2])
    if (owned := _OWNED.match(other)) and _is_owner(one):
        return _write_owned(one, owned[2]), other
    if head and _names_owner(one) and _is_owner(other):
        return one, f"{head[1]} {_write_of(one[head.end(1) :], other)}{other}"
    return sides


def _is_owner(side: str) -> bool:
    """Whether a side of a comparison is only the name of somebody or something: "B", "the B", "B's"."""
    return strip_article(side)[:1].isupper() and not _names_owner(side) and not _OWNED.match(side)


def _names_owner(side: str) -> bool:
    """Whether a side says what it compares, and whose it is: "net sales of A", and not "the Bank of A"."""
    head = _NAMED_HEAD.match(side)
    last = head[1].split()[-1] if head else ""
    return bool(head) and (last[0].islower() or last.isupper())


def _write_owned(owner: str, thing: str) -> str:
    return f"{_POSSESSIVE.sub('', owner)}'s {thing}"


def _write_of(before: str, owner: str) -> str:
    """Return "of" or its French form for an owner; `before` begins with that of the other side."""
    if before.split()[0].casefold() == "of":
        return "of "
    return "d'" if _VOWEL.match(owner) else "de "


def strip_article(name: str) -> str:
    """Return a name without its article."""
    return _ARTICLE.sub("", name)


def write_side_question(side: str, question: str) -> str:
    """Return the question for one side of a comparison alone."""
    return f"{side}{_ASIDE}{question}"


def _parse_side(text: str) -> ParsedQuestion | None:
    """Parse the question for one side of a comparison, as `write_side_question` writes it; None for any other."""
    side, _, rest = text[:_LONGEST].partition(_ASIDE)
    whole = parse_question(rest) if rest else None
    if whole is None or whole.kind != "comparison" or side not in whole.subjects:
        return None
    # In quotation marks the name counts as a whole, so that "option A" differs from "option B".
    sides = (side, *(one for one in whole.subjects if one != side))
    return ParsedQuestion(
        f"“{strip_article(side)}” {whole.text}", f"{side} {whole.text}", whole.language, "side", sides
    )


def _find_core(text: str) -> str:
    """Return the sentence that asks: the first with a question mark, else the first."""
    parts = _STOP.split(text)
    return next((part for part in parts if part.rstrip(' "»”)').endswith("?")), parts[0] if parts else text)


def _match_subjects(patterns: list[re.Pattern[str]], core: str) -> tuple[str, ...] | None:
    """Return the subjects that the first matching pattern finds in a question; None if no pattern matches."""
    for pattern in patterns:
        if found := pattern.search(core):
            return tuple(part.strip(" \"'«»“”?.!") for part in found.groups() if part)
    return None
