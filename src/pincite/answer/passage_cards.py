"""Make cards: passages as an answer shows them, in whole sentences, with the best sentences highlighted.

A card is made of pieces, each a stretch of the document's text. Its Markdown and its event are made from the same
pieces, so that both have the same text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from pincite import events
from pincite.events.source_names import describe_page
from pincite.text.citation_marks import shield_source
from pincite.types import Span

PieceKind = Literal["heading", "sentence", "item", "row", "code"]
Form = Literal["text", "table", "list", "code"]
_BESIDE = 8  # characters between two sentences of one item at most


@dataclass(frozen=True, slots=True)
class CardPiece:
    """A stretch of a document as it is shown.

    `cells` are the cells of a table row, the label first. `is_apart` says that the piece begins a paragraph. `is_lit`
    says that it is highlighted. `headings` are those it stands under. `space` is the white space before it where its
    kind does not tell.
    """

    kind: PieceKind
    start: int
    end: int
    text: str
    cells: tuple[str, ...] = ()
    is_apart: bool = False
    is_lit: bool = False
    headings: tuple[str, ...] = ()
    space: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A passage that is shown, from the evidence with this number.

    `lead` is the line that introduces a list, a table or code. `heads` are the column heads of a table. `headings` are
    those above its beginning. `best` is where the piece that answers best begins; None if it is in another part of the
    passage, or nothing is highlighted. `is_more` says that it is shown only on demand. A card that is one part of a
    passage, such as its table, has the number of the whole passage: `whole` is the stretch of all parts, `whole_lit`
    what is highlighted in them. `goes_on` says that it begins under the heading that the part before ends under.
    """

    evidence: int
    span: Span
    title: str
    pieces: tuple[CardPiece, ...]
    form: Form = "text"
    lead: CardPiece | None = None
    heads: tuple[str, ...] = ()
    name: str = ""
    page: int = 0
    last_page: int = 0
    headings: tuple[str, ...] = ()
    best: int | None = None
    is_more: bool = False
    whole: Span | None = None
    whole_lit: tuple[tuple[int, int], ...] = ()
    goes_on: bool = False

    @property
    def cited(self) -> Span:
        """The stretch that its citation covers."""
        return self.whole or self.span

    @property
    def cited_lit(self) -> list[tuple[int, int]]:
        """The highlighted stretches of its citation, the one that answers best first."""
        if self.whole_lit:
            return list(self.whole_lit)
        return sorted(self.lit, key=lambda each: self.best is None or not each[0] <= self.best < each[1])

    @property
    def lit(self) -> list[tuple[int, int]]:
        """The highlighted stretches of the document's text; neighbours are joined."""
        found: list[tuple[int, int]] = []
        before: CardPiece | None = None
        for piece in self.shown:
            if piece.is_lit and before is not None and before.is_lit:
                found[-1] = (found[-1][0], piece.end)
            elif piece.is_lit:
                found.append((piece.start, piece.end))
            before = piece
        return found

    @property
    def shown(self) -> tuple[CardPiece, ...]:
        """All pieces in their order, the lead first."""
        return ((self.lead,) if self.lead else ()) + self.pieces


def are_same_place(card: Card, other: Card) -> bool:
    """Whether two cards show the same place of a document, in the same form; they may begin or end elsewhere."""
    one, two = card.span, other.span
    return (
        card.form == other.form and one.document == two.document and max(one.start, two.start) < min(one.end, two.end)
    )


def join_numbers(cards: Sequence[Card]) -> list[Card]:
    """Give consecutive cards from one evidence the same number: they are the parts of one passage."""
    joined: list[Card] = []
    for _, group in groupby(cards, key=lambda card: (card.span.document, card.evidence, card.is_more)):
        parts = [replace(card, whole=None, whole_lit=(), goes_on=False) for card in group]
        if len(parts) > 1:
            spans = [part.span for part in parts]
            whole = Span(spans[0].document, min(each.start for each in spans), max(each.end for each in spans))
            best_first = sorted(parts, key=lambda part: part.best is None)
            lit = tuple(each for part in best_first for each in part.cited_lit)
            ends = [None, *(part.pieces[-1].headings for part in parts)]
            parts = [
                replace(part, whole=whole, whole_lit=lit, goes_on=part.shown[0].headings == end)
                for part, end in zip(parts, ends, strict=False)
            ]
        joined += parts
    return joined


