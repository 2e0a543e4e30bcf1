"""Split evidence into the units that an answer can show (headings, sentences, items, table rows, code) and sections."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.answer.extractive.flat_text import BULLET, NUMBERED, flatten_markdown, flatten_text
from pincite.answer.extractive.line_breaks import find_line_starts
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.passage_cards import Form, PieceKind
from pincite.proof.table_cells import FOOTNOTE
from pincite.text.display import SOFT_HYPHEN
from pincite.text.sentences import is_finished
from pincite.types import NON_CONTENT_KINDS, Block, Evidence, Row, Table

_EMPHASIS = re.compile(r"(?<![\w*_])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*_])")
_FENCE_LINE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$\n?", re.M)
# The dots between a title and its page in a table of contents, and the page.
_LEADER = re.compile(r"(?<![.…·_])(?<![.…·_] )(?:[.…·_] ?){4,}\s*(\d{1,4})(?![\d.,])")
_LEADERS = 3  # of them at least
_LONGEST_LEAD = 400  # characters of a line that introduces a list, a table or code
_LONGEST_ITEM = 200  # characters of an item with several sentences that is one unit
_DEEPEST = 8  # spaces before an item of an inner list
_INITIAL = re.compile(r"[A-Z]\.")  # before a name: "A. Smith"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of an evidence that is shown whole: its text, and its words for comparison.

    `heads` are the column heads of a row, beginning with that of its label, and `cell_words` its words without them.
    `headings` are those it stands under. `space` stands before it where its kind does not tell: a space, or a line
    break with the indentation of an inner list.
    """

    evidence: Evidence
    kind: PieceKind
    start: int
    end: int
    text: str
    words: frozenset[str]
    cells: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    is_apart: bool = False
    headings: tuple[str, ...] = ()
    is_question: bool = False  # on a line of its own, above its answer
    cell_words: frozenset[str] = frozenset()
    space: str = ""

    @property
    def is_lead(self) -> bool:
        """Whether it introduces what follows."""
        return self.kind == "sentence" and self.text.endswith(":") and len(self.text) <= _LONGEST_LEAD


@dataclass(frozen=True, slots=True)
class PassageSection:
    """Units of one evidence that are of one form and stand under one heading; rows have the same column heads.

    `lead` introduces a table or code.
    """

    evidence: Evidence
    form: Form
    units: tuple[Unit, ...]
    headings: tuple[str, ...]
    lead: Unit | None = None
    note: str = ""

    @property
    def around(self) -> frozenset[str]:
        """The words above: title, file name, headings, the lead and the table's note."""
        source, lead = self.evidence, self.lead.text if self.lead else ""
        return collect_words(" ".join((source.title, source.name, *source.headings, *self.headings, lead, self.note)))


def divide_evidence(source: Evidence, by_heading: bool = False) -> list[PassageSection]:
    """Return the sections of an evidence, in their order. Cut sentences at its edges are left out where others remain.

    Text goes on over the headings in it, which stand among its units, so that a passage is shown whole; `by_heading`
    begins a section at each of them.
    """
    listed = _drop_group_labels(_drop_contents(source, list(_list_units(source))))
    units = _mark_questions(source, _trim_edges(source, listed))
    sections: list[PassageSection] = []
    levels = _list_levels(source)
    headings = source.headings
    run: list[Unit] = []

    def close() -> None:
        while run and run[-1].kind == "heading":
            run.pop()
        if run:
            sections.append(_make_section(source, tuple(run), headings, sections))
            run.clear()

    inner = headings  # those of the place that is read
    is_asked = False  # whether the last of them is a question of a list of questions
    for unit in units:
        if unit.kind == "heading":
            outer, is_asked = (inner[:-1] if is_asked else inner), unit.is_question
            inner = (*outer, unit.text) if is_asked else _place_heading(source, unit.text, outer, levels)
            if by_heading or (run and _find_form(run[-1]) != "text"):
                close()
            if not run:
                headings = inner
            elif inner != headings:
                run.append(replace(unit, is_apart=True))
        else:
            if run and (_find_form(run[-1]) != _find_form(unit) or not _has_same_heads(run[-1], unit)):
                close()
            if not run:
                headings = inner
            run.append(replace(unit, headings=inner))
    close()
    return sections


