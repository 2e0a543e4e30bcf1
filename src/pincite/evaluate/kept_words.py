"""Measure which share of a file's visible words our text contains, by format."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from pincite.errors import Misuse, PinciteError
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.raw_words import TEXTS, Words, count_words, read_article_text, read_raw_text
from pincite.reading import Source, read

_PAGES = (".html", ".htm", ".xhtml")
# Errors of the libraries for a broken file: zip archives, XML, pdfium, JSON.
_BROKEN = (OSError, ValueError, LookupError, RuntimeError, SyntaxError, AttributeError, BadZipFile)
_WORST = 5  # files listed in the table


@dataclass(frozen=True, slots=True)
class WordCoverage:
    """The number of words in a file, how many of them our text contains, and the error if it could not be read."""

    file: str
    format: str
    words: int
    kept: int
    article_words: int
    article_kept: int
    problems: tuple[str, ...] = ()
    error: str = ""

    @property
    def share(self) -> float:
        return self.kept / self.words if self.words else 1.0


def evaluate(folder: Path, say: ReportStatus) -> dict[str, Any]:
    """Measure every file of a folder and its subfolders; each occurrence of a word counts."""
    if not folder.is_dir():
        raise Misuse(f"There is no folder {folder}.", "Give a folder with documents in it.")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not _is_hidden(path, folder)]
    measured = [path for path in files if path.suffix.lower() in TEXTS]
    if not measured:
        raise Misuse(
            f"There are no documents to measure in {folder}.", f"Formats that are measured: {' '.join(sorted(TEXTS))}."
        )
    found: list[WordCoverage] = []
    for number, path in enumerate(measured, 1):
        say(f"{number}/{len(measured)} {path.name}")
        found.append(measure_file(path, str(path.relative_to(folder))))
    formats = sorted({one.format for one in found})
    groups = {name: _sum_files([one for one in found if one.format == name]) for name in formats}
    return {
        "set": folder.name,
        "files": len(found),
        "about": f"{folder.name}: {len(found)} files; {describe_machine()}",
        "formats": groups | {"all": _sum_files(found)},
        "worst": [asdict(one) | {"share": round(one.share, 4)} for one in sorted(found, key=lambda one: one.share)][
            :_WORST
        ],
        "documents": [asdict(one) | {"share": round(one.share, 4)} for one in found],
        "not_measured": [str(path.relative_to(folder)) for path in files if path not in set(measured)],
    }


def measure_file(path: Path, name: str) -> WordCoverage:
    """Compare the words of one file with those of our text; an unreadable file counts as none."""
    kind = path.suffix.lower().removeprefix(".")
    try:
        raw = count_words(read_raw_text(path))
        article = count_words(read_article_text(path)) if path.suffix.lower() in _PAGES else raw
    except _BROKEN as error:
        return WordCoverage(name, kind, 0, 0, 0, 0, error=f"The words of the file cannot be counted: {error}")
    try:
        document = read(Source(path, path.name))
    except PinciteError as error:
        return WordCoverage(name, kind, raw.total(), 0, article.total(), 0, error=str(error))
    ours = count_words(document.text)
    return WordCoverage(
        name,
        kind,
        raw.total(),
        _count_shared(raw, ours),
        article.total(),
        _count_shared(article, ours),
        document.problems,
    )


def _count_shared(wanted: Words, ours: Words) -> int:
    return (wanted & ours).total()


def _sum_files(files: Sequence[WordCoverage]) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for one in files:
        sums.update(words=one.words, kept=one.kept, article_words=one.article_words, article_kept=one.article_kept)
    return {
        "files": len(files),
        "words": sums["words"],
        "share": _compute_share(sums["kept"], sums["words"]),
        "article_words": sums["article_words"],
        "article_share": _compute_share(sums["article_kept"], sums["article_words"]),
        "lowest": round(min(one.share for one in files), 4),
        "problems": sum(bool(one.problems) for one in files),
        "failed": sum(bool(one.error) for one in files),
    }


def _compute_share(kept: int, words: int) -> float:
    return round(kept / words, 4) if words else 1.0


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