def merge_cards(card: Card, other: Card) -> Card:
    """Return one card of two of the same place: the pieces and the highlights of both."""
    first, second = sorted((card, other), key=lambda each: each.span.start)
    lit = {(piece.start, piece.end) for each in (first, second) for piece in each.shown if piece.is_lit}
    lead = first.lead and replace(first.lead, is_lit=(first.lead.start, first.lead.end) in lit)
    known = {(piece.start, piece.end) for piece in first.shown}
    pieces = [*first.pieces, *(piece for piece in second.pieces if (piece.start, piece.end) not in known)]
    return replace(
        first,
        span=Span(first.span.document, first.span.start, max(first.span.end, second.span.end)),
        lead=lead,
        pieces=tuple(
            replace(piece, is_lit=(piece.start, piece.end) in lit)
            for piece in sorted(pieces, key=lambda piece: (piece.start, piece.end))
        ),
        last_page=max(first.last_page, second.last_page),
        best=other.best if card.best is None else card.best,
        is_more=card.is_more and other.is_more,
    )


def write_place(card: Card, before: Card | None = None, label: str = "", language: str = "en") -> str:
    """Return the line above a card: title, page and headings, in Markdown. What the card before said is left out."""
    is_later = before is not None and card.whole is not None and before.whole == card.whole
    headings = _drop_title(card, card.shown[0].headings or card.headings) if is_later else list_headings(card)
    path = " › ".join(map(_flatten_title, headings))
    if is_later:
        return f"**{path}**" if path and not card.goes_on else ""
    page = describe_page(card.page, label, language)
    rest = " · ".join(filter(None, (page, path)))
    if before and before.span.document == card.span.document:
        return f"**{rest}**" if rest else ""
    return " · ".join(filter(None, (f"**{_flatten_title(card.title or card.name)}**", rest)))


def list_headings(card: Card) -> list[str]:
    """List the headings above the words that answer best, without one that only repeats the title."""
    lit = sorted((piece for piece in card.pieces if piece.is_lit), key=lambda piece: piece.start != card.best)
    headings = next((piece.headings for piece in lit if piece.headings), card.headings)
    return _drop_title(card, headings)


def _drop_title(card: Card, headings: Sequence[str]) -> list[str]:
    title = card.title.casefold().strip()
    return [" ".join(each.split()) for each in headings if each.casefold().strip() != title]


def write_card(card: Card, mark: str) -> str:
    """Return a card in Markdown, with a mark after each sentence."""
    return "".join(
        lead + text + (mark if is_cited else "") + end for lead, text, end, is_cited, _ in write_pieces(card)
    )


def write_pieces(card: Card) -> Iterator[tuple[str, str, str, bool, CardPiece | None]]:
    """Yield the parts of a card in Markdown.

    Each part has the break before it, its text, the text after its mark, whether it has a mark, and its piece.
    """
    before = ""
    if card.lead:
        yield "", shield_source(card.lead.text), "", True, card.lead
        before = "\n\n"
    if card.form == "table":
        yield from _write_table(card, before)
    elif card.form == "code":
        code = "\n".join(piece.text for piece in card.pieces)
        fence = "`" * max(3, _measure_longest_fence(code) + 1)
        yield before, f"{fence}\n{code}\n{fence}", "", False, None
    else:
        yield from _write_text(card.pieces, before)


