"""What a folder of attribution data holds: sentences with their sources and a person's verdict, and plain texts."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse

_MARKER = re.compile(r"(?:(?<!\s)\s+)?\[\d+\]")
_SHAPE = "Give a folder or a file of .txt, .md, .jsonl (lines with text) or .tsv (premise, hypothesis, label)."
_TEXTS = frozenset((".txt", ".md", ".markdown"))


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, the texts it is laid to, and whether a person says that they bear it out."""

    sentence: str
    sources: tuple[str, ...]
    supported: bool


@dataclass(frozen=True, slots=True)
class Material:
    """Judged claims by the name of their file, and texts to make pairs from."""

    judged: dict[str, list[Claim]]
    texts: list[str]


def read(path: Path) -> Material:
    """Everything usable in a folder, at all levels, or in one file."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    judged: dict[str, list[Claim]] = {}
    texts: list[str] = []
    for file in files:
        if not file.is_file():
            raise Misuse(f"There is no {file}.", _SHAPE)
        if file.suffix in _TEXTS:
            texts.append(file.read_text(encoding="utf-8", errors="replace"))
        elif file.suffix == ".jsonl":
            _read_lines(file, judged, texts)
        elif file.suffix == ".tsv":
            _read_pairs(file, judged, texts)
    if not judged and not texts:
        raise Misuse(f"There is nothing to verify in {path}.", _SHAPE)
    return Material(judged, texts)


def _read_lines(file: Path, judged: dict[str, list[Claim]], texts: list[str]) -> None:
    """Lines of JSON: answers with claims that experts judged, or texts."""
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            raise Misuse(f"{file}, line {number} is not JSON.", _SHAPE) from None
        if not isinstance(entry, dict):
            continue
        if isinstance(entry.get("answers"), dict):
            claims = list(_claims(entry["answers"]))
            judged.setdefault(file.parent.name, []).extend(claims)
            texts.extend(dict.fromkeys(source for claim in claims for source in claim.sources))
        elif isinstance(entry.get("text"), str):
            texts.append(entry["text"])


def _claims(answers: dict[str, Any]) -> Iterator[Claim]:
    """Claims whose sources have text; what experts found not applicable is left out."""
    for answer in answers.values():
        for claim in answer.get("claims", ()):
            # An address stands before each source's text; some have nothing else.
            found = (str(source).partition("\n\n")[2].strip() for source in claim.get("evidence") or ())
            sources = tuple(source for source in found if source)
            if sources and claim.get("support") in ("Complete", "Partial", "Incomplete", "Missing"):
                sentence = _MARKER.sub("", claim["claim_string"]).strip()
                yield Claim(sentence, sources, claim["support"] == "Complete")


def _read_pairs(file: Path, judged: dict[str, list[Claim]], texts: list[str]) -> None:
    """Rows of premise and hypothesis: what does not contradict its premise counts as supported."""
    with file.open(encoding="utf-8", errors="replace", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            label = row.get("label_text") or row.get("label")
            if not row.get("premise") or not row.get("hypothesis") or not label:
                continue
            premise, hypothesis = row["premise"].strip(' "'), row["hypothesis"].strip(' "')
            judged.setdefault(file.parent.name, []).append(Claim(hypothesis, (premise,), label != "contradiction"))
            texts.append(premise)
