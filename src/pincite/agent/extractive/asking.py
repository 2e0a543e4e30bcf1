"""A question to what it asks for: its language, its kind, and the things it is about."""

import re
from dataclasses import dataclass
from typing import Literal

from pincite.reading.language import detect, french_or_english

Kind = Literal[
    "fact",
    "polar",
    "person",
    "time",
    "place",
    "quantity",
    "reason",
    "definition",
    "list",
    "procedure",
    "comparison",
    "aspect",
    "summary",
]

_ASIDE = " — "  # between one side of a comparison, when it is asked for by itself, and the whole question
_CLAUSE = re.compile(r"\s:\s|:\s|;\s|,\s(?=(?:what|which|who|how|when|where|why|is|are|does|did|has)\b)", re.I)
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
_DEFINITIONS = [
    re.compile(pattern, re.I)
    for pattern in (
        r"\bqu['’]\s*est[- ]ce\s+qu(?:e\s+(?:l['’]|la\b|les?\b)|e\s+c['’]est\s+qu|['’](?:une?\b|on\s+appelle))"
        r"\s*(?P<a>.+?)\s*[?.!]*$",
        r"\bqu['’]\s*est[- ]ce\s+qu(?:e\b|['’])\s*(?P<a>.+?)\s*[?.!]*$",
        r"\bc['’]est\s+quoi\s+(?:l['’]|la\b|les?\b|une?\b)?\s*(?P<a>.+?)\s*[?.!]*$",
        r"\bque\s+(?:signifie|veut\s+dire|désigne)\s+(?:l['’]|la\b|les?\b|une?\b)?\s*(?P<a>.+?)\s*[?.!]*$",
        r"\b(?:définition|définir|définis|définissez)\s+(?:de\s+la|de\s+l['’]|des?|du|d['’]|la|les?|l['’])?\s*"
        r"(?P<a>.+?)\s*[?.!]*$",
        r"^what\s+(?:is|are)\s+meant\s+by\s+(?:an?\s+|the\s+)?(?P<a>.+?)\s*[?.!]*$",
        r"^(?:define|definition\s+of|what\s+does)\s+(?:an?\s+|the\s+)?(?P<a>.+?)(?:\s+(?:mean|stand\s+for))?\s*[?.!]*$",
        r"^what(?:['’]s|\s+is|\s+are)\s+(?:an?\s+|the\s+)?(?P<a>[^\d,]+?)\s*[?.!]*$",
    )
]
# Of a thing that has an amount or a name, "what is …" asks for that and not for what the thing is.
_OF_SOMETHING = re.compile(
    r"['’]s\b|\b(?:of|for|in|per|did|does|the\s+(?:number|amount|name|date|price|cost|rate|ratio|total))\b", re.I
)
# "What does the lease say about the rent?" asks what is said of the rent; the lease is where.
_SAYS_ABOUT = re.compile(
    r"^(?:what|que|qu['’]est-ce\s+que)\b.*?\b(?:say|says|said|state|provide|tell(?:\s+(?:us|me))?|dit|disent|prévoi(?:t|ent)"
    r"|indiquent?|précisent?)\b.*?\s(?:about|on|regarding|concerning|sur|concernant|à\s+propos\s+d(?:e|u|es)"
    r"|au\s+sujet\s+d(?:e|u|es))\s+(?P<theme>\S.*)$",
    re.I,
)
_LONGEST_TERM = 6  # words
_LONGEST = 600  # characters of the sentence that asks: who pastes a page asks for nothing that these patterns know

