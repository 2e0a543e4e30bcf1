"""Print a located passage: its place, its words, the score and the diagnosis."""

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pincite.cli import options

if TYPE_CHECKING:
    from pincite.library.passage_locator import LocatedPassage
    from pincite.locate.concordance import Concordance
    from pincite.types import Document, Page

_SHOWN = 1200  # characters of the found text
_WORDS = {
    "exact": "word for word",
    "normalised": "the same letters and digits",
    "approximate": "by likeness",
}


def print_location(found: "LocatedPassage") -> None:
    """Print a location: the place, the document's own words there, the metrics and the diagnosis."""
    from rich.padding import Padding
    from rich.text import Text

    from pincite.locate.page_lines import describe_spans, make_excerpt, take_first_words

    out = options.make_console()
    location = found.location
    if location.found:
        head = Text("Found", style="bold green")
        head.append(f" on {describe_spans(found.document, location.spans)}", style="bold")
        head.append(f"   {_WORDS[location.how or 'approximate']}, score {location.score:.3f}", style="dim")
        out.print(head)
        words = Text(take_first_words(make_excerpt(found.document, location.spans), _SHOWN))
        out.print(Padding(words, (0, 0, 0, 3)) if out.is_terminal else Text("   ") + words)
        out.print(Text(_describe_metrics(found), style="dim"))
    else:
        out.print(Text("Not found", style="bold red"))
    for line in found.diagnosis:
        out.print(Text(f"· {line}"))


def _describe_metrics(found: "LocatedPassage") -> str:
    from pincite.locate.result import compute_metrics

    counted = compute_metrics(found.location)
    rate = f"Block match rate {counted.matched}/{counted.total} ({100 * counted.block_match_rate:.1f} %)"
    covered = f"coverage {100 * counted.coverage:.1f} % of the passage"
    return f"{rate} · average score {counted.average_score:.3f} · {covered}"


def make_lines_json(concordance: "Concordance", page: "Page") -> dict[str, Any]:
    """Return the lines of a page with their boxes, and the other orders in which the page can be read."""
    from pincite.locate.boxes import find_boxes
    from pincite.locate.page_lines import list_other_orders, list_page_lines

    document = concordance.document
    listed = []
    for line in list_page_lines(document, page):
        placed = find_boxes(document, [(line.start, line.end)])
        listed.append(
            {
                "line": line.number,
                "start": line.start,
                "end": line.end,
                "boxes": [list(rect) for each in placed for rect in each.rects],
                "text": document.text[line.start : line.end],
            }
        )
    return {
        "page": page.number,
        "width": page.width or None,
        "height": page.height or None,
        "other_orders": list_other_orders(concordance, page),
        "lines": listed,
    }


def print_page_lines(concordance: "Concordance", page: "Page") -> None:
    """Print the lines of a page: number, box and text. A line with several boxes has a row for each."""
    from rich.table import Table
    from rich.text import Text

    listing = make_lines_json(concordance, page)
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in ("line", "x0", "y0", "x1", "y1"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("text", overflow="fold", ratio=1)
    for line in listing["lines"]:
        text = line["text"].replace("\t", " ⇥ ").replace("\u00ad", "-")
        first, *more = line["boxes"] or [[]]
        table.add_row(str(line["line"]), *_format_corners(first), Text(text))
        for rect in more:
            table.add_row("", *_format_corners(rect), "")
    orders = ", ".join(listing["other_orders"])
    size = f", {page.width:.0f} × {page.height:.0f} points" if page.width else ""
    out = options.make_console()
    out.print(f"Page {page.number}: {len(listing['lines'])} lines{size}")
    out.print(table)
    if orders:
        out.print(Text(f"Also read in other orders: {orders}.", style="dim"))
    else:
        out.print(Text("The order of the words is the same by rows, by columns and as drawn.", style="dim"))


def _format_corners(rect: list[float]) -> list[str]:
    return [f"{value:.1f}" for value in rect] or [""] * 4


def log_document(log: logging.Logger, name: str, document: "Document", pages: Collection[int]) -> None:
    """Write the size of the document to the step log, and the line boxes of the given pages."""
    from pincite.locate.boxes import find_boxes
    from pincite.locate.page_lines import list_page_lines

    if not log.isEnabledFor(logging.DEBUG):
        return
    counted = sum(len(list_page_lines(document, page)) for page in document.pages) or document.text.count("\n") + 1
    log.debug("[PDF] %s: %s, %d pages, %d lines", name, document.kind, len(document.pages), counted)
    log.debug("[PDF] %d characters of text; pages given: %s", len(document.text), sorted(pages) or "none")
    for page in document.pages:
        if page.number in pages:
            lines = list_page_lines(document, page)
            log.debug("[PDF] page %d: %d line boxes", page.number, len(lines))
            for line in lines:
                rects = [rect for each in find_boxes(document, [(line.start, line.end)]) for rect in each.rects]
                text = document.text[line.start : line.end][:60]
                log.debug("[PDF] line %d %s %r", line.number, [list(rect) for rect in rects], text)
