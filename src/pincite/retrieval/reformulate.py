"""A follow-up question and its conversation to a question that can be searched for alone, without a model.

What a pronoun stands for takes its place; what the question leaves out is added in brackets. Its own words, and every
number, stay. Where a model rewrites instead, `acceptable` says whether to take what it gives.
"""

import re
from collections.abc import Sequence

from pincite.index.analysis import terms
from pincite.retrieval.focus import Weighed, coordinated, focus
from pincite.retrieval.lexicon import RELATIONS
from pincite.retrieval.naming import pronoun
from pincite.retrieval.references import CORRECTS, LONGEST, ONE_OF_TWO, language_of, refers_back
from pincite.retrieval.topics import WORD, Topic, base, topics
from pincite.types import Exchange

__all__ = ["acceptable", "refers_back", "rewrite", "understood"]

_PLURAL = {
    "en": re.compile(r"\b(?:they|them|their|theirs|these|those|ones)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:ils|elles|ceux|celles|ces|leurs?|eux)\b", re.IGNORECASE),
}
_SINGULAR = {
    "en": re.compile(r"\b(?:it|its|this|that)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:il|elle|celui|celle|cette|cet|ce|son|sa|ses|lui)\b", re.IGNORECASE),
}
_SOMEBODY = {
    "en": re.compile(r"\b(?:he|she|his|her|him|there)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:il|elle|lui|son|sa|ses)\b", re.IGNORECASE),
}
_CHOICE = {
    "en": re.compile(r"\bwhich\b|\beither\b|\bboth\b", re.IGNORECASE),
    "fr": re.compile(r"\blequel\b|\blaquelle\b|\bles deux\b", re.IGNORECASE),
}
_SEVERAL = {
    "en": re.compile(
        r"\b(?:differ\w*|compar\w+|common|similar\w*|both|between|apart|versus|vs|better)\b", re.IGNORECASE
    ),
    "fr": re.compile(r"\b(?:diff[ée]r\w+|compar\w+|commun|similaires?|deux|entre|mieux)\b", re.IGNORECASE),
}
_AGREES, _DISAGREES, _NAMED, _PERSON = 1.4, 0.6, 1.5, 5.0
_STANDS = frozenset(("it", "they", "them", "he", "she", "him"))
_OWNS = frozenset(("its", "their", "his", "her"))
_GOES_ON = {
    "en": re.compile(
        r"\W*(?:(?:and|but|or)\s+)?(?:(?:what|how)\s+about\s+)?(for|in|on|at|with|without|to|from|by)\s", re.IGNORECASE
    ),
    "fr": re.compile(r"\W*(?:et|ou|mais)\s+(pour|dans|sur|avec|sans|chez|en|à|au|aux|par)\s", re.IGNORECASE),
}
_LONGEST = 120

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


def understood(question: str, history: Sequence[Exchange], language: str = "") -> str:
    """The question as it is to be searched for: rewritten where it refers back, else as it is."""
    return rewrite(question, history, language) if refers_back(question, history, language) else question


def rewrite(question: str, history: Sequence[Exchange], language: str = "") -> str:
    """The question with what it leaves to the conversation put in; unchanged when nothing there fits."""
    if len(question) > LONGEST:
        return question
    spoken = language_of(question, history, language)
    if history and (frame := _frame(question, history[-1], spoken)):
        return _with(question, frame)
    meant = _meant(question, history, spoken)
    if not meant:
        return question
    words = (" et " if spoken == "fr" else " and ").join(_line(topic.words) for topic in meant)
    found = pronoun(question, "en") if spoken == "en" else None
    if found and found[0].lower() in _STANDS:
        return question[: found.start()] + words + question[found.end() :]
    if found and found[0].lower() in _OWNS and re.match(r"\s+\w", question[found.end() :]):
        return question[: found.start()] + words + ("'" if words.endswith("s") else "'s") + question[found.end() :]
    return _with(question, words)


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


def _meant(question: str, history: Sequence[Exchange], language: str) -> list[Topic]:
    """Of what the conversation is about, what the question leaves out; two where it speaks of several."""
    said = set(terms(question, language))
    plural, singular = _PLURAL[language].search(question), _SINGULAR[language].search(question)
    somebody = _SOMEBODY[language].search(question)

    def weight(of: Weighed) -> float:
        if somebody:
            return of.weight * (_PERSON if of.is_answer else _NAMED if of.topic.named else 1)
        if plural or singular:
            return of.weight * (_AGREES if of.topic.plural == bool(plural) else _DISAGREES)
        return of.weight

    if ONE_OF_TWO[language].match(question) and (pair := coordinated(history, language)):
        return list(pair)
    if (plural or _CHOICE[language].search(question)) and _SEVERAL[language].search(question):
        if pair := coordinated(history, language):
            return list(pair)
        count = 2
    else:
        count = 1
    found = [w for w in focus(history, language) if not w.topic.stems <= said and (somebody or not w.is_answer)]
    return [w.topic for w in sorted(found, key=lambda w: (-weight(w), -w.named))[:count]]


def _frame(question: str, last: Exchange, language: str) -> str:
    """What was asked last without the part that a question such as "and for X?" puts another in the place of."""
    goes_on, text = _GOES_ON[language].match(question), (last.understood or last.question)[:LONGEST]
    if not goes_on and not CORRECTS.match(question):
        return ""
    replaced = re.search(rf"\b{re.escape(goes_on[1])}\s[^(]*", text, re.IGNORECASE) if goes_on else None
    kept = text[: replaced.start()] + text[replaced.end() :] if replaced else text
    own = set(terms(question, language))
    named = {word for topic in topics(kept, language) for word in WORD.findall(topic.words)}
    words = [word for word in WORD.findall(kept) if word in named or base(word) in RELATIONS[language]]
    words = [word for word in words if not own.issuperset(terms(word, language))]
    if replaced and re.search(r"\bones?\b", question, re.IGNORECASE):
        words += [topic.words.split()[-1] for topic in topics(replaced[0], language)[:1]]
    return " ".join(words)


def _with(question: str, words: str) -> str:
    return f"{question.rstrip()} ({_line(words)})"


def _line(words: str) -> str:
    return " ".join(words.split())[:_LONGEST]
