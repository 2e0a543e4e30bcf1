"""PDF to Document: pdfium's characters with their boxes on the page as displayed, put into reading order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.errors import Encrypted, Unreadable
from pincite.reading.boxes import Boxes, pack, pack_places
from pincite.reading.draft import add_hidden
from pincite.reading.flow import join_columns
from pincite.reading.glyphs import Glyphs, glyphs
from pincite.reading.grid import align_cells
from pincite.reading.layout import NEWLINE, Line, Region, arrange
from pincite.reading.limits import tell_pages
from pincite.reading.lines import PageBlock, PageText, TextLine
from pincite.reading.page_labels import add_labels, read_labels
from pincite.reading.source import Source
from pincite.reading.structure import group, label, resolve_hyphens, shift
from pincite.types import Block, Document, Page

_LARGEST_IN_MEMORY = 64_000_000  # bytes of a file
_OCR_DPI = 200
_MOST_PROBLEMS = 100  # that are told one by one
_NAMED = 10  # pages that a problem names
_FEW = 100  # characters: a page with fewer that is covered by a picture is a scan
_SYNTHETIC = np.array([ord("\n"), ord("\t"), ord(" ")], dtype=np.uint32)  # at NEWLINE, TAB, SPACE: the last three


def read(source: Source) -> Document:
    """A PDF's text, pages and structure; a page that cannot be read is left empty and named in `problems`."""
    file = open_pdf(source)
    try:
        pages, problems = _pages(file, source)
        outline = _outline(file)
        metadata = _metadata(file)
        labels = read_labels(file, len(pages))
    finally:
        file.close()
    return add_labels(_assemble(pages, outline, metadata, problems), labels)


def open_pdf(source: Source) -> Any:
    """The file as pdfium has it, to be closed by whoever asked."""
    try:
        # A path such as /proc/self/fd/3 cannot be resolved, which pypdfium2 does with paths.
        is_small = source.path.stat().st_size <= _LARGEST_IN_MEMORY
        given = source.path.read_bytes() if is_small else source.path
        file = pdfium.PdfDocument(given, password=source.password)
        if len(file) == 0:
            raise Unreadable("This PDF has no pages.", "Open it in a PDF viewer and save it again.")
        return file
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            wrong = "The password is not right." if source.password else "This PDF is protected by a password."
            raise Encrypted(wrong, "Give it with --password, or save a copy without one.") from None
        raise Unreadable(
            "This PDF is damaged or is not a PDF.",
            "Open it in a PDF viewer and save it again, then add that file.",
        ) from None


def _pages(file: Any, source: Source) -> tuple[list[PageText], list[str]]:
    pages: list[PageText] = []
    problems: list[str] = []
    count = min(len(file), source.limits.pages)
    characters = left_out = 0
    for number in range(1, count + 1):
        source.progress(number, count)
        if number in source.skip:
            problems.append(f"Page {number} could not be read and was skipped.")
            pages.append(PageText(number, 612.0, 792.0, "", b"", ()))
            continue
        try:
            page, problem = _page(file, number, source)
        except (
            Unreadable,
            pdfium.PdfiumError,
            ValueError,
            LookupError,
            ArithmeticError,
            OSError,
            MemoryError,
        ) as error:
            reason = str(error).rstrip(".") or type(error).__name__
            problem = f"Page {number} could not be read and was skipped ({reason})."
            page = PageText(number, 612.0, 792.0, "", b"", ())
        pages.append(page)
        if problem and len(problems) < _MOST_PROBLEMS:
            problems.append(problem)
        elif problem:
            left_out += 1
        characters += len(page.text)
        if characters > source.limits.characters:
            break  # the rest is cut, and told, where the limits are enforced
    if left_out:
        problems.append(f"{left_out:,} more pages have no text that could be read.")
    if len(file) > count == len(pages):
        problems.append(tell_pages(count, len(file)))
    return pages, problems + _tell_hidden(pages)


