"""An HTML tree to blocks: what a reader would see, in order."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pincite.reading.draft import Draft
from pincite.reading.html_indents import drop_marks, measure_indent
from pincite.reading.html_limits import MOST_ATTRIBUTES, find_tag, read_without_tags, shorten_tags
from pincite.reading.indents import indent_labels
from pincite.reading.limits import DEFAULTS, Limits, tell_attributes
from pincite.types import BlockKind

_UNSEEN_TAGS = """
    script style template noscript head svg iframe object canvas audio video map datalist select
    textarea input
"""
UNSEEN = frozenset(_UNSEEN_TAGS.split())
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = ("ul", "ol", "menu")
LINE_BREAK = "\v"  # stands for <br> until white space is settled; HTML itself cannot hold it
_BREAKING_TAGS = """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption
    figure footer form header hgroup hr html legend li main menu nav ol p section summary table tbody
    td tfoot th thead tr ul caption
"""
BREAKING = frozenset(_BREAKING_TAGS.split())
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A page's root (None where it has none), and what was left out of it, in words."""

    root: Any
    problems: tuple[str, ...] = ()


def parse(html: str) -> Any:
    """The root of an HTML text; nothing is fetched and broken markup is mended."""
    return parse_within(html, DEFAULTS).root


def parse_within(html: str, limits: Limits) -> Parsed:
    """The root of an HTML text as far as the limits allow.

    The parser stops at elements that are nested too deeply: such a page is read once more without its tags.
    """
    from lxml import etree
    from lxml import html as lxml_html

    problems = []
    cut = find_tag(html, limits.attributes)
    if cut < len(html):
        problems.append(tell_attributes(limits.attributes))
    html = shorten_tags(whole := html[:cut])
    if html != whole:
        problems.append(f"A tag has more than {MOST_ATTRIBUTES:,} attributes; the rest of them is left out.")
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    # One class for all elements: choosing one for each would take a tenth of the time of reading a page.
    parser.set_element_class_lookup(lxml_html.etree.ElementDefaultClassLookup(element=lxml_html.HtmlElement))
    # A declaration of another encoding would be believed against the text, which is decoded already.
    data = html.replace("\0", " ").encode("utf-8", "replace")
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (etree.ParserError, ValueError):
        return Parsed(None, tuple(problems))
    last = parser.error_log.last_error
    if last is not None and last.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        problems.append("Elements are nested too deeply: the text is read without its structure.")
        return Parsed(read_without_tags(html), tuple(problems))
    _embody(root)
    return Parsed(root, tuple(problems))


def _embody(root: Any) -> None:
    """Move what a head cannot hold to the body: pages may leave out both tags, and the parser knows no <article>."""
    head = root.find("head")
    stray = [child for child in head if _tag(child) in BREAKING] if head is not None else []
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
class Piece:
    """A block of a page: the element it stands in, its text, and how many of its characters are those of links."""

    element: Any
    kind: BlockKind
    text: str
    level: int = 0
    linked: int = 0


def write(root: Any, draft: Draft) -> None:
    """Add the blocks of an element and everything visible in it to a draft."""
    for piece in pieces(root):
        add(piece, draft)


def add(piece: Piece, draft: Draft) -> None:
    """Add one block of a page to a draft."""
    if piece.kind == "table":
        _add_table(piece.element, draft)
    else:
        draft.add(piece.text, piece.kind, piece.level)


def pieces(root: Any) -> Iterator[Piece]:
    """Yield the blocks of an element and everything visible in it, in order."""
    from lxml import etree

    flow: list[str] = []
    owner = root
    linked = links = 0
    has_words = False

    def flush() -> Iterator[Piece]:
        nonlocal linked, has_words
        text = inline("".join(flow))
        flow.clear()
        has_words = False
        if text:
            yield Piece(owner, "paragraph", text, linked=min(linked, len(text)))
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
        tag = _tag(element)
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
        elif _is_whole(element):
            yield from flush()
            yield _whole_piece(element)
            walk.skip_subtree()
        else:
            if tag in BREAKING:
                yield from flush()
            links += tag == "a"
            run(element.text, element)
    yield from flush()


