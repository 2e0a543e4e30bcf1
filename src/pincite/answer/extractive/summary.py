"""Summarise a document: its outline, with the first sentences under each heading."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import PassageSection, Unit, divide_evidence
from pincite.answer.passage_cards import Card
from pincite.types import Evidence

_SECTIONS, _OPENING = 7, 2  # sections of a summary, and sentences of the first
_ITEMS = 6  # of a list that is the whole text under a heading
_SHORTEST = 35  # characters of a sentence worth having in a summary
_FEWEST_WORDS = 6  # of a sentence of prose
_WHOLE = re.compile(r"[\"“«'(‘]?\s?[A-ZÀ-ÖØ-Þ\d].*[.!?…][\"'”’)\]»]*$", re.S)
_BIBLIOGRAPHY = re.compile(
    r"(?:[\dA-Z]+(?:\.\d+)*[.)]?\s+)?(?:references?|bibliography|works cited|références?|bibliographie)", re.I
)


def summarise_document(evidence: Sequence[Evidence]) -> list[Card]:
    """Return passages spread over a document as cards: the first whole sentences of prose under each heading.

    A list stands for a section that has nothing else. Sections without prose, those that only introduce a table, and
    those whose beginning is not among the passages, are left out. A document without
    headings is summarised by the first sentences of each passage, one without any prose, such as a price list, by the
    first lines under its headings, and one without any text by the first rows of its tables.
    """
    ordered = sorted(evidence, key=lambda one: (one.span.document, one.span.start))
    everything = [section for source in ordered for section in divide_evidence(source, by_heading=True)]
    tables = {section.headings for section in everything if section.form == "table"}
    sections = [section for section in everything if section.form in ("text", "list")] or everything
    is_divided = len({section.headings for section in sections}) > 1
    chosen = [
        (section, [] if section.headings in tables and _is_table_note(section) else _list_prose(section))
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
            kept = _complete_opening(section, units[: 1 if cards and is_divided else _OPENING])
            seen.add(part)
            form = "text" if section.form == "list" else section.form
            cards.append(make_card(replace(section, form=form, lead=None, units=kept)))
    return cards


def _list_prose(section: PassageSection) -> list[Unit]:
    """List the sentences of prose of a section; where it is a list alone, the line that introduces the list."""
    prose = [unit for unit in section.units if _is_prose(unit)]
    first = section.lead or section.units[0]
    return prose or ([first] if first.is_lead and _list_items(section) else [])


def _list_items(section: PassageSection) -> list[Unit]:
    """List the units below the line that introduces a list, to the end of the list."""
    below = section.units if section.lead else section.units[1:]
    return list(takewhile(lambda unit: unit.kind == "item" or not unit.is_apart, below))[:_ITEMS]


def _complete_opening(section: PassageSection, units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return sentences with the short ones before the first in its paragraph, and a line with the list below it."""
    if units[0].is_lead:
        return (units[0], *_list_items(section))
    place = first = section.units.index(units[0])
    while first and not section.units[first].is_apart and _WHOLE.match(section.units[first - 1].text):
        first -= 1
    return (*section.units[first:place], *units)


def _is_table_note(section: PassageSection) -> bool:
    """Whether a section is one paragraph without a figure, as above a table that it introduces."""
    return not any(unit.is_apart for unit in section.units[1:]) and not any(
        map(str.isdigit, "".join(unit.text for unit in section.units))
    )


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