def describe_card(card: Card, citation: events.Citation, last_page: int = 0) -> events.ShownPassage:
    """Return the event of a card, with the number of its citation and the pages of its highlighted text.

    `last_page` is the last of these pages where the citation has no boxes; without it, that of the whole card.
    """
    page = citation.page or card.page
    last = (
        max(page, *(box.page for box in citation.boxes)) if citation.boxes else max(page, last_page or card.last_page)
    )
    text, lit, inner = _join_text(_add_first_heading(card))
    rows = [list(piece.cells) for piece in card.pieces] if card.form == "table" else []
    return events.ShownPassage(
        n=citation.n,
        document=card.span.document,
        title=card.title,
        name=card.name,
        page=page or None,
        last_page=last or None,
        label=citation.label,
        headings=list_headings(card),
        start=card.span.start,
        end=card.span.end,
        form=card.form,
        lead=card.lead.text if card.lead else "",
        text=text,
        lit=lit,
        inner_headings=inner,
        heads=[list(card.heads)] if any(card.heads) else [],
        rows=rows,
        lit_rows=[at for at, piece in enumerate(card.pieces) if piece.is_lit] if rows else [],
        more=card.is_more,
        part_of=card.evidence,
        lines=citation.lines,
        path=citation.path,
    )


def _write_text(pieces: Sequence[CardPiece], before: str) -> Iterator[tuple[str, str, str, bool, CardPiece | None]]:
    for piece, gap in zip(pieces, _list_gaps(pieces), strict=True):
        text = shield_source(piece.text)
        lead = gap or before
        before = ""
        if piece.kind == "heading":
            yield lead, f"**{_flatten_title(piece.text)}**", "", False, piece
        else:
            yield lead, text, "", True, piece


def _write_table(card: Card, before: str) -> Iterator[tuple[str, str, str, bool, CardPiece | None]]:
    width = max(len(card.heads), *(len(piece.cells) for piece in card.pieces))
    heads = [*card.heads, *[""] * (width - len(card.heads))]
    yield before, _write_row(heads), "", False, None
    yield "\n", _write_row(["---"] * width), "", False, None
    for piece in card.pieces:
        row = _write_row([*piece.cells, *[""] * (width - len(piece.cells))])
        yield "\n", row.removesuffix(" |"), " |", True, piece


def _write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(shield_source(cell).replace("|", "\\|") for cell in cells) + " |"


def _add_first_heading(card: Card) -> tuple[CardPiece, ...]:
    """Return the pieces of a card, with its first heading if the highlighted words stand under another one."""
    above = _drop_title(card, card.headings)
    is_named = card.goes_on or above == list_headings(card) or card.pieces[0].kind == "heading"
    if card.form != "text" or not above or is_named:
        return card.pieces
    start = card.pieces[0].start
    return (CardPiece("heading", start, start, above[-1]), *card.pieces)


def _join_text(pieces: Sequence[CardPiece]) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the text of a card, the highlighted stretches in it, and those that are headings."""
    text = ""
    lit: list[tuple[int, int]] = []
    headings: list[tuple[int, int]] = []
    was_lit = False
    for piece, gap in zip(pieces, _list_gaps(pieces), strict=True):
        start = len(text) + len(gap)
        text += gap + piece.text
        if piece.is_lit and was_lit:
            lit[-1] = (lit[-1][0], len(text))
        elif piece.is_lit:
            lit.append((start, len(text)))
        elif piece.kind == "heading":
            headings.append((start, len(text)))
        was_lit = piece.is_lit
    return text, lit, headings


def _list_gaps(pieces: Sequence[CardPiece]) -> list[str]:
    """List the gap before each piece: a blank line before a paragraph, its own white space, or what its kind tells.

    The continuation of an item has a space before it, but only beside the words before it.
    """
    gaps = []
    before: CardPiece | None = None
    for piece in pieces:
        if before is None:
            gap = ""
        elif piece.kind == before.kind and piece.kind in ("item", "row", "code"):
            gap = piece.space if piece.space != " " or piece.start - before.end <= _BESIDE else ""
            gap = gap or "\n"
        elif piece.is_apart or piece.kind != "sentence" or before.kind != "sentence":
            gap = "\n\n"
        else:
            gap = piece.space or " "
        gaps.append(gap)
        before = piece
    return gaps


def _measure_longest_fence(code: str) -> int:
    longest = run = 0
    for sign in code:
        run = run + 1 if sign == "`" else 0
        longest = max(longest, run)
    return longest


def _flatten_title(text: str) -> str:
    """Return a title or heading on one line, without characters that Markdown would interpret."""
    return " ".join(shield_source(text).replace("*", "").replace("[", "(").replace("]", ")").split())