def _is_whole(element: Any) -> bool:
    """Whether an element becomes a block of its own, with all that is in it."""
    tag = _tag(element)
    if tag in HEADINGS or tag == "pre":
        return True
    if tag == "table":
        return _is_data(element)
    return tag in LISTS and next(element.iter("table", "pre", *HEADINGS), None) is None


def _whole_piece(element: Any) -> Piece:
    tag = _tag(element)
    linked = sum(len(" ".join("".join(link.itertext()).split())) for link in element.iter("a"))
    if tag in HEADINGS:
        return Piece(element, "heading", " ".join(content(element).split()), HEADINGS[tag], linked)
    if tag == "pre":
        return Piece(element, "code", content(element, verbatim=True).rstrip(), linked=linked)
    if tag == "table":
        return Piece(element, "table", content(element), linked=linked)
    return Piece(element, "list", "\n".join(_list_lines(element)), linked=linked)


def _add_table(table: Any, draft: Draft) -> None:
    for caption in table.iterchildren("caption"):
        draft.add(" ".join(content(caption).split()))
    cells = [list(row.iterchildren("td", "th")) for row in table.iter("tr")]
    rows = [[" ".join(content(cell).split()) for cell in row] for row in cells]
    lengths = [measure_indent(row[0]) if row else 0.0 for row in cells]
    if any(lengths):
        rows = indent_labels([[drop_marks(cell) for cell in row] for row in rows], lengths)
    draft.table(rows)


def _is_data(table: Any) -> bool:
    """Whether a table holds data; one that lays out a page holds tables, headings, lists or long cells."""
    if next(table.iterdescendants("table", "pre", "ul", "ol", *HEADINGS), None) is not None:
        return False
    rows = list(table.iter("tr"))
    widest = max((sum(1 for _ in row.iterchildren("td", "th")) for row in rows), default=0)
    return widest > 1 and all(len(content(cell)) < 2000 for row in rows for cell in row.iterchildren("td", "th"))


def _list_lines(root: Any) -> Iterator[str]:
    """The lines of a list and the lists in it, each item with its mark and indented by its depth."""
    from lxml import etree

    counters: list[int] = []
    flow: list[str] = []
    mark = ""

    def line() -> Iterator[str]:
        nonlocal mark
        if words := inline("".join(flow)):
            yield mark + words
            mark = " " * len(mark)
        flow.clear()

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = _tag(element)
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
                ordered = _tag(element.getparent()) == "ol"
                mark = "  " * min(len(counters) - 1, 20) + (f"{counters[-1]}. " if ordered else "- ")
            flow.append(element.text or "")


def inline(text: str) -> str:
    """Running text with its white space as a browser shows it."""
    if LINE_BREAK not in text:
        return _SPACE.sub(" ", text).strip()
    lines = (_SPACE.sub(" ", line).strip() for line in text.split(LINE_BREAK))
    return "\n".join(line for line in lines if line)


def content(element: Any, *, verbatim: bool = False) -> str:
    """The visible text in an element; blocks and breaks in it are parted by a space, or stay lines when verbatim."""
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, child in walk:
        tag = _tag(child)
        if event == "end":
            if child is not element:
                parts += [" " if tag in BREAKING and not verbatim else "", child.tail or ""]
        elif child is not element and is_unseen(child):
            walk.skip_subtree()
        else:
            parts += ["\n" if verbatim else " "] if tag == "br" else []
            parts += [" " if tag in BREAKING and not verbatim else "", child.text or ""]
    return "".join(parts)


def _tag(element: Any) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def begins_line(element: Any) -> bool:
    """Whether an element stands on lines of its own, or breaks one."""
    tag = _tag(element)
    return tag in BREAKING or tag in HEADINGS or tag in ("br", "pre")


def is_unseen(element: Any) -> bool:
    """Whether a browser shows nothing of an element."""
    tag = _tag(element)
    if not tag or tag in UNSEEN or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return bool(style and _HIDDEN.search(style)) or (tag == "a" and _is_permalink(element))


def _is_permalink(link: Any) -> bool:
    """Whether a link is only a sign, as "¶" after a heading, that leads to the place where it stands."""
    text = (link.text or "").strip()
    return bool(text) and len(link) == 0 and not any(map(str.isalnum, text)) and (link.get("href") or "")[:1] == "#"
