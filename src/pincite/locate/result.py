"""Describe a location as JSON, for every interface: matches page by page, metrics, and blocks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.locate.boxes import list_touched_pages
from pincite.locate.location import LocatedBlock, Location
from pincite.types import Document, PageBoxes

MATCHED = 0.75  # the score from which a block counts as matched


@dataclass(frozen=True, slots=True)
class LocationMetrics:
    """Measures of how well a passage's blocks were found; all shares are from 0 to 1."""

    block_match_rate: float
    average_score: float
    coverage: float
    matched: int
    total: int


def compute_metrics(location: Location) -> LocationMetrics:
    """Return how many blocks matched, how alike they are, and the share of the passage's letters in them."""
    blocks = location.blocks
    matched = [block for block in blocks if block.score >= MATCHED]
    letters = sum(_count_letters(block.text) for block in blocks)
    covered = sum(_count_letters(block.text) * block.score for block in matched)
    return LocationMetrics(
        block_match_rate=len(matched) / len(blocks) if blocks else 0.0,
        average_score=sum(block.score for block in blocks) / len(blocks) if blocks else 0.0,
        coverage=covered / letters if letters else 0.0,
        matched=len(matched),
        total=len(blocks),
    )


def describe_location(
    document: Document, location: Location, page_boxes: Sequence[PageBoxes], diagnosis: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a location, ready for JSON. A passage that was not found has no matches and matches nothing.

    The most similar place, which must never be highlighted, stands in `nearest`.
    """
    blocks = location.blocks
    counted = compute_metrics(location) if location.found else LocationMetrics(0.0, 0.0, 0.0, 0, len(blocks))
    if not location.found:
        blocks = tuple(replace(block, spans=(), score=0.0) for block in blocks)
    return {
        "found": location.found,
        "how": location.how,
        "matches": _describe_matches(document, location, {each.page: each for each in page_boxes}),
        "metrics": {
            "block_match_rate": round(counted.block_match_rate, 4),
            "average_score": round(counted.average_score, 4),
            "coverage": round(counted.coverage, 4),
            "matched": counted.matched,
            "total": counted.total,
        },
        "blocks": [_describe_block(block) for block in blocks],
        "nearest": {
            "pages": [page.number for page in list_touched_pages(document.pages, location.nearest)],
            "spans": [list(span) for span in location.nearest],
            "score": round(location.score, 4),
        }
        if location.nearest
        else None,
        "diagnosis": list(diagnosis),
    }


def _describe_matches(document: Document, location: Location, boxes: dict[int, PageBoxes]) -> list[dict[str, Any]]:
    if not location.found:
        return []
    score = round(location.score, 4)
    if not document.pages:
        spans = [list(span) for span in location.spans]
        return [{"page": None, "boxes": [], "width": None, "height": None, "score": score, "spans": spans}]
    found = []
    for page in list_touched_pages(document.pages, location.spans):
        placed = boxes.get(page.number)
        found.append(
            {
                "page": page.number,
                "boxes": [list(rect) for rect in placed.rects] if placed else [],
                "width": page.width or None,
                "height": page.height or None,
                "score": score,
                "spans": _clip_spans(location.spans, page.start, page.end),
            }
        )
    return found


def _clip_spans(spans: Sequence[tuple[int, int]], start: int, end: int) -> list[list[int]]:
    """Return the parts of the spans between two offsets."""
    cut = ((max(a, start), min(b, end)) for a, b in spans)
    return [[a, b] for a, b in cut if a < b]


def _describe_block(block: LocatedBlock) -> dict[str, Any]:
    return {"text": block.text, "score": round(block.score, 4), "spans": [list(span) for span in block.spans]}


def _count_letters(text: str) -> int:
    return sum(character.isalnum() for character in text)
