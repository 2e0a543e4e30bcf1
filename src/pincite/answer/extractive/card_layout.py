"""Arrange ranked sections as the cards of an answer: join neighbours, merge copies, group cards by document."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from pincite.answer.extractive.passage_ranking import RatedSection
from pincite.answer.extractive.passage_units import PassageSection, Unit
from pincite.answer.passage_cards import Card, CardPiece, Form, join_numbers
from pincite.types import Span

MOST = 3  # cards that are shown
_ALL = 8  # cards with those that are shown on demand
_BUDGET = 4800  # characters that are shown together, three whole passages: further cards are shown on demand
_LONGEST = 1600  # characters of one card
_BEHIND = 0.5  # how far behind the best a card may be and still be shown
_BESIDE = 0.2  # how far behind the best a section may be and still be shown with its neighbour
_APART = 8  # characters besides a heading between two sections that are shown as one card
_SAME, _FEWEST = 0.9, 5  # of the words of the shorter of two copies that the other has, and words of it


def make_cards(rated: Sequence[RatedSection], most: int = MOST) -> list[Card]:
    """Return the cards of the passages that sections belong to: first the visible passages, then those on demand.

    A passage is shown whole and in the order of its text, so that a table stays between the sentences around it. All
    parts of it have the same number.
    """
    passages: list[list[Card]] = []
    words: list[frozenset[str]] = []
    texts: set[str] = set()
    shown = 0  # characters
    best = rated[0].score if rated else 0.0
    for sections in _group_sections(rated):
        parts = _make_parts(sections)
        own = frozenset[str]().union(*(unit.words for one in sections for unit in one.section.units))
        said = " ".join(" ".join(piece.text for part in parts for piece in part.shown).casefold().split())
        if said in texts or not parts:
            continue
        texts.add(said)
        copies = [place for place, other in enumerate(words) if _is_copy(own, other)]
        if any(passages[place][0].span.document == parts[0].span.document for place in copies):
            continue
        # Another document may say nearly the same and mean the opposite, so its passage is shown on demand.
        is_copy = bool(copies)
        score = max(one.score for one in sections)
        length = sum(len(piece.text) for part in parts for piece in part.shown)
        near = _find_neighbour(passages, parts) if not is_copy and score >= best - _BESIDE else None
        if near is not None and (joined := _join_cards(passages[near][0], parts[0])):
            if not joined.is_more:
                shown += length
            passages[near], words[near] = [joined], words[near] | own
            continue
        count = sum(not each[0].is_more for each in passages)
        is_more = is_copy or count >= most or score < best - _BEHIND or (count > 0 and shown + length > _BUDGET)
        if len(passages) < _ALL:
            passages.append([replace(part, is_more=is_more) for part in parts])
            words.append(own)
            shown += 0 if is_more else length
    return join_numbers(_group_cards([card for parts in passages for card in parts]))


def _group_sections(rated: Sequence[RatedSection]) -> list[list[RatedSection]]:
    """Return the sections of each passage in the order of its text, the passages in the order of their best."""
    passages: dict[int, list[RatedSection]] = {}
    for one in rated:
        passages.setdefault(id(one.section.evidence), []).append(one)
    return [sorted(own, key=lambda one: one.section.units[0].start) for own in passages.values()]


def _make_parts(sections: Sequence[RatedSection]) -> list[Card]:
    """Return the sections of a passage as cards in the order of its text; the line that introduces one is shown once.

    A highlighted line that introduces a table stays in the text before it, and the table follows that text. Only the
    part that answers best says where.
    """
    parts: list[Card] = []
    for one in sections:
        card = make_card(one.section, one.lit)
        card = card if one.has_best else replace(card, best=None)
        before = parts[-1] if parts else None
        lead = card.lead
        if lead and before and before.pieces[-1].start == lead.start:
            if before.pieces[-1].is_lit and not card.lit:
                card = replace(card, lead=None, span=replace(card.span, start=card.pieces[0].start))
            else:
                parts.pop()
                if shorter := _drop_last_piece(before):
                    parts.append(shorter)
                if before.pieces[-1].is_lit:
                    card = replace(card, lead=replace(lead, is_lit=True), best=card.best or before.best)
        parts.append(card)
    return parts


def _drop_last_piece(card: Card) -> Card | None:
    """Return a card without its last piece and the headings that then stand at its end; None if nothing is left."""
    pieces = list(card.pieces[:-1])
    while pieces and pieces[-1].kind == "heading":
        pieces.pop()
    if not pieces:
        return None
    best = next((piece.start for piece in pieces if piece.is_lit), None)
    if any(piece.is_lit and piece.start == card.best for piece in pieces):
        best = card.best
    return replace(card, pieces=tuple(pieces), best=best, span=replace(card.span, end=pieces[-1].end))


def make_card(section: PassageSection, lit: Sequence[int] = ()) -> Card:
    """Return a section as a card with some units highlighted; a long one is cut to whole units around the first."""
    source = section.evidence
    first, last = _find_window(section, lit[0] if lit else 0)
    units = section.units[first:last]
    form: Form = section.form
    lead = _make_piece(section.lead) if section.lead else None
    heads: tuple[str, ...] = ()
    pieces = [_make_piece(unit, place in lit) for place, unit in enumerate(section.units)][first:last]
    if form == "table":
        best = section.units[lit[0] if lit else 0]
        heads = max((best, *section.units), key=lambda unit: sum(map(bool, unit.heads[1:]))).heads
        pieces = [replace(piece, cells=align_cells(unit, heads)) for piece, unit in zip(pieces, units, strict=True)]
        if section.note and not any(section.note in each for each in heads):
            heads = (f"{heads[0]} ({section.note})".strip(), *heads[1:])
    elif form == "text" and lead:
        lead = None
    start = lead.start if lead else units[0].start
    span = Span(source.span.document, start, units[-1].end)
    return Card(
        evidence=source.number,
        span=span,
        title=source.title,
        name=source.name,
        page=source.page,
        last_page=source.last_page,
        headings=section.headings,
        best=section.units[lit[0]].start if lit else None,
        form=form,
        lead=lead,
        heads=heads,
        pieces=tuple(pieces),
    )


def _make_piece(unit: Unit, is_lit: bool = False) -> CardPiece:
    return CardPiece(
        unit.kind, unit.start, unit.end, unit.text, unit.cells, unit.is_apart, is_lit, unit.headings, unit.space
    )


def _find_window(section: PassageSection, centre: int) -> tuple[int, int]:
    """Return the units around one that fit on a card: as many before it as after it, from end to end where all fit."""
    units = section.units
    lengths = [len(unit.text) for unit in units]
    if sum(lengths) <= _LONGEST:
        return 0, len(units)
    first, last = centre, centre + 1
    length = lengths[centre]
    grew = True
    while grew:
        grew = False
        for place in (first - 1, last):
            if 0 <= place < len(units) and length + lengths[place] <= _LONGEST:
                first, last = min(first, place), max(last, place + 1)
                length += lengths[place]
                grew = True
    return first, last


def align_cells(unit: Unit, heads: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of a row under the heads of another row of its table, in their order.

    Where its own heads are others, each cell says its own. The label says the words with which all of them begin.
    """
    if unit.heads == tuple(heads) or not any(heads[1:]):
        return unit.cells
    own = list(zip(unit.heads[1:], unit.cells[1:], strict=False))
    cells, at = [], 0
    for head in heads[1:]:
        is_own = at < len(own) and own[at][0] == head
        cells.append(own[at][1] if is_own else "")
        at += is_own
    if at == len(own):
        return (unit.cells[0], *cells)
    shared, rest = _split_shared([head if cell else "" for head, cell in own])
    label = f"{unit.cells[0]} ({shared})".strip() if shared else unit.cells[0]
    return (label, *(f"{cell} ({head})" if head else cell for head, (_, cell) in zip(rest, own, strict=True)))


