"""Read PDFs: pdfium's characters with their boxes on the displayed page, in reading order."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.errors import PASSWORD_NEEDED, PASSWORD_WRONG, Encrypted, Unreadable
from pincite.reading.block_structure import group_lines, label_blocks, shift_block
from pincite.reading.document_draft import add_hidden
from pincite.reading.joined_columns import join_columns
from pincite.reading.limits import describe_page_limit
from pincite.reading.line_end_hyphens import resolve_hyphens
from pincite.reading.packed_boxes import Boxes, pack_boxes, pack_places
from pincite.reading.page_labels import add_labels, read_labels
from pincite.reading.page_layout import NEWLINE, LayoutLine, Region, arrange_characters
from pincite.reading.pdf_characters import Glyphs, read_glyphs
from pincite.reading.pdf_lines import PageBlock, PageText, TextLine
from pincite.reading.running_lines import part_running_lines
from pincite.reading.source import Source
from pincite.reading.table_columns import align_cells
from pincite.types import KEPT_APART, Block, Document, Page

_LARGEST_IN_MEMORY = 64_000_000  # bytes in a file
_OCR_DPI = 200
_MOST_PROBLEMS = 100  # reported one by one
_NAMED = 10  # page numbers listed in a problem
_FEW = 100  # characters; a page with fewer that is covered by a picture is a scan
# for NEWLINE, TAB, SPACE, which index the last three
_SYNTHETIC = np.array([ord("\n"), ord("\t"), ord(" ")], dtype=np.uint32)


def read(source: Source) -> Document:
    """Read a PDF's text, pages and structure; a page that cannot be read is left empty and named in `problems`."""
    file = open_pdf(source)
    try:
        pages, problems = _read_pages(file, source)
        outline = _read_outline(file)
        metadata = _read_metadata(file)
        labels = read_labels(file, len(pages))
    finally:
        file.close()
    return add_labels(_assemble_document(pages, outline, metadata, problems), labels)


def open_pdf(source: Source) -> Any:
    """Open the file with pdfium; the caller closes it."""
    try:
        # pypdfium2 resolves paths, which fails for a path such as /proc/self/fd/3.
        is_small = source.path.stat().st_size <= _LARGEST_IN_MEMORY
        given = source.path.read_bytes() if is_small else source.path
        file = pdfium.PdfDocument(given, password=source.password)
        if len(file) == 0:
            raise Unreadable("This PDF has no pages.", "Open it in a PDF viewer and save it again.")
        return file
    except pdfium.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            message = "The password is wrong." if source.password else "This PDF is protected by a password."
            reason = PASSWORD_WRONG if source.password else PASSWORD_NEEDED
            raise Encrypted(message, "Give it with --password, or save a copy without one.", reason) from None
        raise Unreadable(
            "This PDF is damaged or is not a PDF.",
            "Open it in a PDF viewer and save it again, then add that file.",
        ) from None


def _read_pages(file: Any, source: Source) -> tuple[list[PageText], list[str]]:
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
            page, problem = _read_page(file, number, source)
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
            break  # the limits cut and report the rest
    if left_out:
        problems.append(f"{left_out:,} more pages could not be read.")
    if len(file) > count == len(pages):
        problems.append(describe_page_limit(count, len(file)))
    return pages, problems + _describe_hidden(pages)


def _describe_hidden(pages: list[PageText]) -> list[str]:
    found = [page.number for page in pages if page.hidden]
    if not found:
        return []
    named = ", ".join(map(str, found[:_NAMED])) + (" …" if len(found) > _NAMED else "")
    pages_have = "Page" if len(found) == 1 else "Pages"
    return [f"{pages_have} {named}: {KEPT_APART}"]


def _read_page(file: Any, number: int, source: Source) -> tuple[PageText, str]:
    page = file[number - 1]
    text_page = None
    try:
        text_page = page.get_textpage()
        found = read_glyphs(page, text_page)
        written = _lay_out_page(number, found) if found.visible.any() else PageText(number, *found.size, "", b"", ())
        written = replace(written, hidden=_read_hidden(found))
        few = int(found.visible.sum())
        if few < _FEW and _has_picture(page, found.size, share=0.5 if few else 0.02):
            return _recognise_page(page, written, source)
        return written, ""
    finally:
        if text_page is not None:
            text_page.close()
        page.close()


def _lay_out_page(number: int, found: Glyphs) -> PageText:
    """Arrange a page's characters in reading order, with line ends, cell gaps and spaces."""
    codes = np.append(found.codes, _SYNTHETIC)
    orders: list[NDArray[np.intp]] = []
    blocks: list[PageBlock] = []
    length = 0
    for region in arrange_characters(found.codes, found.boxes, found.visible, found.size):
        lines = [_make_text_line(line, codes, found, region.turned) for line in region.lines]
        for block in _write_blocks(region, group_lines(lines), orders, length, codes, found.boxes):
            blocks.append(block)
            length = block.end
    order = np.concatenate(orders)
    missing = order < 0
    placed = np.where(missing[:, None], np.float32(np.nan), found.boxes[np.where(missing, 0, order)])
    text = codes[order].tobytes().decode("utf-32-le")
    drawn = pack_places(np.where(missing, -1, order).astype(np.int32))
    return PageText(number, *found.size, text, pack_boxes(placed), tuple(blocks), drawn)


