"""Measure how well code finds the source of a sentence that cites none; print a table.

    python benchmarks/found_sources.py FOLDER        # expertqa: answers with claims, each with the sources it cites

The marks are taken off each claim, and its source is looked for among all sources of its answer. It is right if it is
one that the claim cited. The claims are divided in two halves by a hash of their question, for two looks."""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.evaluate.machine_info import describe_machine
from pincite.proof.source_finder import SourceFinder
from pincite.text.citation_marks import strip_marks
from pincite.text.sentences import split_sentences
from pincite.types import Evidence, Span

_LONGEST = 6_000  # characters of a source


@dataclass(frozen=True, slots=True)
class UncitedClaim:
    """A claim without its marks, the sources of its answer, and the numbers of those that it cited."""

    sentence: str
    sources: tuple[Evidence, ...]
    cited: frozenset[int]


def list_claims(answer: dict[str, Any]) -> Iterator[UncitedClaim]:
    """Yield the claims of an answer that cite a source with text."""
    found = [(claim, [_read_text(each) for each in claim.get("evidence") or ()]) for claim in answer.get("claims", ())]
    numbers = {text: n for n, text in enumerate(dict.fromkeys(t for _, own in found for t in own if t), 1)}
    sources = tuple(_make_evidence(n, text) for text, n in numbers.items())
    for claim, own in found:
        if cited := frozenset(numbers[text] for text in own if text):
            yield UncitedClaim(strip_marks(claim["claim_string"]).strip(), sources, cited)


def _read_text(source: object) -> str:
    return str(source).partition("\n\n")[2].strip()[:_LONGEST]


def _make_evidence(number: int, text: str) -> Evidence:
    span = Span(f"source {number}", 0, len(text))
    return Evidence(number, span, "", "text", text, sentences=tuple(split_sentences(text)))


def main(folder: Path) -> None:
    halves: tuple[list[UncitedClaim], list[UncitedClaim]] = ([], [])
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            half = halves[hashlib.md5(entry["question"].encode(), usedforsecurity=False).digest()[-1] % 2]
            half.extend(claim for answer in entry["answers"].values() for claim in list_claims(answer))
    print(describe_machine())
    print("| half | claims | sources of an answer | found | right, of those found |\n|---|---|---|---|---|")
    for name, claims in zip(("first", "second"), halves, strict=True):
        found = [(claim, pin) for claim in claims if (pin := SourceFinder().find(claim.sentence, claim.sources))]
        right = sum(pin.evidence in claim.cited for claim, pin in found)
        pool = sum(len(claim.sources) for claim in claims) / len(claims)
        print(f"| {name} | {len(claims)} | {pool:.1f} | {len(found) / len(claims):.3f} | {right / len(found):.3f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
