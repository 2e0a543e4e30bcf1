"""Convert an HTML tree to blocks: the visible text, in order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.reading.document_draft import Draft
from pincite.reading.html_indents import drop_marks, measure_indent
from pincite.reading.html_limits import MOST_ATTRIBUTES, find_tag, read_without_tags, shorten_tags
from pincite.reading.html_spans import CLAIMED, PlacedCell, place_cells
from pincite.reading.indents import indent_labels
from pincite.reading.limits import DEFAULTS, DocumentLimits, describe_attribute_limit
from pincite.reading.merged_labels import MERGED
from pincite.types import BlockKind

_UNSEEN_TAGS = """
    script style template noscript head svg iframe object canvas audio video map datalist select
    textarea input
"""
UNSEEN = frozenset(_UNSEEN_TAGS.split())
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = ("ul", "ol", "menu")
LINE_BREAK = "\v"  # stands for <br> until white space is collapsed; HTML cannot contain it
_BREAKING_TAGS = """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption
    figure footer form header hgroup hr html legend li main menu nav ol p section summary table tbody
    td tfoot th thead tr ul caption
"""
BREAKING = frozenset(_BREAKING_TAGS.split())
_SPACE = re.compile(r"[ \t\r\n\f]+")
HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page's root (None if it has none), and the problems with it."""

    root: Any
    problems: tuple[str, ...] = ()


def parse_html(html: str) -> Any:
    """Return the root of an HTML text; nothing is fetched, and broken markup is repaired."""
    return parse_limited_html(html, DEFAULTS).root


def parse_limited_html(html: str, limits: DocumentLimits) -> ParsedPage:
    """Parse an HTML text within the limits.

    The parser stops at elements that are nested too deeply: such a page is parsed again without its tags.
    """
    from lxml import etree
    from lxml import html as lxml_html

    problems = []
    cut = find_tag(html, limits.attributes)
    if cut < len(html):
        problems.append(describe_attribute_limit(limits.attributes))
    html = shorten_tags(whole := html[:cut])
    if html != whole:
        problems.append(f"A tag has more than {MOST_ATTRIBUTES:,} attributes; the rest of them is left out.")
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    # One class for all elements: choosing one for each would take a tenth of the time of reading a page.
    parser.set_element_class_lookup(lxml_html.etree.ElementDefaultClassLookup(element=lxml_html.HtmlElement))
    # The parser would believe another declared encoding, although the text is already decoded.
    data = html.replace("\0", " ").encode("utf-8", "replace")
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (etree.ParserError, ValueError):
        return ParsedPage(None, tuple(problems))
    last = parser.error_log.last_error
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        problems.append("Elements are nested too deeply: the text is read without its structure.")
        return ParsedPage(read_without_tags(html), tuple(problems))
    _move_to_body(root)
    return ParsedPage(root, tuple(problems))


def _move_to_body(root: Any) -> None:
    """Move elements that a head cannot contain to the body.

    Pages may omit both tags, and the parser does not know <article>.
    """
    head = root.find("head")
    stray = [child for child in head if _read_tag(child) in BREAKING] if head is not None else []
    if not stray:
        return
    moved = list(head)[head.index(stray[0]) :]
    body = root.find("body")
    if body is None:
        body = root.makeelement("body")
        root.append(body)
    words, body.text = body.text, None
    first = next(iter(body), None)
    for element in moved:
        body.append(element) if first is None else first.addprevious(element)
    if words:
        moved[-1].tail = (moved[-1].tail or "") + words


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """A block of a page: its element, its text, and how many of its characters are in links."""

    element: Any
    kind: BlockKind
    text: str
    level: int = 0
    linked: int = 0


def write_blocks(root: Any, draft: Draft) -> None:
    """Add the blocks of an element and everything visible in it to a draft."""
    for piece in find_blocks(root):
        add_block(piece, draft)


def add_block(piece: HtmlBlock, draft: Draft) -> None:
    """Add one block of a page to a draft."""
    if piece.kind == "table":
        _add_table(piece.element, draft)
    else:
        draft.add(piece.text, piece.kind, piece.level)


def find_blocks(root: Any) -> Iterator[HtmlBlock]:
    """Yield the blocks of an element and everything visible in it, in order."""
    from lxml import etree

    flow: list[str] = []
    owner = root
    linked = links = 0
    has_words = False

    def flush() -> Iterator[HtmlBlock]:
        nonlocal linked, has_words
        text = collapse_spaces("".join(flow))
        flow.clear()
        has_words = False
        if text:
            yield HtmlBlock(owner, "paragraph", text, linked=min(linked, len(text)))
        linked = 0

    def run(text: str | None, parent: Any) -> None:
        nonlocal owner, linked, has_words
        if not text:
            return
        is_blank = text.isspace()
        if not flow or (not has_words and not is_blank):
            owner = parent
        has_words = has_words or not is_blank
        flow.append(text)
        linked += len(text.strip()) if links else 0

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = _read_tag(element)
        if event == "end":
            if tag in BREAKING:
                yield from flush()
            links -= tag == "a"
            if element is not root:
                run(element.tail, element.getparent())
        elif is_unseen(element):
            walk.skip_subtree()
            links += tag == "a"
        elif tag == "br":
            flow.append(LINE_BREAK)
        elif _is_own_block(element):
            yield from flush()
            yield _make_own_block(element)
            walk.skip_subtree()
        else:
            if tag in BREAKING:
                yield from flush()
            links += tag == "a"
            run(element.text, element)
    yield from flush()


