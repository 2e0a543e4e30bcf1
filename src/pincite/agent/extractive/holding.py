"""Does a sentence hold what a kind of question wants: a name, a date, a place, a number, a reason?"""

import re
from collections.abc import Callable

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

Look = Callable[[str], float]


def looks(asking: Asking) -> Look:
    """A question to how far, from 0 to 1, a sentence has the look of an answer to its kind."""
    if asking.kind == "polar":
        return _decides
    if asking.kind == "definition":
        return _definition(asking.subjects[0])
    if asking.kind == "quantity":
        return _quantity(asking)
    pattern = _HELD.get(asking.kind)
    return lambda text: 1.0 if pattern and pattern.search(text) else 0.0


def _decides(text: str) -> float:
    return 1.0 if _YES_NO.match(text) else 0.4 if _POLAR.search(text) else 0.0


def _quantity(asking: Asking) -> Look:
    """A number of what is counted, beside its word; in a table, the row whose first cell has the question's words."""
    asked = bag(asking.core)
    found = _COUNTED.search(asking.core)
    counted = bag(found[1]) if found else frozenset()

    def look(text: str) -> float:
        label, *cells = text.split(" | ")
        numbers = list(_HELD["quantity"].finditer(" | ".join(cells) or text))
        if not numbers:
            return 0.0
        if cells:
            words = bag(label)
            return 0.5 + 0.5 * len(words & asked) / len(words) if words else 0.0
        near = (text[max(0, one.start() - _BESIDE) : one.end() + _BESIDE] for one in numbers)
        return 1.0 if not counted or any(not counted.isdisjoint(bag(piece)) for piece in near) else 0.5

    return look


def _definition(term: str) -> Look:
    """What a term is, said at the sentence's beginning, of its first or last word alone, or further in."""
    inside = re.search(r"\(([^)]+)\)", term)
    words = re.sub(r"\s*\([^)]*\)", "", term).split()
    whole = _any_of([" ".join(words), inside[1] if inside else ""])
    heads = _any_of([word for word in (*words[:1], *words[-1:]) if len(words) > 1 and len(word) > 3])
    article = r"(?:an?|the|une?|les?|la|l['’])"
    patterns = [
        (1.0, re.compile(rf"{_BEGINS}{whole}{_MEANS}", re.I)),
        (0.8, re.compile(rf"{_BEGINS}{heads}{_MEANS}\s+{article}", re.I)),
        (0.6, re.compile(rf"\b{whole}\b[^.]{{0,60}}{_MEANS}", re.I)),
    ]
    return lambda text: next((worth for worth, pattern in patterns if pattern.search(text)), 0.0)


def _any_of(names: list[str]) -> str:
    """A pattern for any of these names, and for nothing when there are none."""
    spelt = [re.escape(name).replace(r"\ ", r"\s+") for name in names if name]
    return f"(?:{'|'.join(spelt)})" if spelt else r"(?!)"
