"""Complete a follow-up question with the words that its search needs from the conversation.

The subject of the last question is searched for beside the question, and the ranking chooses (`follow_up`). If a model
rewrites the question instead, `is_acceptable_rewrite` decides whether to use the rewrite.
"""

import re
from collections.abc import Sequence

from pincite.index.terms import list_terms
from pincite.search.references import LONGEST
from pincite.text.language import detect_conversation_language
from pincite.text.stopwords import QUESTION_WORDS
from pincite.text.words import split_inversions
from pincite.types import Exchange

_WORD = re.compile(r"[^\W_]+(?:[.&'’/-][^\W_]+)*")
_ENOUGH, _MOST = 3, 16  # words of a subject
_ADDED = re.compile(r" \([^()]*\)$")  # a subject, as `add_subject` writes it
# French "been" behind its auxiliary, "a-t-il été"; it is spelt like "summer".
_BEEN = re.compile(
    r"\b((?:as?|ai\w*|avons|avez|avai\w+|avoir|ayant|aur\w+|ont)(?:-\w+){0,2}(?:\s+(?:pas|plus|jamais|déjà))?)\s+été\b",
    re.IGNORECASE,
)

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
    """Return the subject of the earlier questions, in content words that this question does not have.

    They are the words of the last question. If it has few words of its own, those of the question before it are
    added. Empty if there is no subject.
    """
    if not history or len(question) > LONGEST:
        return ""
    spoken = detect_conversation_language(question, history)
    known = set(list_terms(f"{question} {' '.join(QUESTION_WORDS)}", spoken))
    words: list[str] = []
    for exchange in reversed(history):
        for word in _WORD.findall(split_inversions(_BEEN.sub(r"\1", _read_own_question(exchange)[:LONGEST]))):
            stems = set(list_terms(word, spoken))
            if stems and not stems <= known:
                words.append(word)
                known |= stems
        if len(words) >= _ENOUGH:
            break
    return " ".join(words[:_MOST])


def _read_own_question(exchange: Exchange) -> str:
    """Return a question as it was understood, without an added subject, which belongs to the questions before it."""
    understood, asked = exchange.understood or exchange.question, exchange.question.rstrip()
    added = _ADDED.search(understood)
    return understood[: added.start()] if added and not asked.endswith(added[0]) else understood


def add_subject(question: str, subject: str) -> str:
    """Return the question with a subject beside it, in brackets."""
    return f"{question.rstrip()} ({subject})" if subject else question


def is_acceptable_rewrite(question: str, rewritten: str, history: Sequence[Exchange]) -> bool:
    """Whether a model's rewrite may be used: one line, the same question, no invented words and numbers."""
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
    spoken = detect_conversation_language(question, history)
    own, after = set(list_terms(question, spoken)), set(list_terms(new, spoken))
    if len(own & after) * 2 < len(own):
        return False
    strange = after - own - set(list_terms(said, spoken))
    return len(strange) <= max(2, len(after) // 3)