def _split_shared(heads: Sequence[str]) -> tuple[str, list[str]]:
    """Return the words with which several heads begin, and the rest of each head."""
    words = [head.split() for head in heads if head]
    places = zip(*words, strict=False) if len(words) > 1 else ()
    shared = [place[0] for place in takewhile(lambda place: len(set(place)) == 1, places)]
    return " ".join(shared), [" ".join(head.split()[len(shared) :]) for head in heads]


def _is_copy(one: frozenset[str], other: frozenset[str]) -> bool:
    short, long = sorted((one, other), key=len)
    figures = {word for word in short if any(map(str.isdigit, word))}
    return len(short) >= _FEWEST and figures <= long and len(short & long) >= _SAME * len(short)


def _find_neighbour(passages: Sequence[Sequence[Card]], parts: Sequence[Card]) -> int | None:
    """Return the place of a passage that this one overlaps or stands beside, if each is one card."""
    if len(parts) > 1:
        return None
    card = parts[0]
    for place, (other, *rest) in enumerate(passages):
        if not rest and other.span.document == card.span.document:
            later = max(card, other, key=lambda each: each.span.start)
            heading = len(later.headings[-1]) if later.headings else 0
            if later.span.start - min(card.span.end, other.span.end) <= _APART + heading:
                return place
    return None


def _join_cards(one: Card, other: Card) -> Card | None:
    """Join two neighbours into one card; None if it would be too long, or one of them is a table or code."""
    if not {one.form, other.form} <= {"text", "list"}:
        return None
    first, second = sorted((one, other), key=lambda card: card.span.start)
    before, after = list(first.shown), [piece for piece in second.shown if piece.start >= first.span.end]
    if second.headings != first.headings and after and second.headings:
        heading = second.headings[-1]
        after = [CardPiece("heading", after[0].start, after[0].start, heading, is_apart=True), *after]
    elif after:
        after[0] = replace(after[0], is_apart=True)
    if sum(len(piece.text) for piece in (*before, *after)) > _LONGEST:
        return None
    lit = {(piece.start, piece.end) for piece in one.shown if piece.is_lit}
    pieces = tuple(replace(piece, is_lit=(piece.start, piece.end) in lit) for piece in (*before, *after))
    return replace(
        one,
        span=Span(one.span.document, first.span.start, max(first.span.end, second.span.end)),
        form="text",
        lead=None,
        pieces=pieces,
        headings=first.headings,
        page=first.page,
        last_page=max(first.last_page, second.last_page),
    )


def _group_cards(cards: Sequence[Card]) -> list[Card]:
    """Return the cards that are shown before the others, each document's together, in the order of their best."""
    order = list(dict.fromkeys(card.span.document for card in cards))
    return sorted(cards, key=lambda card: (card.is_more, order.index(card.span.document)))