def _tell_hidden(pages: list[PageText]) -> list[str]:
    found = [page.number for page in pages if page.hidden]
    if not found:
        return []
    named = ", ".join(map(str, found[:_NAMED])) + (" …" if len(found) > _NAMED else "")
    pages_have = "Page" if len(found) == 1 else "Pages"
    return [f"{pages_have} {named}: text that cannot be seen there is kept apart and is not searched."]


def _page(file: Any, number: int, source: Source) -> tuple[PageText, str]:
    page = file[number - 1]
    text_page = None
    try:
        text_page = page.get_textpage()
        found = glyphs(page, text_page)
        written = _lay_out(number, found) if found.visible.any() else PageText(number, *found.size, "", b"", ())
        written = replace(written, hidden=_read_hidden(found))
        few = int(found.visible.sum())
        if few < _FEW and _has_picture(page, found.size, share=0.5 if few else 0.02):
            return _scanned(page, written, source)
        return written, ""
    finally:
        if text_page is not None:
            text_page.close()
        page.close()


def _lay_out(number: int, found: Glyphs) -> PageText:
    """A page's characters in reading order, with line ends, cell gaps and spaces where they belong."""
    codes = np.append(found.codes, _SYNTHETIC)
    orders: list[NDArray[np.intp]] = []
    blocks: list[PageBlock] = []
    length = 0
    for region in arrange(found.codes, found.boxes, found.visible, found.size):
        lines = [_text_line(line, codes, found, region.turned) for line in region.lines]
        for block in _write(region, group(lines), orders, length, codes, found.boxes):
            blocks.append(block)
            length = block.end
    order = np.concatenate(orders)
    missing = order < 0
    placed = np.where(missing[:, None], np.float32(np.nan), found.boxes[np.where(missing, 0, order)])
    text = codes[order].tobytes().decode("utf-32-le")
    drawn = pack_places(np.where(missing, -1, order).astype(np.int32))
    return PageText(number, *found.size, text, pack(placed), tuple(blocks), drawn)


def _read_hidden(found: Glyphs) -> str:
    """Return the words that cannot be seen, in the file's order."""
    places = np.flatnonzero(found.hidden)
    # Where the file has other characters between two of them, blanks or words that can be seen, a space is enough.
    codes = np.insert(found.codes[places], np.flatnonzero(np.diff(places) > 1) + 1, np.uint32(ord(" ")))
    return codes.tobytes().decode("utf-32-le")


