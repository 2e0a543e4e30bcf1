"""Mark the labels of a figure: words and numbers in a drawing above its caption, which are not sentences."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.reading.pdf_lines import PageBlock
from pincite.types import NON_CONTENT_KINDS, Block

_CAPTION = re.compile(r"(?:fig(?:ure|\.)?|abb(?:ildung|\.)|schéma|graphique|chart|diagram)\s*\d", re.IGNORECASE)
_ENDED = re.compile(r"[.!?;]['\")\]»”]?\s*$")
_LONGEST = 60  # characters in a line of labels
_WORDS = 6  # of one label, between two gaps
_BLOCKS = 60  # of one figure


def mark_figure_labels(blocks: Sequence[PageBlock], labels: Sequence[Block]) -> list[Block]:
    """Return the labels of a page's blocks, with `figure` for words in a drawing."""
    marked = list(labels)
    for caption, block in enumerate(blocks):
        if labels[caption].kind not in ("paragraph", "heading") or not _CAPTION.match(block.text):
            continue
        for i in range(caption - 1, max(caption - _BLOCKS, 0) - 1, -1):
            if labels[i].kind in NON_CONTENT_KINDS:
                continue
            if labels[i].kind not in ("paragraph", "table") or not _is_label(blocks[i]):
                break
            marked[i] = replace(marked[i], kind="figure")
    return marked


def _is_label(block: PageBlock) -> bool:
    """Return whether every line has only a few words and ends no sentence."""
    pieces = [piece for line in block.lines for piece in line.text.split("\t")]
    short = all(len(piece) <= _LONGEST and len(piece.split()) <= _WORDS for piece in pieces)
    return short and not _ENDED.search(block.lines[-1].text)
