"""The calibration set: sentences of our own writing over invented documents, each with the label of a careful reader.

`documents` holds the texts, `claims.jsonl` the sentences. Half of them are true. The claims are laid out for a judge by
the code that lays out the sentences of an answer.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pincite.evidence.sentences import sentences
from pincite.proof.facts import check_facts
from pincite.proof.judge import Claim
from pincite.proof.tables import find_tables
from pincite.proof.verdict import make_quotations, make_sources
from pincite.reading import markdown
from pincite.reading.source import Source
from pincite.types import Evidence, Pin, Span

Label = Literal["supported", "partial", "contradicted", "unsupported", "silent"]

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence of the set: the claim as a judge reads it, and the reader's label. `kind` is the kind of its error."""

    id: str
    language: str
    kind: str
    label: Label
    claim: Claim

    @property
    def is_true(self) -> bool:
        """Whether a reader may rely on the sentence."""
        return self.label in ("supported", "silent")


@dataclass(frozen=True, slots=True)
class CalibrationSet:
    """All sentences of the set, and a name for its content, which changes when any of it does."""

    sentences: tuple[Labelled, ...]
    version: str


@cache
def load_set() -> CalibrationSet:
    """The set that is part of the program."""
    evidence = {path.stem: _read_document(path) for path in sorted((FOLDER / "documents").glob("*.md"))}
    entries = [json.loads(line) for line in (FOLDER / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    # Within a document the true sentences stand first in the file. A judge must not learn that.
    entries.sort(key=lambda entry: (entry["document"], _hash(entry["id"])))
    return CalibrationSet(
        tuple(
            Labelled(
                id=entry["id"],
                language=entry["language"],
                kind=entry["kind"],
                label=entry["label"],
                claim=_make_claim(entry, evidence[entry["document"]]),
            )
            for entry in entries
        ),
        read_version(),
    )


@cache
def read_version() -> str:
    """The name of the set's content, without reading the set."""
    files = [FOLDER / "claims.jsonl", *sorted((FOLDER / "documents").glob("*.md"))]
    return _hash(*(file.read_text(encoding="utf-8") for file in files))[:12]


def _read_document(path: Path) -> Evidence:
    """A document as one evidence, as an answer would cite it."""
    read = markdown.read(Source(path, path.name))
    heading = next(block for block in read.blocks if block.kind == "heading")
    return Evidence(
        number=1,
        span=Span(path.stem, 0, len(read.text)),
        title=read.text[heading.start : heading.end],
        kind="markdown",
        text=read.text,
        sentences=tuple(sentences(read.text)),
        tables=find_tables(read.text, read.blocks, 0, len(read.text)),
        name=path.name,
    )


def _make_claim(entry: dict[str, Any], evidence: Evidence) -> Claim:
    pins = [_find_words(words, evidence) for words in entry["cited"]]
    numbered = {evidence.number: evidence}
    facts = check_facts(entry["claim"], make_sources(pins, numbered))
    return Claim(entry["claim"], make_quotations(pins, numbered), computed=facts.computed)


def _find_words(words: str, evidence: Evidence) -> Pin:
    start = evidence.text.index(words)
    return Pin(evidence.number, Span(evidence.span.document, start, start + len(words)))


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