def _text_line(line: Line, codes: NDArray[np.uint32], found: Glyphs, turned: bool) -> TextLine:
    """A line with its text and type; where it begins in the page's text is known only once it is written."""
    text = codes[line.order].tobytes().decode("utf-32-le")
    shown = line.order[line.order >= 0]
    sample = found.boxes[shown[:: max(1, len(shown) // 5)]]
    size = line.y1 - line.y0 if turned else float(np.median(sample[:, 3] - sample[:, 1]))
    bold = found.bold(int(shown[0])) and found.bold(int(shown[-1]))
    return TextLine(0, len(text), text, line.x0, line.y0, line.x1, line.y1, size, bold, line.cells)


def _write(
    region: Region,
    blocks: list[PageBlock],
    orders: list[NDArray[np.intp]],
    length: int,
    codes: NDArray[np.uint32],
    boxes: Boxes,
) -> Iterator[PageBlock]:
    """Append the lines' characters to `orders`, a newline between lines and two between blocks; the blocks, placed."""
    todo = iter(region.lines)
    for block in blocks:
        if length:
            orders.append(np.array([NEWLINE, NEWLINE], dtype=np.intp))
            length += 2
        placed = []
        lines = list(islice(todo, len(block.lines)))
        if block.kind == "table" and not region.turned:
            lines = align_cells(lines, codes, boxes)
        for i, (text_line, line) in enumerate(zip(block.lines, lines, strict=True)):
            if i:
                orders.append(np.array([NEWLINE], dtype=np.intp))
                length += 1
            orders.append(line.order)
            end = length + len(line.order)
            text = codes[line.order].tobytes().decode("utf-32-le")
            placed.append(replace(text_line, start=length, end=end, text=text))
            length = end
        yield PageBlock(block.kind, tuple(placed))


def _has_picture(page: Any, size: tuple[float, float], share: float) -> bool:
    """Does a picture cover so much of the page? A scan may have a stamp or a page number beside it."""
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = item.get_bounds()
        if (right - left) * (top - bottom) > share * size[0] * size[1]:
            return True
    return False


def _scanned(page: Any, written: PageText, source: Source) -> tuple[PageText, str]:
    """A page that is a picture: what tesseract reads on it, if that is more than the few characters it has."""
    from pincite.reading import ocr  # Pillow is needed for scans alone

    number, size = written.number, (written.width, written.height)
    if not source.ocr:
        return written, f"Page {number} is a picture without text, and OCR is switched off."
    if not ocr.available(source.ocr):
        return written, f"Page {number} is a picture without text: install tesseract-ocr to have it read."
    dpi = min(_OCR_DPI, int(72 * 6000 / max(*size, 1)))
    image = page.render(scale=dpi / 72).to_pil()
    found = ocr.transcript(ocr.words(image, source.ocr, dpi), 72 / dpi)
    if len(found.text) <= len(written.text):
        return written, ""
    blocks = tuple(
        PageBlock(block.kind, tuple(_scanned_lines(found.text, found.boxes, block))) for block in found.blocks
    )
    return PageText(number, *size, found.text, pack(found.boxes), blocks, hidden=written.hidden), ""


def _scanned_lines(text: str, boxes: Boxes, block: Block) -> Iterator[TextLine]:
    start = block.start
    for line in text[block.start : block.end].split("\n"):
        x0, y0 = np.nanmin(boxes[start : start + len(line), :2], axis=0).tolist()
        x1, y1 = np.nanmax(boxes[start : start + len(line), 2:], axis=0).tolist()
        yield TextLine(start, start + len(line), line, x0, y0, x1, y1, y1 - y0, False, 1)
        start += len(line) + 1


def _outline(file: Any) -> list[tuple[int, int, str]]:
    entries = []
    try:
        for item in file.get_toc(max_depth=6):
            target = item.get_dest()
            index = target.get_index() if target else None
            title = item.get_title()
            if index is not None and title:
                entries.append((index + 1, item.level + 1, title))
            if len(entries) >= 5000:
                break
    except (pdfium.PdfiumError, ValueError, UnicodeError):
        return entries
    return entries


def _metadata(file: Any) -> dict[str, str]:
    try:
        found = file.get_metadata_dict(skip_empty=True)
    except (pdfium.PdfiumError, ValueError, UnicodeError):
        return {}
    metadata = {key.lower(): str(value).strip() for key, value in found.items() if str(value).strip()}
    day = re.match(r"D:(\d{4})(\d{2})(\d{2})", metadata.get("creationdate", ""))
    if day:
        metadata["date"] = "-".join(day.groups())
    return metadata


def _assemble(
    pages: list[PageText], outline: list[tuple[int, int, str]], metadata: dict[str, str], problems: list[str]
) -> Document:
    placed: list[Page] = []
    blocks: list[Block] = []
    length, goes_on = 0, False
    parts = []
    for page, written in zip(pages, join_columns(pages, label(pages, outline)), strict=True):
        text = written.text
        separated = text + (("\n" if written.goes_on else "\n\n") if text and page is not pages[-1] else "")
        start, length = length, length + len(separated)
        placed.append(Page(page.number, start, length, page.width, page.height, written.boxes, written.drawn))
        found = [shift(block, start) for block in written.blocks]
        if goes_on and found:
            blocks[-1] = replace(blocks[-1], end=found.pop(0).end)
        blocks += found
        goes_on = written.goes_on if text else goes_on
        parts.append(separated)
    document = Document(
        kind="pdf",
        text=resolve_hyphens("".join(parts), {page.start for page in placed}),
        title=metadata.get("title", ""),
        pages=tuple(placed),
        blocks=tuple(blocks),
        metadata=metadata,
        problems=tuple(problems),
    )
    return add_hidden(document, [page.hidden for page in pages])
