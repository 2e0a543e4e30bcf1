"""A conversation to what it is about just now: the things it names, the likeliest to be meant first.

Each thing named gains weight by how it is named (introduced, subject, in passing), keeps part of it from question to
question, and yields when something new is introduced. What the last answer speaks of counts for more. The weights were
chosen on English conversations; see docs/benchmarks.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.index.analysis import terms
from pincite.retrieval.naming import introduced, pronoun, stands_alone
from pincite.retrieval.references import LONGEST, refers_back
from pincite.retrieval.topics import WORD, Topic, is_gerund, topics
from pincite.types import Exchange

_KEPT = 0.6  # of a thing's weight from one question to the next
_YIELDED = 0.8  # of it when another thing is introduced
_TURNED = 0.5  # of it when the conversation turns to something else
_INTRODUCED, _SUBJECT, _PASSING, _BESIDE_PRONOUN, _UNDERSTOOD = 1.4, 1.0, 0.6, 0.3, 0.4
_NAME = 1.4  # times as much for a proper name
_DOING = 0.3  # times for a verb in -ing on its own
_FIRST = 0.4  # of what the first question names stays to the end
_ANSWERED = 2.0  # times as much for what the last answer also speaks of
_REPEATED = 0.2  # for each time that the answer names something new
_MOST_REPEATED = 5
_READ = 600  # characters of an answer
_REMEMBERED = 20  # exchanges beside the first

_HEADING = re.compile(r"^(?:\*\*[^\n]+\*\*|#{1,6} [^\n]+)$", re.MULTILINE)
_WHO = re.compile(r"\W*(?:who|qui)\b", re.IGNORECASE)
_TOGETHER = re.compile(
    r",?\s+(?:and|or|vs\.?|versus|et|ou)\s+(?:(?:the|a|an|le|la|les|un|une|des)\s+|l['’])?", re.IGNORECASE
)
_IN_PASSING = {
    "en": re.compile(
        r"\b(?:in|on|for|with|from|to|at|during|by|between|than|versus|vs|as|like|around)\s+(?:\w+\s+){0,2}$",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:dans|sur|pour|avec|par|en|chez|entre|sous|vers|contre|depuis|à|au|aux)\s+(?:\w+\s+|l['’]|d['’]){0,2}$",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """A thing the conversation is about, how much, and in which of its questions it was last named.

    `is_answer` marks a name that answers who somebody is.
    """

    topic: Topic
    weight: float
    named: int
    is_answer: bool = False


def focus(history: Sequence[Exchange], language: str) -> list[Weighed]:
    """What the conversation is about, the heaviest first and of equals the latest."""
    history = [_bounded(exchange) for exchange in (*history[:1], *history[1:][-_REMEMBERED:])]
    found: list[Weighed] = []
    lasting = _FIRST
    for place, exchange in enumerate(history):
        named = _named(exchange, language)
        left = _left(exchange, history[:place], named, found, language)
        lasting *= min(left / _YIELDED, 1.0)
        found = [replace(w, weight=w.weight * _KEPT * left) for w in found]
        for topic, weight in named:
            found = _added(found, topic, weight, place)
    if history:
        for topic, weight in _named(history[0], language):
            found = [
                replace(w, weight=w.weight + lasting * weight) if topic.stems <= w.topic.stems else w for w in found
            ]
        found += _who(history[-1], len(history) - 1, language)
        found = _with_answer(found, history[-1].answer, len(history) - 1, language)
    return sorted(found, key=lambda w: (-w.weight, -w.named))


def _bounded(exchange: Exchange) -> Exchange:
    """Somebody may paste a page: its beginning will do. Headings of an answer only say again what was asked."""
    answer = _HEADING.sub("", exchange.answer[: 2 * _READ])[:_READ]
    return Exchange(exchange.question[:LONGEST], answer, exchange.understood[:LONGEST])


def _left(
    exchange: Exchange,
    before: Sequence[Exchange],
    named: Sequence[tuple[Topic, float]],
    found: Sequence[Weighed],
    language: str,
) -> float:
    """What a question leaves of the weight of things before it."""
    if named and _turns(exchange.question, before, language):
        return _TURNED
    new = any(weight > _SUBJECT and not any(_same(topic, w.topic) for w in found) for topic, weight in named)
    return _YIELDED if new else 1.0


def _turns(question: str, before: Sequence[Exchange], language: str) -> bool:
    """Does a question stand alone and speak of nothing that was asked about before?"""
    pointing = pronoun(question, language)
    if refers_back(question, before, language) or (
        pointing and not stands_alone(question, pointing, introduced(question, language), language)
    ):
        return False
    asked = " ".join(f"{exchange.question} {exchange.understood}" for exchange in before)
    return set(terms(asked, language)).isdisjoint(terms(question, language))


def _named(exchange: Exchange, language: str) -> list[tuple[Topic, float]]:
    """What one question names, with its weight; what was only understood counts for less."""
    question, named = exchange.question, introduced(exchange.question, language)
    found = pronoun(question, language)
    alone = found is not None and stands_alone(question, found, named, language)
    weighed = []
    for topic, is_introduced in named:
        if found and not (alone and topic.start < found.start()):
            weight = _BESIDE_PRONOUN
        elif is_introduced:
            weight = _INTRODUCED
        else:
            weight = _PASSING if _IN_PASSING[language].search(question[: topic.start]) else _SUBJECT
        if topic.named:
            weight *= _NAME
        elif " " not in topic.words and is_gerund(topic.words.lower()):
            weight *= _DOING
        weighed.append((topic, weight))
    return weighed + [(topic, _UNDERSTOOD) for topic in _put_in(exchange, language)]


def _put_in(exchange: Exchange, language: str) -> list[Topic]:
    """What the question was understood to leave out."""
    own = set(terms(exchange.question, language))
    found: list[Topic] = []
    for topic in topics(exchange.understood, language):
        new = [word for word in WORD.findall(topic.words) if not own.issuperset(terms(word, language))]
        found += [topic] if topic.stems.isdisjoint(own) else topics(" ".join(new), language)
    return found


def _added(found: list[Weighed], topic: Topic, weight: float, place: int) -> list[Weighed]:
    """With more weight for a thing that is known, under the fuller of its names."""
    for at, known in enumerate(found):
        if _same(topic, known.topic):
            fuller = topic if len(topic.stems) > len(known.topic.stems) else known.topic
            return [*found[:at], Weighed(fuller, known.weight + weight, place), *found[at + 1 :]]
    return [*found, Weighed(topic, weight, place)]


def _with_answer(found: list[Weighed], answer: str, place: int, language: str) -> list[Weighed]:
    """What the answer speaks of too counts for more, and what it names several times joins."""
    if not answer.strip():
        return found
    spoken = set(terms(answer, language))
    weighed = [replace(w, weight=w.weight * _ANSWERED) if w.topic.stems <= spoken else w for w in found]
    named = topics(answer, language)
    for topic in {topic.stems: topic for topic in reversed(named)}.values():
        times = sum(topic.stems <= other.stems for other in named)
        if times > 1 and not any(topic.stems == w.topic.stems for w in weighed):
            weight = _REPEATED * min(times, _MOST_REPEATED) * (_NAME if topic.named else 1)
            weighed.append(Weighed(topic, weight, place))
    return weighed


def _who(exchange: Exchange, place: int, language: str) -> list[Weighed]:
    """The first name that an answer gives to a question for somebody."""
    if not _WHO.match(exchange.question):
        return []
    asked = set(terms(exchange.question, language))
    named = (topic for topic in topics(exchange.answer, language) if _is_name(topic.words))
    return [Weighed(topic, _SUBJECT, place, True) for topic in named if not topic.stems & asked][:1]


def _is_name(words: str) -> bool:
    return all(word[:1].isupper() for word in words.split()) and " " in words


def coordinated(history: Sequence[Exchange], language: str) -> tuple[Topic, Topic] | None:
    """The two things that the conversation last spoke of together: X and Y, X or Y."""
    for exchange in reversed(history):
        text = (exchange.understood or exchange.question)[:LONGEST]
        named = topics(text, language)
        for one, other in reversed(list(pairwise(named))):
            if _TOGETHER.fullmatch(text, one.end, other.start):
                return one, other
    return None


def _same(one: Topic, other: Topic) -> bool:
    return one.stems <= other.stems or other.stems <= one.stems
