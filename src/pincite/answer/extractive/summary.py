"""Summarise a document: its outline, with the first sentences under each heading."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.passage_cards import Card
from pincite.types import Evidence

_SECTIONS, _OPENING = 7, 2  # sections of a summary, and sentences of the first
_SHORTEST = 35  # characters of a sentence worth having in a summary
_FEWEST_WORDS = 6  # of a sentence of prose
_WHOLE = re.compile(r"[\"“«'(‘]?\s?[A-ZÀ-ÖØ-Þ\d].*[.!?…][\"'”’)\]»]*$", re.S)
_BIBLIOGRAPHY = re.compile(
    r"(?:[\dA-Z]+(?:\.\d+)*[.)]?\s+)?(?:references?|bibliography|works cited|références?|bibliographie)", re.I
)


def summarise_document(evidence: Sequence[Evidence]) -> list[Card]:
    """Return passages spread over a document as cards: the first whole sentences of prose under each heading.

    Sections without prose, and those whose beginning is not among the passages, are left out. A document without
    headings is summarised by the first sentences of each passage, one without any prose, such as a price list, by the
    first lines under its headings, and one without any text by the first rows of its tables.
    """
    ordered = sorted(evidence, key=lambda one: (one.span.document, one.span.start))
    everything = [section for source in ordered for section in divide_evidence(source, by_heading=True)]
    sections = [section for section in everything if section.form in ("text", "list")] or everything
    is_divided = len({section.headings for section in sections}) > 1
    chosen = [
        (section, [unit for unit in section.units if _is_prose(unit)])
        for section in sections
        if (not is_divided or _has_beginning(section)) and not _is_bibliography(section)
    ]
    if not any(units for _, units in chosen):
        chosen = [
            (section, [unit for unit in section.units if len(unit.text) >= _SHORTEST] or list(section.units))
            for section in sections
        ]
    cards: list[Card] = []
    seen: set[tuple[str, ...]] = set()
    for section, units in chosen:
        part = section.headings if is_divided else (*section.headings, str(section.evidence.number))
        if len(cards) < _SECTIONS and units and part not in seen:
            kept = tuple(units[: 1 if cards and is_divided else _OPENING])
            seen.add(part)
            form = "text" if section.form == "list" else section.form
            cards.append(make_card(replace(section, form=form, lead=None, units=kept)))
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
