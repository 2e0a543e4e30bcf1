"""Find the pages and rectangles of evidence, and make the events that open them in the viewer."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.context import Context
from pincite.errors import Misuse
from pincite.events.source_names import label_page
from pincite.text.viewer_commands import HighlightCommand, NavigateCommand
from pincite.types import Evidence, PageBoxes, Span, count_line_ends, drop_line_end

if TYPE_CHECKING:
    from pincite.store.database import Connection


async def find_boxes(context: Context, span: Span) -> list[events.Boxes]:
    """Find the rectangles of a stretch of a document on its pages."""
    found = await asyncio.to_thread(context.services.library.boxes, context.asked.scope.owner, span)
    return [_make_boxes(each) for each in found]


async def find_page(context: Context, span: Span, evidence: Evidence) -> tuple[int, str]:
    """Find the page on which a stretch of an evidence begins, and its label; 0 where there are no pages."""
    page, label = evidence.page, evidence.label
    if page and evidence.last_page > page:
        found = await asyncio.to_thread(context.services.library.page_at, context.asked.scope.owner, span)
        page, label = (found.number, found.label) if found else (page, label)
    return page, label_page(evidence.kind, page, label)


async def find_lines(context: Context, span: Span, evidence: Evidence) -> tuple[int, int] | None:
    """Find the first and last line of a stretch of a project's file, from 1; None for other documents.

    The stretch may reach beyond the evidence, so the stored text is counted.
    """
    if not evidence.line:
        return None
    before = await asyncio.to_thread(read_span, context, Span(span.document, 0, span.start))
    inside = await asyncio.to_thread(read_span, context, span)
    first = count_line_ends(before) + 1
    return first, first + count_line_ends(drop_line_end(inside))


def read_span(context: Context, span: Span) -> str:
    """Read a stretch of a document's text from the store; "" if it was removed, or is shared no longer."""
    from pincite.store import document_text, documents

    with context.services.library.database.reading() as connection:
        if not documents.get_many(connection, context.asked.scope.owner, [span.document]):
            return ""
        return document_text.read_text(connection, span.document, span.start, span.end)


async def make_highlight(context: Context, command: HighlightCommand) -> events.Highlight:
    """Make the event of a highlight, with its rectangles; raise `Misuse` when the evidence or place does not exist."""
    if command.evidence:
        evidence = context.ledger.get(command.evidence)
        if evidence is None or (command.sentence and command.sentence > len(evidence.sentences)):
            named = f"{command.evidence}.{command.sentence or ''}".rstrip(".")
            raise Misuse(f"There is no evidence {named}.", reason="command_evidence", params={"evidence": named})
        span = evidence.span
        if command.sentence:
            span = Span(span.document, *evidence.sentences[command.sentence - 1])
        return events.Highlight(
            document=span.document,
            evidence=command.evidence,
            importance=command.importance,
            boxes=await find_boxes(context, span),
        )
    document, width, height = await _find_page_size(context, command.page)
    x0, y0, x1, y1 = command.rect or (0, 0, 0, 0)
    if not (0 <= x0 < x1 <= width + 1 and 0 <= y0 < y1 <= height + 1):
        raise Misuse(
            f"There is no such rectangle on page {command.page}, which has {width:.0f} × {height:.0f} points.",
            reason="command_rectangle",
            params={"page": command.page, "width": round(width), "height": round(height)},
        )
    box = events.Boxes(page=command.page, width=width, height=height, rects=[(x0, y0, x1, y1)])
    return events.Highlight(document=document, importance=command.importance, boxes=[box])


async def make_navigation(context: Context, command: NavigateCommand) -> events.Navigate:
    """Make the event that opens a page; raise `Misuse` when there is no page with this number."""
    document, *_ = await _find_page_size(context, command.page)
    return events.Navigate(document=document, page=command.page)


async def _find_page_size(context: Context, number: int) -> tuple[str, float, float]:
    """Return the document that a bare page number means, and the size of that page."""

    def read_size() -> tuple[str, float, float]:
        from pincite.store import document_text

        with context.services.library.database.reading() as connection:
            document = _find_paged_document(context, connection, number)
            page = document_text.get_page(connection, document, number)
        return document, page.width, page.height

    return await asyncio.to_thread(read_size)


def _find_paged_document(context: Context, connection: "Connection", number: int) -> str:
    """Find the document that a bare page number means: the open one, else the only one with pages.

    The only one is sought among the documents that the question names, else those that were found, else all.
    """
    from pincite.store import documents

    scope = context.asked.scope

    def select_paged(ids: Sequence[str]) -> list[str]:
        return [each.id for each in documents.get_many(connection, scope.owner, ids) if each.pages]

    if context.asked.open_document and (opened := select_paged([context.asked.open_document])):
        return opened[0]
    found = scope.documents or list(dict.fromkeys(each.span.document for each in context.ledger.listed))
    if found:
        paged = select_paged(found)
    else:
        inside = documents.list_ids_in_scope(connection, scope)
        there = documents.find(connection, scope.owner, scope.library_key)
        paged = [each.id for each in there if each.pages and (inside is None or each.id in inside)]
    if len(paged) == 1:
        return paged[0]
    if paged:
        raise Misuse(
            f"Page {number} may be of {len(paged)} documents, and none of them is open.",
            reason="command_document",
            params={"page": number, "count": len(paged)},
        )
    raise Misuse(
        f"Page {number} cannot be opened: no document with pages was found.",
        reason="command_pages",
        params={"page": number},
    )


def _make_boxes(boxes: PageBoxes) -> events.Boxes:
    return events.Boxes(page=boxes.page, width=boxes.width, height=boxes.height, rects=list(boxes.rects))
