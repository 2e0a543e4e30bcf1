"""An HTML tree to blocks: what a reader would see, in order."""

import re
from collections.abc import Iterator
from typing import Any

from pincite.reading.draft import Draft

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


def parse(html: str) -> Any:
    """The root of an HTML text; nothing is fetched and broken markup is mended."""
    from lxml import html as lxml_html

    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    # A declaration of another encoding would be believed against the text, which is decoded already.
    data = html.replace("\0", " ").encode("utf-8", "replace")
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (lxml_html.etree.ParserError, ValueError):
        return None
    _embody(root)
    return root


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
    for place, element in enumerate(moved):
        body.insert(place, element)
    if words:
        moved[-1].tail = (moved[-1].tail or "") + words


def write(root: Any, draft: Draft) -> None:
    """Add the blocks of an element and everything visible in it to a draft."""
    from lxml import etree

    flow: list[str] = []

    def flush() -> None:
        draft.add(inline("".join(flow)))
        flow.clear()

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        tag = _tag(element)
        if event == "end":
            if tag in BREAKING:
                flush()
            if element is not root:
                flow.append(element.tail or "")
        elif _unseen(element):
            walk.skip_subtree()
        elif tag == "br":
            flow.append(LINE_BREAK)
        elif _is_whole(element):
            flush()
            _write_whole(element, draft)
            walk.skip_subtree()
        else:
            if tag in BREAKING:
                flush()
            flow.append(element.text or "")
    flush()


def _is_whole(element: Any) -> bool:
    """Whether an element becomes a block of its own, with all that is in it."""
    tag = _tag(element)
    if tag in HEADINGS or tag == "pre":
        return True
    if tag == "table":
        return _is_data(element)
    return tag in LISTS and next(element.iter("table", "pre", *HEADINGS), None) is None


def _write_whole(element: Any, draft: Draft) -> None:
    tag = _tag(element)
    if tag in HEADINGS:
        draft.add(" ".join(content(element).split()), "heading", HEADINGS[tag])
    elif tag == "pre":
        draft.add(content(element, verbatim=True).rstrip(), "code")
    elif tag == "table":
        for caption in element.iterchildren("caption"):
            draft.add(" ".join(content(caption).split()))
        draft.table(
            [" ".join(content(cell).split()) for cell in row.iterchildren("td", "th")] for row in element.iter("tr")
        )
    else:
        draft.add("\n".join(_list_lines(element)), "list")


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
        elif _unseen(element):
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
        elif child is not element and _unseen(child):
            walk.skip_subtree()
        else:
            parts += ["\n" if verbatim else " "] if tag == "br" else []
            parts += [" " if tag in BREAKING and not verbatim else "", child.text or ""]
    return "".join(parts)


def _tag(element: Any) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def _unseen(element: Any) -> bool:
    tag = _tag(element)
    return (
        not tag
        or tag in UNSEEN
        or element.get("hidden") is not None
        or bool(_HIDDEN.search(element.get("style") or ""))
    )
