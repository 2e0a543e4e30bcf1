"""Read a folder of labelled sentences: each with its cited words, and whether a reader finds it supported.

Lines of JSON (`*.jsonl`), or one list (`*.json`), of `{"id", "document", "page", "question", "claim", "cited",
"context", "label", "kind"}`. `document` is a file, relative to the folder or to one above it; then the cited words are
located in it, and tables have their heads. Without a file the `context` is used, and without that only the cited words.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pincite.errors import Misuse

_SHAPE = 'Give a folder with .jsonl files of lines like {"claim": …, "cited": […], "label": "supported", "kind": …}.'
_CLAIM = ("claim", "sentence", "text", "hypothesis")
_CITED = ("cited", "citations", "quote", "quotes", "evidence", "source", "sources", "premise")
_CONTEXT = ("context", "passage", "surroundings", "around")
_LABEL = ("label", "supported", "gold", "verdict", "support")
_KIND = ("kind", "type", "category", "error")
_DOCUMENT = ("document", "doc", "file", "path", "doc_name")
_TRUE = frozenset(
    {
        "supported",
        "true",
        "yes",
        "1",
        "verified",
        "complete",
        "entailed",
        "entailment",
        "oui",
        "vrai",
        "correct",
        "faithful",
    }
)
_SUFFIXES = (".pdf", ".md", ".txt", ".html", ".docx")
_SILENT = "silent"  # the label of a sentence that says the sources do not answer, which is not a claim


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence, its cited words, the text around them, and whether a reader finds it supported."""

    id: str
    claim: str
    cited: tuple[str, ...]
    context: str
    is_supported: bool
    kind: str
    document: Path | None = None
    where: str = ""
    page: int = 0  # from 1; used if no words are cited


def read_labelled(path: Path) -> list[LabelledSentence]:
    """Read the labelled sentences of a folder or a file."""
    files = sorted((*path.rglob("*.jsonl"), *path.glob("*.json"))) if path.is_dir() else [path]
    found = [each for file in files if file.is_file() for each in _read_file(file, path)]
    if not found:
        raise Misuse(f"There are no labelled sentences in {path}.", _SHAPE)
    return found


def _read_file(file: Path, root: Path) -> Iterator[LabelledSentence]:
    for number, entry in enumerate(_read_entries(file), 1):
        claim, label = _pick(entry, _CLAIM), _pick(entry, _LABEL)
        if not isinstance(claim, str) or label is None or label == _SILENT:
            continue
        listed = _pick(entry, _CITED)
        first = listed[0] if isinstance(listed, list) and listed else listed
        named = str(_pick(entry, _DOCUMENT) or (_pick(first, _DOCUMENT) if isinstance(first, dict) else "") or "")
        page = entry.get("page")
        yield LabelledSentence(
            id=str(entry.get("id", f"{file.stem}-{number}")),
            claim=claim,
            cited=tuple(_list_texts(_pick(entry, _CITED))),
            context="\n".join(_list_texts(_pick(entry, _CONTEXT))),
            is_supported=str(label).strip().casefold() in _TRUE,
            kind=str(_pick(entry, _KIND) or "other"),
            document=_find_file(named, root),
            where=named,
            page=page if isinstance(page, int) else 0,
        )


def _read_entries(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file: lines of JSON, or one list."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        try:
            given = json.loads(text)
        except ValueError:
            raise Misuse(f"{file.name} is not JSON.", _SHAPE) from None
        listed = (
            next((each for each in given.values() if isinstance(each, list)), []) if isinstance(given, dict) else given
        )
        yield from (entry for entry in listed if isinstance(entry, dict))
        return
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entry = json.loads(line) if line.strip() else None
        except ValueError:
            raise Misuse(f"{file.name}, line {number} is not JSON.", _SHAPE) from None
        if isinstance(entry, dict):
            yield entry


def _pick(entry: dict[str, Any], names: Sequence[str]) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)


def _list_texts(given: Any) -> Iterator[str]:
    """Yield the texts in a value of any usual shape: a string, a list, objects with a text or quote."""
    match given:
        case str():
            if given.strip():
                yield given
        case list():
            for each in given:
                yield from _list_texts(each)
        case dict():
            yield from _list_texts(_pick(given, ("text", "quote", "words", "evidence_text", "content")))


def _find_file(named: str, root: Path) -> Path | None:
    """Return the file of this name in the folder of the set or in one above it; a name with a # has none."""
    name = named.partition("#")[0]
    if not name or "#" in named:
        return None
    start = root if root.is_dir() else root.parent
    for folder in (start, *start.resolve().parents[:3]):
        for there in (folder / name, folder / "documents" / name, folder / "docs" / name, folder / "pdfs" / name):
            for file in (there, *(there.with_name(there.name + suffix) for suffix in _SUFFIXES)):
                if file.is_file():
                    return file
    return _list_files(start.resolve().parent).get(Path(name).name)


@cache
def _list_files(folder: Path) -> dict[str, Path]:
    """Return the files below a folder by name, for a set that names a document without its folder."""
    return {file.name: file for file in sorted(folder.rglob("*")) if file.suffix in _SUFFIXES and file.is_file()}
