"""What was located, for a person to read: where, in which words, how surely, and what is odd about it."""

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pincite.cli import door

if TYPE_CHECKING:
    from pincite.evidence.concordance import Concordance
    from pincite.library.locating import Located
    from pincite.types import Document, Page

_SHOWN = 1200  # characters of what was found
_WORDS = {
    "exact": "word for word",
    "normalised": "the same letters and digits",
    "approximate": "by likeness",
}


def show(found: "Located") -> None:
    """Print a location: the place, the document's own words there, the metrics, and the diagnosis."""
    from rich.padding import Padding
    from rich.text import Text

    from pincite.evidence.lines import excerpt, opening, where

    out = door.console()
    location = found.location
    if location.found:
        head = Text("Found", style="bold green")
        head.append(f" on {where(found.document, location.spans)}", style="bold")
        head.append(f"   {_WORDS[location.how or 'approximate']}, score {location.score:.3f}", style="dim")
        out.print(head)
        words = Text(opening(excerpt(found.document, location.spans), _SHOWN))
        out.print(Padding(words, (0, 0, 0, 3)) if out.is_terminal else Text("   ") + words)
        out.print(Text(_metrics(found), style="dim"))
    else:
        out.print(Text("Not found", style="bold red"))
    for line in found.diagnosis:
        out.print(Text(f"· {line}"))


def _metrics(found: "Located") -> str:
    from pincite.evidence.account import metrics

    counted = metrics(found.location)
    rate = f"Block match rate {counted.matched}/{counted.total} ({100 * counted.block_match_rate:.1f} %)"
    covered = f"coverage {100 * counted.coverage:.1f} % of the passage"
    return f"{rate} · average score {counted.average_score:.3f} · {covered}"


def lines_as_json(concordance: "Concordance", page: "Page") -> dict[str, Any]:
    """A page's lines with their boxes, and which other orders it can be read in."""
    from pincite.evidence.boxes import boxes
    from pincite.evidence.lines import other_orders, page_lines

    document = concordance.document
    listed = []
    for line in page_lines(document, page):
        placed = boxes(document, [(line.start, line.end)])
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
        "other_orders": other_orders(concordance, page),
        "lines": listed,
    }


def show_lines(concordance: "Concordance", page: "Page") -> None:
    """Print a page's lines: number, box, text; a line that stands in several boxes has a row for each."""
    from rich.table import Table
    from rich.text import Text

    told = lines_as_json(concordance, page)
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in ("line", "x0", "y0", "x1", "y1"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("text", overflow="fold", ratio=1)
    for line in told["lines"]:
        text = line["text"].replace("\t", " ⇥ ").replace("\u00ad", "-")
        first, *more = line["boxes"] or [[]]
        table.add_row(str(line["line"]), *_corners(first), Text(text))
        for rect in more:
            table.add_row("", *_corners(rect), "")
    orders = ", ".join(told["other_orders"])
    size = f", {page.width:.0f} × {page.height:.0f} points" if page.width else ""
    out = door.console()
    out.print(f"Page {page.number}: {len(told['lines'])} lines{size}")
    out.print(table)
    if orders:
        out.print(Text(f"Also read in other orders: {orders}.", style="dim"))
    else:
        out.print(Text("As drawn, by rows and by columns it reads the same.", style="dim"))


def _corners(rect: list[float]) -> list[str]:
    return [f"{value:.1f}" for value in rect] or [""] * 4


def log_document(log: logging.Logger, name: str, document: "Document", pages: Collection[int]) -> None:
    """Tell the step log what was read, and the lines with their boxes of the pages that were given."""
    from pincite.evidence.boxes import boxes
    from pincite.evidence.lines import page_lines

    if not log.isEnabledFor(logging.DEBUG):
        return
    counted = sum(len(page_lines(document, page)) for page in document.pages) or document.text.count("\n") + 1
    log.debug("[PDF] %s: %s, %d pages, %d lines", name, document.kind, len(document.pages), counted)
    log.debug("[PDF] %d characters of text; pages given: %s", len(document.text), sorted(pages) or "none")
    for page in document.pages:
        if page.number in pages:
            lines = page_lines(document, page)
            log.debug("[PDF] page %d: %d line boxes", page.number, len(lines))
            for line in lines:
                rects = [rect for each in boxes(document, [(line.start, line.end)]) for rect in each.rects]
                text = document.text[line.start : line.end][:60]
                log.debug("[PDF] line %d %s %r", line.number, [list(rect) for rect in rects], text)