def _place_heading(source: Evidence, heading: str, outer: tuple[str, ...], levels: dict[str, int]) -> tuple[str, ...]:
    """Return the path of a heading that follows others: those of a higher level, and itself."""
    if heading in source.headings:
        return source.headings
    level = levels.get(heading, len(outer))
    return (*(each for place, each in enumerate(outer) if levels.get(each, place + 1) < level), heading)


def _make_section(
    source: Evidence, units: tuple[Unit, ...], headings: tuple[str, ...], before: Sequence[PassageSection]
) -> PassageSection:
    form = _find_form(units[0])
    if form == "text":
        items = [unit for unit in units if unit.kind == "item"]
        if sum(unit.space != " " for unit in items) > 1 and len(items) == len(units) - units[0].is_lead:
            lead = units[0] if units[0].is_lead else None
            return PassageSection(source, "list", tuple(items), headings, lead)
        return PassageSection(source, "text", units, headings)
    last = before[-1] if before else None
    lead = last.units[-1] if last and _can_introduce(last, headings) else None
    first = units[0].start
    note = next((table.note for table in source.tables for row in table.rows if row.start <= first < row.end), "")
    return PassageSection(source, form, units, headings, lead, note)


def _can_introduce(last: PassageSection, headings: tuple[str, ...]) -> bool:
    """Whether the last sentence before a table or code introduces it.

    It ends with a colon, has no end like a caption, or is a paragraph of its own.
    """
    unit = last.units[-1]
    # A text goes on over the headings in it, so the headings above its last sentence count, not those of its start.
    if last.form not in ("text", "list") or unit.kind != "sentence" or unit.headings != headings:
        return False
    is_lead = unit.is_lead or unit.is_apart or not is_finished(unit.text)
    return is_lead and len(unit.text) <= _LONGEST_LEAD


def _has_same_heads(unit: Unit, other: Unit) -> bool:
    """Return whether two rows have the same column heads; one may lack some of them."""
    one, two = set(filter(None, unit.heads[1:])), set(filter(None, other.heads[1:]))
    return one <= two or two <= one


def _find_form(unit: Unit) -> Form:
    return "table" if unit.cells else "code" if unit.kind == "code" else "text"


def _list_levels(source: Evidence) -> dict[str, int]:
    """Return the levels of the headings that stand in an evidence, by their words."""
    headings = (block for block in source.blocks if block.kind == "heading")
    return {flatten_markdown(source.quote(each.start, each.end)): each.level for each in headings}


def _list_units(source: Evidence) -> Iterator[Unit]:
    """Yield every unit of an evidence: page furniture and rows of column heads are left out."""
    rows = _list_rows(source)
    starts = [block.start for block in source.blocks]
    spans = source.sentences or ((source.span.start, source.span.end),)
    lines = [source.span.start + at for at in find_line_starts(source.text, source.kind)]
    before: Unit | None = None
    margin = 0
    for start, end in _join_headings(source, spans):
        for first, last, block in _cut_at_lines(source, _cut_at_blocks(source, start, end, starts), lines, rows):
            raw = source.quote(first, last)
            if not any(map(str.isalnum, raw)) or (block and block.kind in NON_CONTENT_KINDS):
                continue
            if _is_head(source, first, last):
                continue
            unit = _make_unit(source, first, last, raw, block, rows.get(first))
            gap = source.quote(before.end, first) if before else ""
            is_broken = before is not None and not gap.strip() and source.quote(start, before.end).endswith(SOFT_HYPHEN)
            goes_on = before is not None and _goes_on(before, unit, raw, gap, lines)
            if before and ((is_broken and _is_plain(unit, raw)) or (goes_on and _can_take(before, unit))):
                halves = "" if is_broken else " "
                text = f"{before.text}{halves}{unit.text.removeprefix('- ')}"
                before = replace(before, end=last, text=text, words=collect_words(text))
                continue
            space = ""
            if goes_on:
                unit, space = replace(unit, kind="item", text=unit.text.removeprefix("- ")), " "
            elif unit.kind == "item":
                indent = _measure_indent(source, unit.start)
                margin = min(indent, margin) if before and before.kind == "item" else indent
                space = "\n" + " " * min(indent - margin, _DEEPEST)
            elif before and "\n" in gap and (unit.start in lines or not is_finished(before.text)):
                space = "\n"
            if before:
                yield before
            before = replace(unit, is_apart=_is_paragraph_end(gap), space=space)
    if before:
        yield before


def _is_plain(unit: Unit, raw: str) -> bool:
    """Whether a unit is text without the mark of an item."""
    is_marked = BULLET.match(raw.lstrip()) or NUMBERED.match(raw.lstrip())
    return unit.kind in ("sentence", "item") and not is_marked


