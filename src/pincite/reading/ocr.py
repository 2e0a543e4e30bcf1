"""Recognise the words in pictures, with their boxes, by the `tesseract` command if it is installed."""

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image

from pincite.errors import TimedOut, Unreadable
from pincite.reading.packed_boxes import Boxes
from pincite.types import Block

SECONDS = 50  # less than reading.page_seconds, so that a slower page is reported
SCREEN = 2_500_000  # pixels; a smaller picture, such as a screenshot, is enlarged for better recognition
MISSING = "install tesseract-ocr with the languages you need (for example tesseract-ocr-fra)"


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A recognised word with its box in pixels of the picture; `line` is (block, paragraph, line)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    line: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class OcrText:
    """Recognised words as text, a box in points for each of its characters, and its paragraphs."""

    text: str
    boxes: Boxes
    blocks: tuple[Block, ...]


def is_available(languages: str) -> bool:
    """Return whether text in at least one of the languages ("eng+fra") can be recognised here; "" never can."""
    return bool(_select_languages(languages))


def recognise_words(image: Image.Image, languages: str, dpi: float = 0.0) -> list[OcrWord]:
    """Return the words in a picture, in reading order; `dpi` is 0 if unknown."""
    usable = _select_languages(languages)
    if not usable:
        return []
    factor = _choose_enlargement(image, dpi)
    size = (image.width * factor, image.height * factor)
    picture = image if factor == 1 else image.resize(size, Image.Resampling.LANCZOS)
    data = io.BytesIO()
    picture.convert("RGB" if picture.mode not in ("1", "L") else picture.mode).save(data, "PNG", compress_level=1)
    command = [
        "tesseract",
        "stdin",
        "stdout",
        "-l",
        usable,
        "--psm",
        "3",
        "--dpi",
        str(round((dpi or 96) * factor)),
        "tsv",
    ]
    try:
        done = subprocess.run(
            command,
            input=data.getvalue(),
            capture_output=True,
            timeout=SECONDS,
            env=os.environ | {"OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired:
        raise TimedOut(
            f"Recognising its text took over {SECONDS} seconds.", "Add a smaller or cleaner picture."
        ) from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason given"]
        raise Unreadable(f"Tesseract cannot read this picture: {reason[0]}", "Save it again as PNG.")
    return _parse_words(done.stdout.decode("utf-8", "replace"), factor)


def make_ocr_text(found: Sequence[OcrWord], scale: float = 1.0) -> OcrText:
    """Convert words to text, with a blank line between paragraphs; boxes are pixels times scale."""
    parts: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    blocks: list[Block] = []
    nowhere = (np.nan,) * 4
    length = start = 0
    before: tuple[int, int, int] | None = None
    for word in found:
        gap = "" if before is None else " " if word.line == before else "\n" if word.line[:2] == before[:2] else "\n\n"
        if gap == "\n\n":
            blocks.append(Block("paragraph", start, length))
            start = length + 2
        parts += [gap, word.text]
        length += len(gap) + len(word.text)
        boxes += [nowhere] * len(gap)
        width = (word.x1 - word.x0) / len(word.text)
        boxes += [
            (word.x0 + place * width, word.y0, word.x0 + (place + 1) * width, word.y1)
            for place in range(len(word.text))
        ]
        before = word.line
    if length:
        blocks.append(Block("paragraph", start, length))
    array = np.array(boxes, dtype=np.float32).reshape(-1, 4) * np.float32(scale)
    return OcrText("".join(parts), array, tuple(blocks))


def _select_languages(languages: str) -> str:
    return "+".join(each for each in languages.split("+") if each in _list_installed())


@cache
def _list_installed() -> frozenset[str]:
    if not shutil.which("tesseract"):
        return frozenset()
    try:
        done = subprocess.run(["tesseract", "--list-langs"], capture_output=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(done.stdout.decode("utf-8", "replace").split("\n")[1:]) - {"osd", ""}


def _choose_enlargement(image: Image.Image, dpi: float) -> int:
    return 2 if dpi < 100 and image.width * image.height < SCREEN else 1


def _parse_words(table: str, factor: int) -> list[OcrWord]:
    found = []
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = "".join((row["text"] or "").split())
        if row["level"] != "5" or not text or float(row["conf"]) < 0:
            continue
        left, top, width, height = (int(row[name]) / factor for name in ("left", "top", "width", "height"))
        line = (int(row["block_num"]), int(row["par_num"]), int(row["line_num"]))
        found.append(OcrWord(text, left, top, left + width, top + height, line))
    return found
