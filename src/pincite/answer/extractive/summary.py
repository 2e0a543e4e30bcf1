"""Summarise a document: its outline with the first sentences, or its most central sentences."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import log

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.extractive.sentence_candidates import CandidateSentence, is_repeat, list_candidate_sentences
from pincite.answer.passage_cards import Card
from pincite.types import Evidence

_MOST = 7
_SECTIONS, _OPENING = 7, 2  # sections of a summary, and sentences of the first
_SHORTEST, _LONGEST = 35, 420  # characters of a sentence worth having in a summary
_FEWEST_WORDS = 6  # of a sentence of prose
_WHOLE = re.compile(r"[\"“«'(‘]?\s?[A-ZÀ-ÖØ-Þ\d].*[.!?…][\"'”’)\]»]*$", re.S)
_BIBLIOGRAPHY = re.compile(
    r"(?:[\dA-Z]+(?:\.\d+)*[.)]?\s+)?(?:references?|bibliography|works cited|références?|bibliographie)", re.I
)
_EVEN = 8  # words by which short sentences are held back


def summarise_document(evidence: Sequence[Evidence]) -> list[Card]:
    """Return passages spread over a document as cards: the first whole sentences of prose under each heading.

    Sections without prose, and those whose beginning is not among the passages, are left out. A document without any
    prose, such as a price list, is summarised by the first lines under its headings.
    """
    ordered = sorted(evidence, key=lambda one: (one.span.document, one.span.start))
    sections = [
        section
        for source in ordered
        for section in divide_evidence(source, by_heading=True)
        if section.form in ("text", "list")
    ]
    chosen = [
        (section, [unit for unit in section.units if _is_prose(unit)])
        for section in sections
        if _has_beginning(section) and not _is_bibliography(section)
    ]
    if not any(units for _, units in chosen):
        chosen = [
            (section, [unit for unit in section.units if len(unit.text) >= _SHORTEST] or list(section.units))
            for section in sections
        ]
    cards: list[Card] = []
    seen: set[tuple[str, ...]] = set()
    for section, units in chosen:
        if len(cards) < _SECTIONS and units and section.headings not in seen:
            kept = tuple(units[: _OPENING if not cards else 1])
            seen.add(section.headings)
            cards.append(make_card(replace(section, form="text", lead=None, units=kept)))
    return cards


def _is_prose(unit: Unit) -> bool:
    """Whether a unit is a whole sentence: no label, date, list item, or sentence that is cut off."""
    text = unit.text
    return (
        unit.kind == "sentence"
        and len(text) >= _SHORTEST
        and len(text.split()) >= _FEWEST_WORDS
        and 3 * sum(map(str.isdigit, text)) < len(text)
        and bool(_WHOLE.match(text))
    )


def _has_beginning(section: PassageSection) -> bool:
    """Whether a section begins in its evidence: a heading stands before it there, or it is under none."""
    source, first = section.evidence, section.units[0]
    return not section.headings or any(
        block.kind == "heading" and source.span.start <= block.start < first.start for block in source.blocks
    )


def _is_bibliography(section: PassageSection) -> bool:
    return bool(section.headings) and bool(_BIBLIOGRAPHY.fullmatch(section.headings[-1].strip()))


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