def _is_own_block(element: Any) -> bool:
    """Return whether an element becomes one block, with everything in it."""
    tag = _read_tag(element)
    if tag in HEADINGS or tag == "pre":
        return True
    if tag == "table":
        return _is_data(element)
    return tag in LISTS and next(element.iter("table", "pre", *HEADINGS), None) is None


def _make_own_block(element: Any) -> HtmlBlock:
    tag = _read_tag(element)
    linked = sum(len(" ".join("".join(link.itertext()).split())) for link in element.iter("a"))
    if tag in HEADINGS:
        return HtmlBlock(element, "heading", " ".join(extract_text(element).split()), HEADINGS[tag], linked)
    if tag == "pre":
        return HtmlBlock(element, "code", extract_text(element, verbatim=True).rstrip(), linked=linked)
    if tag == "table":
        return HtmlBlock(element, "table", extract_text(element), linked=linked)
    return HtmlBlock(element, "list", "\n".join(_list_lines(element)), linked=linked)


def _add_table(table: Any, draft: Draft) -> None:
    for caption in table.iterchildren("caption"):
        draft.add(" ".join(extract_text(caption).split()))
    placed = place_cells(table)
    if placed.is_cut:
        draft.problem(CLAIMED)
    first = [row[0].element if row and row[0].column == 0 else None for row in placed.rows]
    labels = ["" if cell is None else _read_cell(cell) for cell in first]
    lengths = [0.0 if cell is None else measure_indent(cell) for cell in first]
    if any(lengths):
        labels = [label for (label,) in indent_labels([[drop_marks(label)] for label in labels], lengths)]
    draft.table(map(_write_row, placed.rows, labels, placed.continued))


def _write_row(row: Sequence[PlacedCell], label: str, continued: Sequence[int]) -> list[str]:
    """Return the texts of a row: a merged cell has its words once, a mark in the rows below, and "" beside it."""
    texts = {0: label} | dict.fromkeys(continued, MERGED)
    texts |= {cell.column: _read_cell(cell.element) for cell in row if cell.column}
    return [texts.get(column, "") for column in range(max(texts) + 1)]


def _read_cell(cell: Any) -> str:
    return " ".join(extract_text(cell).split())


def _is_data(table: Any) -> bool:
    """Return whether a table contains data; a layout table contains tables, headings, lists or long cells."""
    if next(table.iterdescendants("table", "pre", "ul", "ol", *HEADINGS), None) is not None:
        return False
    rows = list(table.iter("tr"))
    widest = max((sum(1 for _ in row.iterchildren("td", "th")) for row in rows), default=0)
    return widest > 1 and all(len(extract_text(cell)) < 2000 for row in rows for cell in row.iterchildren("td", "th"))


def _list_lines(root: Any) -> Iterator[str]:
    """Yield the lines of a list and its nested lists, each item with its mark and indented by its depth."""
    from lxml import etree

    counters: list[int] = []
    flow: list[str] = []
    mark = ""

    def line() -> Iterator[str]:
        nonlocal mark
        if words := collapse_spaces("".join(flow)):
            yield mark + words
            mark = " " * len(mark)
        flow.clear()

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = _read_tag(element)
        if event == "end":
            if tag in BREAKING:
                yield from line()
            if tag in LISTS and counters:
                counters.pop()
            if element is not root:
                flow.append(element.tail or "")
        elif is_unseen(element):
            walk.skip_subtree()
        elif tag == "br":
            flow.append(LINE_BREAK)
        else:
            if tag in BREAKING:
                yield from line()
            if tag in LISTS:
                counters.append(0)
            elif tag == "li" and counters:
                counters[-1] += 1
                ordered = _read_tag(element.getparent()) == "ol"
                mark = "  " * min(len(counters) - 1, 20) + (f"{counters[-1]}. " if ordered else "- ")
            flow.append(element.text or "")


def collapse_spaces(text: str) -> str:
    """Return running text with white space as a browser shows it."""
    if LINE_BREAK not in text:
        return _SPACE.sub(" ", text).strip()
    lines = (_SPACE.sub(" ", line).strip() for line in text.split(LINE_BREAK))
    return "\n".join(line for line in lines if line)


def extract_text(element: Any, *, verbatim: bool = False) -> str:
    """Return the visible text in an element; blocks and breaks become a space, or stay lines if verbatim."""
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, child in walk:
        tag = _read_tag(child)
        if event == "end":
            if child is not element:
                parts += [" " if tag in BREAKING and not verbatim else "", child.tail or ""]
        elif child is not element and is_unseen(child):
            walk.skip_subtree()
        else:
            parts += ["\n" if verbatim else " "] if tag == "br" else []
            parts += [" " if tag in BREAKING and not verbatim else "", child.text or ""]
    return "".join(parts)


def _read_tag(element: Any) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def is_breaking(element: Any) -> bool:
    """Return whether an element begins on a new line, or breaks one."""
    tag = _read_tag(element)
    return tag in BREAKING or tag in HEADINGS or tag in ("br", "pre")


def is_unseen(element: Any) -> bool:
    """Return whether a browser shows nothing of an element."""
    tag = _read_tag(element)
    if not tag or tag in UNSEEN or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style and HIDDEN_STYLE.search(style)) or (tag == "a" and _is_permalink(element))


def _is_permalink(link: Any) -> bool:
    """Return whether a link is only a sign, such as "¶" after a heading, that leads to its own position."""
    text = (link.text or "").strip()
    return bool(text) and len(link) == 0 and not any(map(str.isalnum, text)) and (link.get("href") or "")[:1] == "#"
