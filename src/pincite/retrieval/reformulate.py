"""A follow-up question and its conversation to the words that a search needs besides the question's own.

The subject of the last question is searched for beside the question, and the ranking chooses (`follow_up`). Where a
model rewrites the question instead, `acceptable` says whether to take what it gives.
"""

import re
from collections.abc import Sequence

from pincite.index.analysis import terms
from pincite.retrieval.references import LONGEST, language_of
from pincite.types import Exchange

_WORD = re.compile(r"[^\W_]+(?:[.&'’/-][^\W_]+)*")
_ENOUGH, _MOST = 3, 16  # words of a subject

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NOT_A_QUESTION = re.compile(
    r"\W*(?:i |i['’]m |sure|here |the answer|answer\s*:|question\s*:|rewritten|reply\s*:|based on|according to|sorry"
    r"|as an|yes\b|no,|oui\b|non,|voici|bien sûr|la réponse|réponse\s*:|désolé|selon |d['’]après)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\W*(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|has"
    r"|have|had|may|tell|describe|explain|compare|list|give|show|find|name|define|summari[sz]e"
    r"|qu|que|quel\w*|qui|quand|où|ou"
    r"|pourquoi|comment|combien|est|sont|peut|peut-on|dois|doit|parle\w*|décri\w*|expli\w*|donne\w*|compare\w*|liste\w*"
    r"|résume\w*|cite\w*|à|de|dans|en|pour|and|et|about)\b",
    re.IGNORECASE,
)


def name_subject(question: str, history: Sequence[Exchange]) -> str:
    """What was asked about before, in words that say something and that this question does not have.

    They are those of the last question. One that has few of its own leaves its subject to the question before it, so
    the words of that one are added. Empty when there is none.
    """
    if not history or len(question) > LONGEST:
        return ""
    spoken = language_of(question, history)
    known = set(terms(question, spoken))
    words: list[str] = []
    for exchange in reversed(history):
        for word in _WORD.findall((exchange.understood or exchange.question)[:LONGEST]):
            stems = set(terms(word, spoken))
            if stems and not stems <= known:
                words.append(word)
                known |= stems
        if len(words) >= _ENOUGH:
            break
    return " ".join(words[:_MOST])


def add_subject(question: str, subject: str) -> str:
    """The question with a subject beside it, in brackets."""
    return f"{question.rstrip()} ({subject})" if subject else question


def acceptable(question: str, rewritten: str, history: Sequence[Exchange]) -> bool:
    """Whether a model's rewrite may be searched for: one line, still that question, its words and numbers all said."""
    new = rewritten.strip()
    if not new or "\n" in new or len(new) > 2 * len(question) + 200:
        return False
    if _NOT_A_QUESTION.match(new) and not _NOT_A_QUESTION.match(question):
        return False
    if question.rstrip().endswith("?") and "?" not in new and not _ASKS.match(new):
        return False
    said = " ".join(f"{e.question} {e.understood} {e.answer}" for e in history)
    numbers, asked = set(_NUMBER.findall(new)), set(_NUMBER.findall(question))
    if not asked <= numbers or not numbers <= asked | set(_NUMBER.findall(said)):
        return False
    spoken = language_of(question, history)
    own, after = set(terms(question, spoken)), set(terms(new, spoken))
    if len(own & after) * 2 < len(own):
        return False
    strange = after - own - set(terms(said, spoken))
    return len(strange) <= max(2, len(after) // 3)
