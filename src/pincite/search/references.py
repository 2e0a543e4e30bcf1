"""Decide whether a question refers back to an earlier one.

French follows fixed rules, which the users asked for. A French question refers back in four cases: it has celle,
celui, celles or ceux; it has ça, cela, ce, cette or ces, and fewer than eight words; its first word is il, elle, ils,
elles, y or en; or it begins with "et celle", "et celui" or "et ça". Articles do not refer back. In any language a
question without a word of its own ("Why?") refers back. For all other questions the ranking decides.
"""

import re
from collections.abc import Sequence

from pincite.index.terms import list_terms
from pincite.text.language import detect_conversation_language
from pincite.text.stopwords import QUESTION_WORDS
from pincite.text.words import WORD
from pincite.types import Exchange

LONGEST = 1000  # characters; a longer question needs no history
_OWN_WORDS = 2  # words of its own that a question needs to be searched for alone
_SHORT = 8  # words: a question with a medium sign has fewer

_STRONG = frozenset(("celle", "celui", "celles", "ceux"))
_MEDIUM = frozenset(("ça", "cela", "ce", "cette", "ces"))
_FIRST = frozenset(("il", "elle", "ils", "elles", "y", "en"))
_OPENING = frozenset(("celle", "celui", "ça"))
# A hyphen or an apostrophe does not end a word: "ce" in "est-ce" is no word, and "celui-ci" begins with "celui".
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def needs_history(question: str, history: Sequence[Exchange], language: str = "") -> bool:
    """Whether a question can only be understood with the earlier exchanges; never without any."""
    if not history or len(question) > LONGEST or not any(c.isalnum() for c in question):
        return False
    spoken = detect_conversation_language(question, history, language)
    return not list_terms(question, spoken) or (spoken == "fr" and _needs_history_in_french(question))


def has_few_words(question: str, language: str) -> bool:
    """Whether a question has at most one word of its own, too few to search the web with.

    Of 209 such questions in conversations of TREC CAsT, people completed 197.
    """
    asking = {term for word in QUESTION_WORDS for term in list_terms(word, language)}
    return len(set(list_terms(question, language)) - asking) < _OWN_WORDS


def _needs_history_in_french(question: str) -> bool:
    words = _WORD.findall(question.casefold())
    heads = [head[0] for word in words if (head := WORD.match(word))]
    if not heads:
        return False
    opens = heads[0] == "et" and not _OPENING.isdisjoint(heads[1:2])
    if opens or heads[0] in _FIRST or not _STRONG.isdisjoint(heads):
        return True
    return len(words) < _SHORT and not _MEDIUM.isdisjoint(heads)
