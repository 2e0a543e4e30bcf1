"""Write a card as text for a model, each sentence with its own mark, such as `[2.3]`."""

import re
from collections.abc import Sequence

from pincite.answer.passage_cards import Card, write_pieces
from pincite.text.citation_marks import Cited
from pincite.types import Evidence

_RULE = re.compile(r"[| -]+")  # below the heads of a table


def write_marked(card: Card, evidence: Sequence[Evidence]) -> str:
    """Return a card as text, each piece with the mark of its sentence; code has none, and its lead has one."""
    written: list[str] = []
    for before, text, end, is_cited, piece in write_pieces(card):
        if _RULE.fullmatch(text):
            continue
        cited = find_cited(card.span.document, piece.start, evidence) if is_cited and piece else None
        written.append(f"{before}{text}{f' [{cited[0]}.{cited[1]}]' if cited else ''}{end}")
    return "".join(written)


def find_cited(document: str, start: int, evidence: Sequence[Evidence]) -> Cited | None:
    """Return the numbers of the first evidence that has a place of a document, and of its sentence there."""
    for source in evidence:
        if source.span.document == document:
            for number, (first, last) in enumerate(source.sentences, 1):
                if first <= start < last:
                    return source.number, number
    return None
