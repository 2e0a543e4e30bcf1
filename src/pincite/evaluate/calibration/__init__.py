"""Load the calibration set: our own sentences about invented documents, each labelled by a careful reader.

`documents` contains the texts, `claims.jsonl` the sentences. Half of them are true. The claims are presented to a judge
by the same code as the sentences of an answer.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pincite.proof.facts import check_facts
from pincite.proof.judge import Claim
from pincite.proof.tables import find_tables
from pincite.proof.verdict import make_quotations, make_sources
from pincite.reading import markdown
from pincite.reading.source import Source
from pincite.text.sentences import split_sentences
from pincite.types import Evidence, Pin, Span

Label = Literal["supported", "partial", "contradicted", "unsupported", "silent"]

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class CalibrationSentence:
    """A sentence of the set: the claim for the judge, and the reader's label. `kind` is the kind of its error."""

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
    """All sentences of the set, and a hash of its content."""

    sentences: tuple[CalibrationSentence, ...]
    version: str


@cache
def load_set() -> CalibrationSet:
    """Load the set that is part of the program."""
    evidence = {path.stem: _read_document(path) for path in sorted((FOLDER / "documents").glob("*.md"))}
    entries = [json.loads(line) for line in (FOLDER / "claims.jsonl").read_text(encoding="utf-8").splitlines()]
    # In the file, the true sentences of a document come first. A judge must not see that order.
    entries.sort(key=lambda entry: (entry["document"], _hash(entry["id"])))
    return CalibrationSet(
        tuple(
            CalibrationSentence(
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
    """Return the hash of the set's content, without loading the set."""
    files = [FOLDER / "claims.jsonl", *sorted((FOLDER / "documents").glob("*.md"))]
    return _hash(*(file.read_text(encoding="utf-8") for file in files))[:12]


def _read_document(path: Path) -> Evidence:
    """Read a document as one piece of evidence, as an answer would cite it."""
    read = markdown.read(Source(path, path.name))
    heading = next(block for block in read.blocks if block.kind == "heading")
    return Evidence(
        number=1,
        span=Span(path.stem, 0, len(read.text)),
        title=read.text[heading.start : heading.end],
        kind="markdown",
        text=read.text,
        sentences=tuple(split_sentences(read.text)),
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
