"""Whether a question refers back to what was said before, and the language it is asked in.

French follows fixed rules. Strong: celle, celui, celles and ceux always refer back. Medium: ça, cela, ce, cette and ces
do in a question of fewer than eight words. Pronouns: il, elle, ils, elles, y and en do as the first word. So do the
openings "et celle", "et celui" and "et ça". Articles do not. In any language a question without a word of its own
("Why?") refers back. There are no other rules: for all other questions the ranking decides.
"""

import re
from collections.abc import Sequence

from pincite.index.analysis import terms
from pincite.reading.language import french_or_english
from pincite.types import Exchange

LONGEST = 1000  # characters of a question; what is longer says enough itself
_OWN_WORDS = 2  # that a question needs to be searched for alone
_SHORT = 8  # words: a question with a medium sign has fewer

_STRONG = frozenset(("celle", "celui", "celles", "ceux"))
_MEDIUM = frozenset(("ça", "cela", "ce", "cette", "ces"))
_FIRST = frozenset(("il", "elle", "ils", "elles", "y", "en"))
_OPENING = frozenset(("celle", "celui", "ça"))
# A word ends where a hyphen or an apostrophe does not: the "ce" of "est-ce" is not one, "celui-ci" begins with one.
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LEADING = re.compile(r"[^\W_]+")


def refers_back(question: str, history: Sequence[Exchange], language: str = "") -> bool:
    """Whether a question can only be understood with what was said before; never when nothing was."""
    if not history or len(question) > LONGEST or not any(c.isalnum() for c in question):
        return False
    spoken = language_of(question, history, language)
    return not terms(question, spoken) or (spoken == "fr" and _refers_in_french(question))


def says_little(question: str, language: str) -> bool:
    """Whether a question has at most one word of its own, too few to search the web with.

    Of 209 such questions in conversations of TREC CAsT, people completed 197.
    """
    return len(set(terms(question, language))) < _OWN_WORDS


def language_of(question: str, history: Sequence[Exchange] = (), language: str = "") -> str:
    """French or English, by the small words of the question, else of the questions before it."""
    if language[:2].lower() in ("fr", "en"):
        return language[:2].lower()
    asked = (question, *(exchange.question for exchange in reversed(history)))
    return next((code for text in asked if (code := french_or_english(text))), "en")


def _refers_in_french(question: str) -> bool:
    words = _WORD.findall(question.casefold())
    heads = [head[0] for word in words if (head := _LEADING.match(word))]
    if not heads:
        return False
    opens = heads[0] == "et" and not _OPENING.isdisjoint(heads[1:2])
    if opens or heads[0] in _FIRST or not _STRONG.isdisjoint(heads):
        return True
    return len(words) < _SHORT and not _MEDIUM.isdisjoint(heads)
