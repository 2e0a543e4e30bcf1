"""Compose an answer about a project without a language model: the parts of its files that have the words asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.passage_cards import Card, CardPiece
from pincite.answer.refusal import SILENCE, write_refusal
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, RefusalSentence
from pincite.index.code_terms import count_terms, list_query_terms
from pincite.types import Evidence, Span

_FOUND = {"en": "Found in the project:", "fr": "Trouvé dans le projet :"}
_NO_WORDS = {
    "en": "No part of the project's files has the words of this question.",
    "fr": "Aucune partie des fichiers du projet n’a les mots de cette question.",
}
_BEGINNING = {"en": "The nearest is the beginning of `{}`:", "fr": "Le plus proche est le début de `{}` :"}
_SHOWN, _ALL = 3, 8  # cards that are shown, and with those that are shown on demand
_LINES = 30  # of one card
_BEHIND = 0.5  # of the best share of the question's words: parts with fewer are shown on demand
# The share of the question's words that the best part must have: more than half of a few, less of many.
_FEW, _ENOUGH_OF_FEW, _ENOUGH_OF_MANY = 4, 0.51, 0.4
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of an evidence: where it begins and ends in the document, without its line end, and its wanted words."""

    start: int
    end: int
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _RatedPart:
    """A part of a file, its lines, and the share of the question's words that it has."""

    evidence: Evidence
    lines: tuple[_Line, ...]
    share: float


def compose_project_answer(question: str, found: Sequence[Evidence], language: str) -> list[AnswerPart]:
    """Return the parts that have the most words of a question, as cards; a refusal if none has enough of them.

    If no part has any of the words, the first one is shown below the refusal: the beginning of the README.
    """
    language = "fr" if language == "fr" else "en"
    wanted = frozenset(list_query_terms(question))
    rated = [_rate_part(each, wanted) for each in found]
    best = max((each.share for each in rated), default=0.0)
    # The search ranks by how rare the words are, so its order stays. Parts with few of the words come on demand.
    ordered = sorted(rated, key=lambda each: each.share < _BEHIND * best)
    cards = [_make_card(each) for each in ordered]
    if cards and not best and not ordered[0].evidence.span.start:
        note = Note(_BEGINNING[language].format(ordered[0].evidence.path))
        return [RefusalSentence(f"{_NO_WORDS[language]} {SILENCE}"), note, QuotedPassage(cards[0])]
    if best < (_ENOUGH_OF_FEW if len(wanted) <= _FEW else _ENOUGH_OF_MANY):
        return [RefusalSentence(write_refusal(language)), *_hide_cards(cards[:_SHOWN])]
    count = sum(each.share >= _BEHIND * best for each in ordered)
    visible = min(count, _SHOWN)
    return [
        Note(_FOUND[language]),
        *map(QuotedPassage, cards[:visible]),
        *_hide_cards(cards[visible:_ALL]),
    ]


def _hide_cards(cards: Sequence[Card]) -> list[QuotedPassage]:
    return [QuotedPassage(replace(card, is_more=True)) for card in cards]


def _rate_part(evidence: Evidence, wanted: frozenset[str]) -> _RatedPart:
    lines, held = [], set(count_terms(f"{evidence.path} {' '.join(evidence.headings)}", wanted)[0])
    for line in _LINE.finditer(evidence.text):
        if not line[0]:
            continue
        words = frozenset(count_terms(line[0], wanted)[0])
        held |= words
        start = evidence.span.start + line.start()
        lines.append(_Line(start, start + len(line[0].rstrip("\r\n")), words))
    return _RatedPart(evidence, tuple(lines), len(held) / max(len(wanted), 1))


def _make_card(part: _RatedPart) -> Card:
    """Return a part as a card of whole lines, cut around the lines with the most words, which are highlighted."""
    evidence, lines = part.evidence, part.lines
    most = max((len(line.words) for line in lines), default=0)
    best = next((place for place, line in enumerate(lines) if len(line.words) == most), 0)
    first = 0 if len(lines) <= _LINES else min(max(best - _LINES // 3, 0), len(lines) - _LINES)
    shown = lines[first : first + _LINES]
    while shown and shown[-1].start == shown[-1].end:
        shown = shown[:-1]
    pieces = tuple(
        CardPiece(
            "code",
            line.start,
            line.end,
            evidence.quote(line.start, line.end),
            is_lit=bool(most) and len(line.words) == most,
        )
        for line in shown
    )
    return Card(
        evidence=evidence.number,
        span=Span(evidence.span.document, shown[0].start, shown[-1].end),
        title=evidence.title,
        name=evidence.name,
        form="code",
        headings=evidence.headings,
        pieces=pieces,
    )
