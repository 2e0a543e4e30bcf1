"""Measure locating in a folder of PDFs: preparing a document, finding passages, and loading it from the database.

python benchmarks/locate_speed.py FOLDER [--pages 1000] [--passages 40]

Passages are cut from the documents and located unchanged and changed. Times are CPU milliseconds for locating and for
computing the boxes, with the document prepared. "found" is the share of passages that were found; for absent passages,
it is the share of false finds.
"""

import argparse
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pincite.errors import Unreadable
from pincite.evaluate.machine_info import describe_machine
from pincite.isolation.child_process import IsolatedProcess
from pincite.locate.boxes import find_boxes
from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.locate import locate
from pincite.reading.source import Source
from pincite.settings import load_settings
from pincite.types import Document

SEED = 7
LENGTHS = (60, 200, 600, 1500)
MISREAD = {"e": "c", "o": "0", "i": "l", "l": "1", "a": "o", "n": "u", "m": "rn", "s": "5", "t": "f", "u": "v"}

Change = Callable[[str, random.Random], str]


def spaced(text: str, dice: random.Random) -> str:
    """Return the text with changed spaces, and hyphens inside words."""
    text = re.sub(r"\s+", lambda _: dice.choice((" ", "\n", "  ", " \n")), text)
    return re.sub(r"(?<=\w{4})(?=\w{4})", lambda _: "-\n" if dice.random() < 0.1 else "", text)


def reworded(text: str, dice: random.Random) -> str:
    """Return the text with one word in ten replaced."""
    return re.sub(r"[^\W\d_]{3,}", lambda word: "another" if dice.random() < 0.1 else word.group(), text)


def misread(text: str, dice: random.Random) -> str:
    """Return the text with one letter in twenty misread, as in a poor scan. Digits stay."""
    changed = (MISREAD[c] if c in MISREAD and dice.random() < 0.05 else c for c in text)
    return "".join(changed)


CHANGES: dict[str, Change] = {
    "exact": lambda text, _: text,
    "spaces and hyphens": spaced,
    "1 word in 10 changed": reworded,
    "misread letters": misread,
}


def samples(document: Document, count: int, dice: random.Random) -> Iterator[str]:
    """Yield passages of a document that begin and end at words."""
    for i in range(count):
        length = LENGTHS[i % len(LENGTHS)]
        start = dice.randrange(max(len(document.text) - length, 1))
        piece = document.text[start : start + length]
        cut = piece[piece.find(" ") + 1 : piece.rfind(" ")]
        if sum(map(str.isalpha, cut)) > length / 3:
            yield cut


def read(folder: Path, pages: int) -> list[tuple[str, Document]]:
    """Read whole files in the order of their names until they have this many pages."""
    found, total = [], 0
    with IsolatedProcess(load_settings().reading) as reader:
        for path in sorted(folder.rglob("*.pdf")):
            try:
                document = reader.read(Source(path, path.name, ocr=""))
            except Unreadable as error:
                print(f"without {path.name}: {error.message}")
                continue
            found.append((path.name, document))
            total += len(document.pages)
            if total >= pages:
                break
    return found


def spent(action: Callable[[], object]) -> float:
    """Return the CPU milliseconds of this process."""
    begun = time.process_time()
    action()
    return (time.process_time() - begun) * 1000


def timed(asked: Sequence[tuple[Concordance, str]]) -> str:
    """Return the p50, p95 and maximum of the milliseconds, and the share found, as text."""
    taken, found = [], 0
    for concordance, text in asked:
        begun = time.process_time()
        location = locate(concordance, text)
        find_boxes(concordance.document, location.spans)
        taken.append((time.process_time() - begun) * 1000)
        found += location.found
    p50, p95 = np.percentile(taken, (50, 95)) if taken else (0.0, 0.0)
    share = 100 * found / max(len(asked), 1)
    return f"{len(asked):>9} {p50:>8.2f} {p95:>8.2f} {max(taken, default=0):>8.1f} {share:>7.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=1000, help="about how many pages to read")
    parser.add_argument("--passages", type=int, default=40, help="passages cut from each document")
    given = parser.parse_args()
    dice = random.Random(SEED)
    print(f"locate: {describe_machine()}\n", flush=True)
    documents = [each for each in read(given.folder, given.pages) if each[1].text.strip()]
    if not documents:
        raise SystemExit("No PDF in this folder has text.")
    pages = sum(len(document.pages) for _, document in documents)
    ready: list[Concordance] = []
    building = spent(lambda: ready.extend(build_concordance(document) for _, document in documents))
    stored = [concordance.to_bytes() for concordance in ready]
    size = sum(map(len, stored)) / pages / 1000
    print(f"ready: {len(ready)} documents, {pages:,} pages: {building / pages:.2f} CPU ms and {size:.1f} kB a page\n")

    cuts = [list(samples(concordance.document, given.passages, dice)) for concordance in ready]
    print(f"{'CPU ms':<24} {'passages':>9} {'p50':>8} {'p95':>8} {'max':>8} {'found':>9}")
    for name, change in CHANGES.items():
        asked = [(one, change(text, dice)) for one, own in zip(ready, cuts, strict=True) for text in own]
        print(f"{name:<24} {timed(asked)}", flush=True)
    # Passages are located in another document far down the list, where nearly all of them are absent.
    half = len(ready) // 2
    others = [*ready[half:], *ready[:half]]
    absent = [(one, text) for one, own in zip(others, cuts, strict=True) for text in own] if len(ready) > 1 else []
    print(f"{'of another document':<24} {timed(absent)}")

    largest = max(range(len(ready)), key=lambda i: len(ready[i].document.pages))
    document, data, text = ready[largest].document, stored[largest], (cuts[largest] or [""])[0]
    loaded: list[Concordance] = []
    loading = spent(lambda: loaded.extend(filter(None, [Concordance.from_bytes(data, document)])))
    first = spent(lambda: locate(loaded[0], text))
    name = f"{len(document.pages)} pages, {len(data) / 1e6:.1f} MB"
    print(f"\ncold, the largest ({name}): {loading:.1f} CPU ms to load, {first:.1f} for the first passage")


if __name__ == "__main__":
    main()
