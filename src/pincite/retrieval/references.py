"""Whether a question leans on what was said before, and on which of its words.

French follows fixed rules: celle, celui, celles and ceux always refer back; ça, cela, ce, cette and ces in a short
question; il, elle, ils, elles, y and en as the first word; and so do openings such as "et celle". Articles do not.
English has the equals of these, and looks whether a pronoun finds what it stands for inside the question itself.
"""

import re
from collections.abc import Sequence

from pincite.index.stems import fold
from pincite.index.stopwords import STOP_WORDS
from pincite.reading.language import french_or_english
from pincite.retrieval.naming import introduced, pronoun, stands_alone
from pincite.retrieval.topics import WORD, topics
from pincite.types import Exchange

LONGEST = 1000  # characters of a question; what is longer says enough itself
_SHORT = 8  # words that a question with a weaker sign must have fewer than

_STRONG_FR = re.compile(r"\b(?:celle|celui|celles|ceux)\b", re.IGNORECASE)
# Not the "ce" of "est-ce que", "ce qui" and "ce que".
_MEDIUM_FR = re.compile(
    r"\bça\b|\bca\b|\bcela\b|(?<!est-)(?<!était-)(?<!sont-)\bce\b(?!\s+(?:qu|dont))|\bcette\b|\bces\b", re.IGNORECASE
)
_OWNED_FR = re.compile(r"\b(?:son|sa|ses|leurs?)\b", re.IGNORECASE)
# Not the "en" that stands before a time, a place or a question word.
_FIRST_FR = re.compile(
    r"\W*(?:(?:ils?|elles?|y)\b|en\b(?!\s+(?:quel|quoi|combien|cas\b|tant\b|\d|(?-i:[A-ZÀ-Þ]))))", re.IGNORECASE
)
_START_FR = re.compile(
    r"\W*et\s+(?:celle|celui|celles|ceux|ça|ca|cela|pour|si|dans|sur|avec|sans|chez|en|à|au|aux)\b", re.IGNORECASE
)
_AND_FR = re.compile(r"\W*(?:et|mais|sinon)\s", re.IGNORECASE)
_FEW = 6  # words of a question that only goes on

_STRONG_EN = re.compile(
    r"\b(?:th(?:at|is) one|th(?:e|o)se ones|the (?:former|latter|same)|which ones?|the other ones?|the others)\b",
    re.IGNORECASE,
)
_START_EN = re.compile(r"\W*(?:and|but|what about|how about|why\W*$|how so|how come\W*$|which ones?)\b", re.IGNORECASE)
# What is asked of a thing that is left out: the rules, which rules, how many rules.
_DEFINITE_EN = re.compile(r"\b(?:the|these|those|this|that)\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
_SOUGHT_EN = re.compile(
    r"\W*(?:what|which|how many|how much|(?:is|are) there(?: any)?)\s+"
    r"(?!(?:is|are|was|were|do|does|did|can)\b)(?:[\w-]+\s+){0,2}$",
    re.IGNORECASE,
)
# What was asked was misunderstood: the last question again, of something else.
CORRECTS = re.compile(
    r"\W*(?:(?:no|sorry|non|pardon)\W+)?"
    r"(?:i mean(?:t)?|i was asking|i asked|je voulais dire|je veux dire|je parl(?:e|ais)|je demandais)\b",
    re.IGNORECASE,
)

# One of two things is to be chosen, and neither is named: which one is cheaper? lequel consomme le moins ?
ONE_OF_TWO = {
    "en": re.compile(
        r"\W*(?:and\s+|so\s+)?which\s+(?:one\b|of\s+(?:them|these|those|the\s+two)\b"
        r"|(?:is|was|are|has|would\s+be)\s+(?:the\s+)?(?:\w{3,}er|\w{3,}est|more|most|less|least|better|best|worse|worst)\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\W*(?:et\s+|alors\s+)?(?:lequel|laquelle)\b(?!\s+(?:de|des|du)\s+(?!deux\b|ces\b))", re.IGNORECASE
    ),
}


def refers_back(question: str, history: Sequence[Exchange], language: str = "") -> bool:
    """Whether a question can only be understood with what was said before; never when nothing was."""
    if not history or len(question) > LONGEST or not any(c.isalnum() for c in question):
        return False
    spoken = language_of(question, history, language)
    if CORRECTS.match(question) or ONE_OF_TWO[spoken].match(question):
        return True
    return _refers_in_french(question) if spoken == "fr" else _refers_in_english(question)


def language_of(question: str, history: Sequence[Exchange] = (), language: str = "") -> str:
    """French or English, by the small words of the question, else of the questions before it."""
    if language[:2].lower() in ("fr", "en"):
        return language[:2].lower()
    asked = (question, *(exchange.question for exchange in reversed(history)))
    return next((code for text in asked if (code := french_or_english(text))), "en")


def _refers_in_french(question: str) -> bool:
    count = sum(any(map(str.isalnum, word)) for word in question.split())
    if _STRONG_FR.search(question) or _START_FR.match(question) or _FIRST_FR.match(question):
        return True
    if count < _SHORT and (_MEDIUM_FR.search(question) or _owned_in_french(question)):
        return True
    return (count < _FEW and bool(_AND_FR.match(question))) or _says_nothing(question, "fr")


def _owned_in_french(question: str) -> bool:
    """Has something in it an owner that it does not name?"""
    owned = _OWNED_FR.search(question)
    return owned is not None and not any(topic.end <= owned.start() for topic in topics(question, "fr"))


def _refers_in_english(question: str) -> bool:
    if _STRONG_EN.search(question) or _START_EN.match(question):
        return True
    named = introduced(question, "en")
    found = pronoun(question, "en")
    if found and not stands_alone(question, found, named, "en"):
        return True
    if not named:
        return True
    if len(named) > 1 or named[0][0].named or len(named[0][0].stems) > 1:
        return False
    before = question[: named[0][0].start]
    definite = _DEFINITE_EN.search(before)
    return bool(definite) or (not named[0][1] and bool(_SOUGHT_EN.match(before)))


def _says_nothing(question: str, language: str) -> bool:
    """Has it no word of its own at all: why? how much?"""
    words = {fold(word.lower()) for word in WORD.findall(question)}
    return not topics(question, language) and all(word in STOP_WORDS[language] | {"combien", "c'est"} for word in words)