_KINDS: dict[Kind, str] = {
    "quantity": (
        r"\bcombien\b|\bquel(?:le)?s?\s+(?:est|sont)\s+(?:le|la|les|l['’])\s*(?:montants?|taux|nombres?|prix|coûts?|tarifs?"
        r"|pourcentages?|durées?|délais?|plafonds?|seuils?|âges?|tailles?|totaux|total)"
        r"|\bquel(?:le)?s?\s+(?:montants?|taux|nombres?|prix|coûts?|tarifs?|pourcentages?|durées?|délais?|plafonds?|seuils?"
        r"|âges?)\b|\bhow\s+(?:many|much|long|old|often|far|large|big|high|tall)\b"
        r"|\bwhat\s+(?:percent|percentage|amount|number|share|fraction)\b"
        r"|\bwhat(?:['’]s|\s+(?:is|are|was|were))\b.*\b(?:in\s+(?:usd|eur|euros|dollars)|amount|ratio|percentage"
        r"|margin|total|rate|price|cost|number)\b"
    ),
    "time": (
        r"\bwhen\b|\b(?:what|which|in\s+what)\s+(?:year|date|day|month|time)\b|\bsince\s+when\b|^quand\b|\bdepuis\s+quand\b"
        r"|\bjusqu['’]à\s+quand\b|\bà\s+(?:quelle|partir\s+de\s+quelle)\s+(?:date|heure|époque)\b"
        r"|\ben\s+quelle\s+année\b|\bquelle\s+(?:est\s+la\s+)?(?:date|année|heure)\b"
    ),
    "person": (
        r"^(?:by|to|from|for)?\s*who(?:m|se)?\b|^(?:à|de|par|avec|pour|chez)?\s*qui\b"
        r"|\bwhich\s+(?:person|company|organi[sz]ation)\b"
    ),
    "place": (r"^(?:from\s+)?where\b|^(?:d['’])?où\b|\b(?:dans|en)\s+quel(?:le)?s?\s+(?:ville|pays|lieu|région)s?\b"),
    "reason": r"^why\b|\bwhat\s+(?:drove|caused|explains|led)\b|^pourquoi\b|\bpour\s+quelles?\s+raisons?\b",
    "list": (
        r"^(?:list|name|enumerate|énumère|énumérez|liste[rz]?|cite[rz]?)\b|^what\s+are\b"
        r"|^which\s+\w+(?<!s)s\b(?!\s+(?:had|has|is|was)\b)"
        r"|\bquel(?:le)?s\s+sont\b|\b(?:dans\s+)?quel(?:le)?s\s+(?:cas|documents?|pièces?|justificatifs?|étapes?"
        r"|conditions?|démarches?)\b|\bwhat\s+(?:\w+\s+)?(?:documents|steps|conditions|requirements|items)\b"
    ),
    "procedure": (
        r"^how\s+(?:do|does|can|could|should|to|is|are)\b|\bcomment\b|\bque\s+(?:faire|faut-il)\b|\bwhat\s+should\b"
        r"|\bwhat\s+(?:do|must|can)\s+(?:i|we|you|one)\b"
    ),
}
_ASKED = [(kind, re.compile(pattern, re.I)) for kind, pattern in _KINDS.items()]
_QUESTION_WORD = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how)\b|\b(?:quel(?:le)?s?|comment|combien|pourquoi|lequel|laquelle)\b"
    r"|^(?:(?:à|de|en|par|pour|avec|sur)\s+)?(?:qui|que|quoi|qu['’]|où|quand)",
    re.I,
)
_POLAR = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|am)\b"
    r"|\b\w+-(?:t-)?(?:il|elle|on|ils|elles|vous|nous|tu|je|ce)\b|\b\w+ t[-' ](?:il|elle|on)s?\b|\best-ce\s+qu",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as it is understood. `core` is the sentence that asks, without what tells how to answer.

    `subjects` are the two sides of a comparison, the word to define, or what is to be summarised; of an aspect the one
    side that is asked for, and the other.
    """

    text: str
    core: str
    language: str
    kind: Kind
    subjects: tuple[str, ...] = ()


def understand(question: str) -> Asking:
    """A question to what it asks for."""
    text = " ".join(question.split())
    if (aspect := _aspect(text)) is not None:
        return aspect
    core = _core(text)[:_LONGEST]
    language = language_of(text)
    if (named := _subjects(_SUMMARIES, core)) is not None:
        return Asking(text, core, language, "summary", named)
    if sides := _subjects(_CHOICES, text[:_LONGEST]) or _subjects(_COMPARISONS, core):
        return Asking(text, core, language, "comparison", _spelled_out(sides))
    if about := _SAYS_ABOUT.match(core):
        return Asking(text, about["theme"], language, "fact")
    clauses = [clause.strip() for clause in reversed(_CLAUSE.split(core)) if clause and clause.strip()]
    for clause in clauses:
        if term := _defined(clause):
            return Asking(text, core, language, "definition", (term,))
        for kind, pattern in _ASKED:
            if pattern.search(clause):
                return Asking(text, core, language, kind)
        if not _QUESTION_WORD.search(clause) and _POLAR.search(clause):
            return Asking(text, core, language, "polar")
    return Asking(text, core, language, "fact")


def _spelled_out(sides: tuple[str, ...]) -> tuple[str, ...]:
    """The sides of a comparison, the second with what it leaves to the first: the price of A and (that) of B."""
    if len(sides) == 2 and (short := _SHORT_SIDE.match(sides[1])) and (head := _HEAD.match(sides[0])):
        return sides[0], f"{head[1]} {sides[1][short.end() :]}"
    return sides


def of_side(side: str, question: str) -> str:
    """How one side of a comparison is asked for by itself."""
    return f"{side}{_ASIDE}{question}"


def _aspect(text: str) -> Asking | None:
    """What a comparison asks of one of its sides, when it is put like that."""
    side, _, rest = text[:_LONGEST].partition(_ASIDE)
    whole = understand(rest) if rest else None
    if whole is None or whole.kind != "comparison" or side not in whole.subjects:
        return None
    words = f"{side} {whole.text}"
    return Asking(words, words, whole.language, "aspect", (side, *(one for one in whole.subjects if one != side)))


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


def _defined(clause: str) -> str:
    """The word that a clause asks the meaning of, if it does."""
    for pattern in _DEFINITIONS:
        if found := pattern.search(clause):
            term = found["a"].strip(" \"'«»“”")
            english = pattern.pattern.startswith("^what")
            if term and not (english and (len(term.split()) > _LONGEST_TERM or _OF_SOMETHING.search(term))):
                return term
    return ""
