"""Does a sentence hold what a kind of question wants: a name, a date, a place, a number, a reason?"""

import re

from pincite.agent.extractive.asking import Asking, Kind
from pincite.agent.extractive.words import bag

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|janvier|février|mars|avril|mai"
    "|juin|juillet|août|septembre|octobre|novembre|décembre"
)
_UNITS = "days?|weeks?|months?|years?|hours?|minutes?|jours?|semaines?|mois|ans?|années?|heures?|trimestres?"
_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|million|billion|deux|trois|quatre|cinq|sept"
    "|huit|neuf|dix|douze|cent|mille|millions?|milliards?"
)
_PATTERNS: dict[Kind, str] = {
    "person": (
        r"(?<=\w )[A-ZÀ-Þ][\w'’-]+(?:\s+(?:de|du|des|von|van|of|and|et|&)?\s*[A-ZÀ-Þ][\w'’-]+)+"
        r"|\b(?:M|Mme|Mr|Mrs|Ms|Dr)\.?\s[A-ZÀ-Þ]|\b(?:les?|la|l['’]|un|une|the|an?)\s*\w+(?:eurs?|iers?|trices?|taires?"
        r"|istes?|iens?|ants?|ors?|ers?)\b"
    ),
    "time": (
        rf"\b(?:1[5-9]|20)\d\d\b|(?i:\b\d{{1,2}}(?:er|st|nd|rd|th)?\s+(?:{_MONTHS})\b|\b(?:{_MONTHS})\s+\d"
        rf"|\b(?:\d+|{_NUMBERS})\s+(?:{_UNITS})\b)"
    ),
    "place": r"\b(?:à|au|aux|en|dans|sur|in|at|near|from|chez|auprès)\s+(?:la\s|le\s|les\s|l['’]|the\s)?[A-ZÀ-Þ]\w+",
    "quantity": rf"\d|(?i:\b(?:{_NUMBERS})\b)",
    "reason": (
        r"(?i:\b(?:because|due\s+to|driven\s+by|as\s+a\s+result|primarily|resulted?\s+from|reflect(?:s|ed|ing)|attributable"
        r"|owing\s+to|so\s+that|parce\s+qu|car|en\s+raison|à\s+cause|grâce\s+à|afin\s+(?:de|qu)|puisqu|s['’]explique|dû|due)"
        r"\b)"
    ),
    "procedure": (
        r"(?i:\b(?:vous\s+(?:devez|pouvez)|il\s+faut|doit|doivent|peut|adress\w+|demand\w+|dépos\w+|remplir|"
        r"you\s+(?:must|can|should|need)|must|should|steps?|étapes?|en\s+ligne|online|click|select|open)\b)|:$"
    ),
    "list": r":\s|;|,.*,|(?i:\b(?:suivant\w*|following|such\s+as|notamment)\b)|:$",
}
_HELD = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}
_POLAR = re.compile(
    r"^(?:oui|non|yes|no)\b|\b(?:vous\s+(?:ne\s+)?(?:pouvez|devez)|peu(?:t|vent)|possible|interdit\w*|obligat\w+|autoris\w+|"
    r"droit|doi(?:t|vent)|dépend|may|can(?:not)?|must|allowed|required|prohibited|permitted|did|does|has|have)\b",
    re.I,
)
_YES_NO = re.compile(r"^(?:oui|non|yes|no)\b", re.I)
_MEANS = (
    r"(?:\s*\([^)]*\))?\s*,?\s*(?:(?:is|are|means?|refers?\s+to|denotes?|stands\s+for|consists?|designates?|est|sont|"
    r"désigne\w*|signifie\w*|consiste\w*|permet\w*|correspond\w*|vise\w*|sert|servent|a\s+pour|regroupe\w*|constitue\w*)\b"
    r"|[:=–—])"
)
_COUNTED = re.compile(r"(?:\bhow\s+many|\bcombien\s+d(?:e\s|['’]))\s*(\w+)", re.I)
_BESIDE = 40  # characters
_BEGINS = r"^(?:\W*(?:l['’]|le|la|les|un|une|des|du|the|an?|this|cet(?:te)?|ce)\b\s*)?"


def holds(asking: Asking, text: str) -> float:
    """From 0 to 1, how far a sentence has the look of an answer to this kind of question."""
    if asking.kind == "polar":
        return 1.0 if _YES_NO.match(text) else 0.4 if _POLAR.search(text) else 0.0
    if asking.kind == "definition":
        return _defines(asking.subjects[0], text)
    if asking.kind == "quantity" and " | " in text:
        return _labelled(asking, text)
    if asking.kind == "quantity" and (counted := _COUNTED.search(asking.core)):
        return _counts(text, bag(counted[1]))
    pattern = _HELD.get(asking.kind)
    return 1.0 if pattern and pattern.search(text) else 0.0


def _counts(text: str, counted: frozenset[str]) -> float:
    """How far a sentence has a number of what is counted: one beside the word, or any."""
    numbers = list(_HELD["quantity"].finditer(text))
    near = (text[max(0, one.start() - _BESIDE) : one.end() + _BESIDE] for one in numbers)
    return 1.0 if any(not counted.isdisjoint(bag(piece)) for piece in near) else 0.5 if numbers else 0.0


def _labelled(asking: Asking, row: str) -> float:
    """How far a table's row is the one asked for: its first cell says what the others count."""
    label, *cells = row.split(" | ")
    words = bag(label)
    if not words or not any(map(str.isdigit, "".join(cells))):
        return 0.0
    return 0.5 + 0.5 * len(words & bag(asking.core)) / len(words)


def _defines(term: str, text: str) -> float:
    """How far a sentence says what a term is: at its beginning, by its last or first word alone, or further in."""
    bare = re.sub(r"\s*\([^)]*\)", "", term).strip()
    inside = re.search(r"\(([^)]+)\)", term)
    names = [_spaced(name) for name in (bare, inside[1] if inside else "") if name]
    if any(re.search(rf"{_BEGINS}{name}{_MEANS}", text, re.I) for name in names):
        return 1.0
    words = bare.split()
    heads = [_spaced(word) for word in (words[0], words[-1]) if len(words) > 1 and len(word) > 3]
    if any(re.search(rf"{_BEGINS}{name}{_MEANS}\s+(?:an?|the|une?|les?|la|l['’])", text, re.I) for name in heads):
        return 0.8
    return 0.6 if any(re.search(rf"\b{name}\b[^.]{{0,60}}{_MEANS}", text, re.I) for name in names) else 0.0


def _spaced(name: str) -> str:
    return re.escape(name).replace(r"\ ", r"\s+")