def _goes_on(before: Unit, unit: Unit, raw: str, gap: str, lines: Collection[int]) -> bool:
    """Whether a unit is a later sentence of the item before it."""
    is_below = _is_paragraph_end(gap) or unit.start in lines
    return before.kind == "item" and _is_plain(unit, raw) and not is_below


def _is_paragraph_end(gap: str) -> bool:
    return gap.count("\n") > 1 or "\f" in gap


def _can_take(item: Unit, unit: Unit) -> bool:
    """Whether an item is one unit with its next sentence; in a long item each sentence is its own."""
    return item.space != " " and len(item.text) + len(unit.text) < _LONGEST_ITEM


def _measure_indent(source: Evidence, start: int) -> int:
    """Return the number of spaces before a unit that begins a line; 0 elsewhere."""
    line = source.quote(source.span.start, start).rpartition("\n")[2]
    return 0 if line.strip() else len(line)


def _cut_at_lines(
    source: Evidence,
    parts: Iterable[tuple[int, int, Block | None]],
    lines: Sequence[int],
    rows: Collection[int],
) -> Iterator[tuple[int, int, Block | None]]:
    """Yield parts of the text cut at the lines that do not go on with the line above; rows and code stay whole."""
    for first, last, block in parts:
        is_whole = first in rows or (block and block.kind == "heading")
        is_whole = is_whole or any(a <= first < b for a, b in source.code)
        cuts = [] if is_whole else [at for at in lines[bisect_right(lines, first) :] if at < last]
        for start, end in pairwise([first, *cuts, last]):
            yield start, end, block


def _list_rows(source: Evidence) -> dict[int, tuple[Table, Row]]:
    """Return the rows in an evidence with their tables, by the place of their first words behind the indentation."""
    rows = {}
    for table in source.tables:
        for row in table.rows:
            raw = source.quote(row.start, row.end)
            start = max(row.start, source.span.start) + len(raw) - len(raw.lstrip())
            if not row.cells or start <= row.cells[0].start:  # not only the end of a row
                rows[start] = (table, row)
    return rows


