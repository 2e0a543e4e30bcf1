"""Encode a document as bytes and decode it again, for the pipe between the child and its parent."""

import json
import struct
from dataclasses import asdict, replace

from pincite.types import Block, Document, Page


def encode_document(document: Document) -> bytes:
    """Return a header in JSON, then the text, then the boxes and positions of every page."""
    packed = [(page.boxes, page.drawn) for page in document.pages]
    bare = tuple(replace(page, boxes=b"", drawn=b"") for page in document.pages)
    head = asdict(replace(document, text="", pages=bare, blocks=()))
    for page, (boxes, drawn) in zip(head["pages"], packed, strict=True):
        page["boxes"], page["drawn"] = len(boxes), len(drawn)
    head["blocks"] = [[block.kind, block.start, block.end, block.level] for block in document.blocks]
    text = document.text.encode("utf-8", "replace")
    head["text"] = len(text)
    header = json.dumps(head).encode()
    return b"".join([struct.pack("<I", len(header)), header, text, *(part for pair in packed for part in pair)])


def decode_document(data: bytes) -> Document:
    """Return the document that `encode_document` encoded; invalid data raises ValueError, KeyError or TypeError."""
    (length,) = struct.unpack_from("<I", data)
    head = json.loads(data[4 : 4 + length])
    at = 4 + length + int(head["text"])
    text = data[4 + length : at].decode("utf-8")
    pages = []
    for page in head["pages"]:
        middle = at + int(page["boxes"])
        end = middle + int(page["drawn"])
        numbers = (
            int(page["number"]),
            int(page["start"]),
            int(page["end"]),
            float(page["width"]),
            float(page["height"]),
        )
        pages.append(Page(*numbers, boxes=data[at:middle], drawn=data[middle:end], label=str(page["label"])))
        at = end
    blocks = [Block(str(kind), int(a), int(b), int(level)) for kind, a, b, level in head["blocks"]]  # type: ignore[arg-type]
    spans = [(page.start, page.end) for page in pages] + [(block.start, block.end) for block in blocks]
    if any(not 0 <= start <= end <= len(text) for start, end in spans):
        raise ValueError("a span lies outside the text")
    return Document(
        kind=head["kind"],
        text=text,
        title=str(head["title"]),
        language=str(head["language"]),
        pages=tuple(pages),
        blocks=tuple(blocks),
        metadata={str(key): str(value) for key, value in head["metadata"].items()},
        problems=tuple(str(problem) for problem in head["problems"]),
    )
