"""Read attribution data: sentences with their sources and a human verdict, and plain texts."""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.text.citation_marks import strip_marks

_SHAPE = "Give a folder or a file of .txt, .md, .jsonl (lines with text) or .tsv (premise, hypothesis, label)."
_TEXTS = frozenset((".txt", ".md", ".markdown"))


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A sentence, its sources, and whether a person finds it supported by them."""

    sentence: str
    sources: tuple[str, ...]
    supported: bool


@dataclass(frozen=True, slots=True)
class Material:
    """Judged claims by the name of their file, and texts to generate sentences from."""

    judged: dict[str, list[JudgedClaim]]
    texts: list[str]


def read_material(path: Path) -> Material:
    """Read all usable files of a folder, at all levels, or one file."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    judged: dict[str, list[JudgedClaim]] = {}
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


def _read_lines(file: Path, judged: dict[str, list[JudgedClaim]], texts: list[str]) -> None:
    """Read lines of JSON: answers with claims that experts judged, or texts."""
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
            claims = list(_list_claims(entry["answers"]))
            judged.setdefault(file.parent.name, []).extend(claims)
            texts.extend(dict.fromkeys(source for claim in claims for source in claim.sources))
        elif isinstance(entry.get("text"), str):
            texts.append(entry["text"])


def _list_claims(answers: dict[str, Any]) -> Iterator[JudgedClaim]:
    """Yield the claims whose sources have text, without those that experts found not applicable."""
    for answer in answers.values():
        for claim in answer.get("claims", ()):
            # An address comes before each source's text; some sources have only the address.
            found = (str(source).partition("\n\n")[2].strip() for source in claim.get("evidence") or ())
            sources = tuple(source for source in found if source)
            if sources and claim.get("support") in ("Complete", "Partial", "Incomplete", "Missing"):
                sentence = strip_marks(claim["claim_string"]).strip()
                yield JudgedClaim(sentence, sources, claim["support"] == "Complete")


def _read_pairs(file: Path, judged: dict[str, list[JudgedClaim]], texts: list[str]) -> None:
    """Read rows of premise and hypothesis; a hypothesis that does not contradict its premise counts as supported."""
    with file.open(encoding="utf-8", errors="replace", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            label = row.get("label_text") or row.get("label")
            if not row.get("premise") or not row.get("hypothesis") or not label:
                continue
            premise, hypothesis = row["premise"].strip(' "'), row["hypothesis"].strip(' "')
            judged.setdefault(file.parent.name, []).append(
                JudgedClaim(hypothesis, (premise,), label != "contradiction")
            )
            texts.append(premise)