def _read_hidden(found: Glyphs) -> str:
    """Return the hidden words, in the file's order."""
    places = np.flatnonzero(found.hidden)
    # If other characters, blank or visible, are between two of them, one space is enough.
    codes = np.insert(found.codes[places], np.flatnonzero(np.diff(places) > 1) + 1, np.uint32(ord(" ")))
    return codes.tobytes().decode("utf-32-le")


def _make_text_line(line: LayoutLine, codes: NDArray[np.uint32], found: Glyphs, turned: bool) -> TextLine:
    """Make a line with its text and font; its offset in the page's text is set when it is written."""
    text = codes[line.order].tobytes().decode("utf-32-le")
    shown = line.order[line.order >= 0]
    sample = found.boxes[shown[:: max(1, len(shown) // 5)]]
    size = line.y1 - line.y0 if turned else float(np.median(sample[:, 3] - sample[:, 1]))
    bold = found.bold(int(shown[0])) and found.bold(int(shown[-1]))
    return TextLine(0, len(text), text, line.x0, line.y0, line.x1, line.y1, size, bold, line.cells)


def _write_blocks(
    region: Region,
    blocks: list[PageBlock],
    orders: list[NDArray[np.intp]],
    length: int,
    codes: NDArray[np.uint32],
    boxes: Boxes,
) -> Iterator[PageBlock]:
    """Append the lines' characters to `orders`, with newlines between lines and blocks; yield the placed blocks."""
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
    """Return whether a picture covers this share of the page; a scan may have a stamp or a page number beside it."""
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = item.get_bounds()
        if (right - left) * (top - bottom) > share * size[0] * size[1]:
            return True
    return False


def _recognise_page(page: Any, written: PageText, source: Source) -> tuple[PageText, str]:
    """Recognise the text of a page that is a picture, and use it if it is more than the few characters it has."""
    from pincite.reading import ocr  # only scans need Pillow

    number, size = written.number, (written.width, written.height)
    if not source.ocr:
        return written, f"Page {number} is a picture without text, and OCR is switched off."
    if not ocr.is_available(source.ocr):
        return written, f"Page {number} is a picture without text: install tesseract-ocr to read it."
    dpi = min(_OCR_DPI, int(72 * 6000 / max(*size, 1)))
    image = page.render(scale=dpi / 72).to_pil()
    found = ocr.make_ocr_text(ocr.recognise_words(image, source.ocr, dpi), 72 / dpi)
    if len(found.text) <= len(written.text):
        return written, ""
    blocks = tuple(
        PageBlock(block.kind, tuple(_make_scanned_lines(found.text, found.boxes, block))) for block in found.blocks
    )
    return PageText(number, *size, found.text, pack_boxes(found.boxes), blocks, hidden=written.hidden), ""


def _make_scanned_lines(text: str, boxes: Boxes, block: Block) -> Iterator[TextLine]:
    start = block.start
    for line in text[block.start : block.end].split("\n"):
        x0, y0 = np.nanmin(boxes[start : start + len(line), :2], axis=0).tolist()
        x1, y1 = np.nanmax(boxes[start : start + len(line), 2:], axis=0).tolist()
        yield TextLine(start, start + len(line), line, x0, y0, x1, y1, y1 - y0, False, 1)
        start += len(line) + 1


def _read_outline(file: Any) -> list[tuple[int, int, str]]:
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


def _read_metadata(file: Any) -> dict[str, str]:
    try:
        found = file.get_metadata_dict(skip_empty=True)
    except (pdfium.PdfiumError, ValueError, UnicodeError):
        return {}
    metadata = {key.lower(): str(value).strip() for key, value in found.items() if str(value).strip()}
    day = re.match(r"D:(\d{4})(\d{2})(\d{2})", metadata.get("creationdate", ""))
    if day:
        metadata["date"] = "-".join(day.groups())
    return metadata


def _assemble_document(
    pages: list[PageText], outline: list[tuple[int, int, str]], metadata: dict[str, str], problems: list[str]
) -> Document:
    placed: list[Page] = []
    blocks: list[Block] = []
    length, goes_on = 0, False
    parts = []
    pages = part_running_lines(pages)
    for page, written in zip(pages, join_columns(pages, label_blocks(pages, outline)), strict=True):
        text = written.text
        separated = text + (("\n" if written.goes_on else "\n\n") if text and page is not pages[-1] else "")
        start, length = length, length + len(separated)
        placed.append(Page(page.number, start, length, page.width, page.height, written.boxes, written.drawn))
        found = [shift_block(block, start) for block in written.blocks]
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