def _join_headings(source: Evidence, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield sentences, those of one heading as one: "Article 2. Loyer" is one line."""
    headings = [block for block in source.blocks if block.kind == "heading"]
    starts = [block.start for block in headings]
    joined: tuple[int, int] | None = None
    for start, end in spans:
        place = bisect_right(starts, start) - 1
        is_inside = place >= 0 and joined is not None and joined[1] > starts[place] and start < headings[place].end
        if joined and is_inside:
            joined = joined[0], end
            continue
        if joined:
            yield joined
        joined = start, end
    if joined:
        yield joined


def _cut_at_blocks(
    source: Evidence, start: int, end: int, starts: Sequence[int]
) -> Iterator[tuple[int, int, Block | None]]:
    """Yield a stretch cut where a heading, a list, code or page furniture begins or ends, each part with its block."""
    at = start
    for place in range(max(bisect_right(starts, start) - 1, 0), len(source.blocks)):
        block = source.blocks[place]
        if block.start >= end:
            break
        if block.end <= at or block.kind in ("paragraph", "table"):
            continue
        if block.start > at:
            yield at, block.start, _find_block(source, starts, at)
        yield max(block.start, at), min(block.end, end), block
        at = min(block.end, end)
    if at < end:
        yield at, end, _find_block(source, starts, at)


def _find_block(source: Evidence, starts: Sequence[int], at: int) -> Block | None:
    place = bisect_right(starts, at) - 1
    block = source.blocks[place] if place >= 0 else None
    return block if block and block.end > at else None


def _is_head(source: Evidence, start: int, end: int) -> bool:
    return any(a <= start and end <= b for table in source.tables for a, b in table.heads)


def _name_cells(table: Table, row: Row) -> tuple[str, ...]:
    """Return the heads of a row's label and cells: as they are written, if each has one in the only head row."""
    written = table.written_heads
    if len(written) == 1 + len(row.cells):
        return written
    if not row.label and len(written) == len(row.cells):
        return ("", *written)
    return (table.label_head, *(" ".join(cell.head.split()) for cell in row.cells))


def _make_unit(
    source: Evidence, start: int, end: int, raw: str, block: Block | None, row: tuple[Table, Row] | None
) -> Unit:
    start, end = start + len(raw) - len(raw.lstrip()), end - (len(raw) - len(raw.rstrip()))
    if any(a <= start < b for a, b in source.code):
        indent = raw[: len(raw) - len(raw.lstrip())].rpartition("\n")[2]
        text = _FENCE_LINE.sub("", indent + raw.strip() + "\n").rstrip("\n")
        return Unit(source, "code", start, end, text, collect_words(text))
    if row:
        table, found = row
        heads = _name_cells(table, found)
        cells = (flatten_text(found.label), *(flatten_text(cell.text) for cell in found.cells))
        words = collect_words(" ".join((*cells, *heads)))
        own = collect_words(" ".join(cells))
        return Unit(source, "row", start, end, flatten_text(raw), words, cells, heads, cell_words=own)
    text = flatten_markdown(raw)
    if source.kind == "markdown":
        text = _EMPHASIS.sub(r"\2", text)
    bare = BULLET.sub("", text)
    if block and block.kind == "heading":
        return Unit(source, "heading", start, end, bare, collect_words(bare))
    is_item = bare != text or bool(block and block.kind == "list") or _is_numbered(source, start, text, block)
    if is_item and not bare.endswith(":"):
        shown = bare if NUMBERED.match(bare) else f"- {bare}"
        return Unit(source, "item", start, end, shown, collect_words(bare))
    return Unit(source, "sentence", start, end, bare, collect_words(bare))


def _is_numbered(source: Evidence, start: int, text: str, block: Block | None) -> bool:
    """Whether a text begins with a number or letter of an item. In plain text an item begins its line."""
    if not NUMBERED.match(text):
        return False
    is_line = source.kind == "text" and not source.quote(source.span.start, start).rpartition("\n")[2].strip()
    return block is None or (is_line and not _INITIAL.match(text))


def _mark_questions(source: Evidence, units: list[Unit]) -> list[Unit]:
    """Make headings of the questions on lines of their own above their answers, as in a list of questions."""
    marked = list(units)
    for place, (unit, following) in enumerate(pairwise(units)):
        before = source.quote(max(unit.start - 1, source.span.start), unit.start)
        is_alone = before in ("", "\n") and source.quote(unit.end, unit.end + 1) == "\n"
        is_asked = unit.kind == "sentence" and unit.text.endswith("?") and len(unit.text) <= _LONGEST_LEAD
        is_answered = following.kind in ("sentence", "item", "row") and not following.text.endswith("?")
        if is_asked and is_alone and is_answered:
            marked[place] = replace(unit, kind="heading", is_question=True)
    return marked


def _drop_contents(source: Evidence, units: list[Unit]) -> list[Unit]:
    """Return the units without the lines of a table of contents: they repeat the words of an answer and have none.

    Its page numbers rise, and those at the ends of the lines of a price list do not.
    """
    found = list(_LEADER.finditer(source.text))
    pages = [int(each[1]) for each in found]
    if len(pages) < _LEADERS or pages != sorted(pages):
        return units
    # A sentence may begin with the page of one line and go on with the title of the next.
    first = source.span.start
    lines = [(first + source.text.rfind("\n", 0, each.start()) + 1, first + each.end()) for each in found]
    return [unit for unit in units if not any(unit.start < end and start < unit.end for start, end in lines)]


def _drop_group_labels(units: list[Unit]) -> list[Unit]:
    """Return the units without the lines of a table that only name a group of rows: the label of each row has them."""
    kept: list[Unit] = []
    groups = ""  # of the row below, as its label has them
    for unit in reversed(units):
        if unit.cells:
            groups = unit.cells[0].rpartition(" › ")[0]
        elif groups and unit.kind in ("sentence", "item") and _names_group(unit.text, groups):
            continue
        else:
            groups = ""
        kept.append(unit)
    return kept[::-1]


def _names_group(text: str, groups: str) -> bool:
    name = re.escape(FOOTNOTE.sub("", text.removeprefix("- ")).rstrip(" :"))
    return bool(re.search(rf"(?<!\w){name}(?!\w)", groups))


def _trim_edges(source: Evidence, units: list[Unit]) -> list[Unit]:
    """Return the units without a sentence that the passage begins or ends in the middle of, or a heading at its end."""
    while len(units) > 1 and units[-1].kind == "heading":
        units.pop()
    if source.is_begun and len(units) > 1 and units[0].kind == "sentence":
        units = units[1:]
    if source.is_unfinished and len(units) > 1 and units[-1].kind == "sentence":
        units = units[:-1]
    return units
