"""Summarise a document: its outline with the first sentences, or its most central sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import divide_evidence
from pincite.answer.extractive.sentence_candidates import CandidateSentence, is_repeat, list_candidate_sentences
from pincite.answer.passage_cards import Card
from pincite.types import Evidence

_MOST = 7
_SECTIONS, _OPENING = 7, 2  # sections of a summary, and sentences of the first
_SHORTEST, _LONGEST = 35, 420  # characters of a sentence worth having in a summary
_EVEN = 8  # words by which short sentences are held back


def summarise_document(evidence: Sequence[Evidence]) -> list[Card]:
    """Return passages spread over a document as cards: the first sentences under each heading."""
    cards: list[Card] = []
    seen: set[tuple[str, ...]] = set()
    for source in sorted(evidence, key=lambda one: (one.span.document, one.span.start)):
        for section in divide_evidence(source, by_heading=True):
            if len(cards) >= _SECTIONS or section.form not in ("text", "list") or section.headings in seen:
                continue
            fit = [unit for unit in section.units if len(unit.text) >= _SHORTEST] or list(section.units)
            kept = fit[: _OPENING if not cards else 1]
            seen.add(section.headings)
            cards.append(make_card(replace(section, form="text", lead=None, units=tuple(kept))))
    return cards


def choose_central_sentences(
    evidence: Sequence[Evidence], most: int = _MOST
) -> tuple[list[CandidateSentence], list[CandidateSentence]]:
    """Return the sentences that share most with the rest, at first one from each passage; and all there are."""
    everything = list_candidate_sentences(evidence)
    fit = [one for one in everything if _is_fit(one)] or [one for one in everything if not one.is_title]
    spread = Counter(
        word for source in evidence for word in {w for one in fit if one.evidence is source for w in one.words}
    )
    frequent = Counter(word for one in fit for word in one.words)
    rated: list[tuple[float, CandidateSentence]] = []
    for one in fit:
        shared = sum(log(1 + frequent[word]) * log(1 + spread[word]) for word in one.words)
        opens = 1.15 if one.number <= 2 else 1.0
        rated.append((opens * shared / (len(one.words) + _EVEN), one))
    rated.sort(key=lambda pair: (-pair[0], pair[1].evidence.number, pair[1].number))
    first: dict[int, CandidateSentence] = {}
    for _, one in rated:
        first.setdefault(one.evidence.number, one)
    # The beginning of a document gives its subject.
    opening = [one for one in fit if one.evidence is evidence[0]][:1] if evidence else []
    leaders = {one.place for one in first.values()}
    order = (
        opening
        + [one for _, one in rated if one.place in leaders]
        + [one for _, one in rated if one.place not in leaders]
    )
    kept: list[CandidateSentence] = []
    for one in order:
        if len(kept) < most and not is_repeat(one, kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.place), everything


def _is_fit(one: CandidateSentence) -> bool:
    return (
        not one.is_title
        and " | " not in one.text
        and _SHORTEST <= len(one.text) <= _LONGEST
        and one.text[-1] in ".!…»”"
        and sum(map(str.isdigit, one.text)) < len(one.text) / 3
    )
