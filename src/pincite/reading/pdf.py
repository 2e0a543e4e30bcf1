"""PDF to Document: pdfium's characters with their boxes on the page as displayed, put into reading order."""

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.errors import Encrypted, Unreadable
from pincite.reading.boxes import Boxes, pack
from pincite.reading.layout import NEWLINE, Line, arrange
from pincite.reading.source import Source
from pincite.reading.structure import PageBlock, PageText, TextLine, group, label, resolve_hyphens, shift
from pincite.types import Block, Document, Page

_OCR_DPI = 200
_BOLD = re.compile(rb"bold|black|heavy|semibold|demi|[-,]bd\b", re.IGNORECASE)
_REPLACEMENT = 0xFFFD
_SYNTHETIC = np.array([ord("\n"), ord("\t"), ord(" ")], dtype=np.uint32)  # at NEWLINE, TAB, SPACE: the last three

# Accents that some fonts set as characters of their own, and the combining form each stands for.
_ACCENTS = dict(
    zip(
        map(ord, "`´ˆ˜¨˚¸ˇ˘¯˙"),
        map(ord, "\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u030c\u0306\u0304\u0307"),
        strict=True,
    )
)
_DOTLESS = {0x131: ord("i"), 0x237: ord("j")}

# pypdfium2's own bindings convert every argument; a page has thousands of characters, so these take plain numbers.
_unicode = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(raw.FPDFText_GetUnicode, ctypes.c_void_p).value or 0
)
_loose_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(raw.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)


def read(source: Source) -> Document:
    """A PDF's text, pages and structure; a page that cannot be read is left empty and named in `problems`."""
    file = _open(source)
    try:
        pages, problems = _pages(file, source)
        outline = _outline(file)
        metadata = _metadata(file)
    finally:
        file.close()
    return _assemble(pages, outline, metadata, problems)


def _open(source: Source) -> Any:
    try:
        file = pdfium.PdfDocument(source.path, password=source.password)
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
    pages, problems = [], []
    count = len(file)
    for number in range(1, count + 1):
        source.progress(number, count)
        if number in source.skip:
            problems.append(f"Page {number} could not be read and was skipped.")
            pages.append(PageText(number, 612.0, 792.0, "", b"", ()))
            continue
        try:
            page, problem = _page(file, number, source)
        except (pdfium.PdfiumError, ValueError, OverflowError, MemoryError) as error:
            problem = f"Page {number} could not be read and was skipped ({str(error) or type(error).__name__})."
            page = PageText(number, 612.0, 792.0, "", b"", ())
        pages.append(page)
        if problem:
            problems.append(problem)
    return pages, problems


def _page(file: Any, number: int, source: Source) -> tuple[PageText, str]:
    page = file[number - 1]
    text_page = None
    try:
        text_page = page.get_textpage()
        # get_bbox() and not get_cropbox(): that one answers 612 x 792 when the box is inherited.
        frame, turn = page.get_bbox(), page.get_rotation()
        codes, boxes, size = _characters(text_page, frame, turn)
        visible = _visible(codes, boxes)
        if visible.any():
            return _lay_out(number, codes, boxes, visible, size, text_page), ""
        return _scanned(page, number, size, source)
    finally:
        if text_page is not None:
            text_page.close()
        page.close()


def _characters(
    text_page: Any, frame: tuple[float, ...], turn: int
) -> tuple[NDArray[np.uint32], Boxes, tuple[float, float]]:
    """Code points and boxes in points from the top left of the page as displayed, and its width and height."""
    count = text_page.count_chars()
    left, bottom, right, top = frame
    width, height = (top - bottom, right - left) if turn in (90, 270) else (right - left, top - bottom)
    if count <= 0:
        return np.empty(0, np.uint32), np.empty((0, 4), np.float32), (width, height)
    handle = ctypes.cast(text_page.raw, ctypes.c_void_p).value
    codes = np.frombuffer(_text(text_page, count).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if len(codes) != count:
        codes = np.fromiter((_unicode(handle, i) for i in range(count)), dtype=np.uint32, count=count)
    store = (ctypes.c_float * (4 * count))()
    address = ctypes.addressof(store)
    for i in range(count):
        _loose_box(handle, i, address + 16 * i)
    x0, y1, x1, y0 = np.frombuffer(store, dtype=np.float32).reshape(count, 4).T  # left, top, right, bottom
    if turn == 90:
        corners = y0 - bottom, x0 - left, y1 - bottom, x1 - left
    elif turn == 180:
        corners = right - x1, y0 - bottom, right - x0, y1 - bottom
    elif turn == 270:
        corners = top - y1, right - x1, top - y0, right - x0
    else:
        corners = x0 - left, top - y1, x1 - left, top - y0
    return codes, np.stack(corners, axis=1).astype(np.float32), (width, height)


def _text(text_page: Any, count: int) -> str:
    """The page's characters in one call; its length differs from the count where pdfium leaves some out."""
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(text_page.raw, 0, count, buffer)
    return bytes(buffer)[:-2].decode("utf-16-le", "surrogatepass").rstrip("\0")


def _visible(codes: NDArray[np.uint32], boxes: Boxes) -> NDArray[np.bool_]:
    blank = (codes <= 0x20) | ((codes >= 0x7F) & (codes <= 0xA0)) | ((codes >= 0x2000) & (codes <= 0x200B))
    blank |= (codes == 0x3000) | (codes == 0xFEFF) | (codes == 0x2028) | (codes == 0x2029) | (codes == 0x202F)
    hyphen = (codes == 0x02) | (codes == 0xFFFE)  # how pdfium marks a word broken at a line's end
    sound = (
        np.logical_and.reduce(np.isfinite(boxes), axis=1) & (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    )
    near: NDArray[np.bool_] = np.logical_and.reduce(np.abs(boxes) < 1e5, axis=1)
    visible: NDArray[np.bool_] = (~blank | hyphen) & sound & near
    return visible


def _lay_out(
    number: int,
    codes: NDArray[np.uint32],
    boxes: Boxes,
    visible: NDArray[np.bool_],
    size: tuple[float, float],
    text_page: Any,
) -> PageText:
    codes = np.where((codes == 0xFFFE) | (codes == 0x02), np.uint32(0x02), codes)
    wrong = (codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000)) | (codes == 0)
    codes, boxes = _join_accents(np.where(wrong, np.uint32(_REPLACEMENT), codes), boxes)
    codes = np.append(codes, _SYNTHETIC)
    bold_at = _bold_reader(text_page)
    heights = boxes[:, 3] - boxes[:, 1]
    orders: list[NDArray[np.intp]] = []
    blocks: list[PageBlock] = []
    length = 0
    for region in arrange(codes[: len(boxes)], boxes, visible, size):
        lines = []
        at = 0
        for line in region.lines:
            text = codes[line.order].tobytes().decode("utf-32-le")
            lines.append(_text_line(line, at, text, heights if not region.turned else None, bold_at))
            at += len(text) + 1
        offsets = _write(region.lines, group(lines), orders, length)
        for block in offsets:
            blocks.append(block)
            length = block.end
    order = np.concatenate(orders)
    missing = order < 0
    placed = np.where(missing[:, None], np.float32(np.nan), boxes[np.where(missing, 0, order)])
    text = codes[order].tobytes().decode("utf-32-le")
    return PageText(number, size[0], size[1], text, pack(placed), tuple(blocks))


def _join_accents(codes: NDArray[np.uint32], boxes: Boxes) -> tuple[NDArray[np.uint32], Boxes]:
    """A spacing accent set over a letter, before or after it, becomes that letter's combining mark; counts stay."""
    accents = np.flatnonzero(np.isin(codes, list(_ACCENTS)))
    if not len(accents):
        return codes, boxes
    codes, boxes = codes.copy(), boxes.copy()
    for i in accents.tolist():
        middle = (boxes[i, 0] + boxes[i, 2]) / 2
        for letter in (i + 1, i - 1):
            if not 0 <= letter < len(codes) or not chr(codes[letter]).isalpha():
                continue
            if boxes[letter, 0] < middle < boxes[letter, 2] and boxes[letter, 1] < boxes[i, 3]:
                mark = np.uint32(_ACCENTS[int(codes[i])])
                codes[letter] = _DOTLESS.get(int(codes[letter]), codes[letter])
                if letter > i:
                    codes[i], codes[letter] = codes[letter], mark
                    boxes[[i, letter]] = boxes[[letter, i]]
                else:
                    codes[i] = mark
                break
    return codes, boxes


def _text_line(line: Line, at: int, text: str, heights: NDArray[np.float32] | None, bold_at: Any) -> TextLine:
    shown = line.order[line.order >= 0]
    sample = shown[:: max(1, len(shown) // 5)]
    height = float(np.median(heights[sample])) if heights is not None else line.size
    bold = bold_at(int(shown[0])) and bold_at(int(shown[-1]))
    return TextLine(at, at + len(text), text, line.x0, line.y0, line.x1, line.y1, height, bold, line.cells)


def _write(
    lines: tuple[Line, ...], blocks: list[PageBlock], orders: list[NDArray[np.intp]], length: int
) -> Iterator[PageBlock]:
    """Append the lines' characters to `orders`, a newline between lines and two between blocks; the blocks, placed."""
    todo = iter(lines)
    for block in blocks:
        if length:
            orders.append(np.array([NEWLINE, NEWLINE], dtype=np.intp))
            length += 2
        placed = []
        for i, (text_line, line) in enumerate(zip(block.lines, todo, strict=False)):
            if i:
                orders.append(np.array([NEWLINE], dtype=np.intp))
                length += 1
            orders.append(line.order)
            end = length + len(line.order)
            placed.append(
                TextLine(
                    length,
                    end,
                    text_line.text,
                    text_line.x0,
                    text_line.y0,
                    text_line.x1,
                    text_line.y1,
                    text_line.size,
                    text_line.bold,
                    text_line.cells,
                )
            )
            length = end
        yield PageBlock(block.kind, tuple(placed))


def _bold_reader(text_page: Any) -> Any:
    """A function from a character's number to whether its font is bold."""
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()

    def bold(index: int) -> bool:
        length = raw.FPDFText_GetFontInfo(text_page.raw, index, buffer, 128, flags)
        return bool(length and _BOLD.search(buffer.raw[: min(length, 128)])) or (
            raw.FPDFText_GetFontWeight(text_page.raw, index) >= 600
        )

    return bold


def _scanned(page: Any, number: int, size: tuple[float, float], source: Source) -> tuple[PageText, str]:
    """A page without characters: read from its picture when it has one and tesseract is there."""
    empty = PageText(number, size[0], size[1], "", b"", ())
    if not any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)):
        return empty, ""
    from pincite.reading import ocr  # Pillow is needed for scans alone

    if not source.ocr:
        return empty, f"Page {number} is a picture without text, and OCR is switched off."
    if not ocr.available(source.ocr):
        return empty, f"Page {number} is a picture without text: install tesseract-ocr to have it read."
    dpi = min(_OCR_DPI, int(72 * 6000 / max(*size, 1)))
    image = page.render(scale=dpi / 72).to_pil()
    found = ocr.transcript(ocr.words(image, source.ocr, dpi), 72 / dpi)
    blocks = tuple(
        PageBlock(block.kind, tuple(_scanned_lines(found.text, found.boxes, block))) for block in found.blocks
    )
    return PageText(number, size[0], size[1], found.text, pack(found.boxes), blocks), ""


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
    texts = resolve_hyphens([page.text for page in pages])
    labelled = label(pages, outline)
    placed: list[Page] = []
    blocks: list[Block] = []
    length = 0
    parts = []
    for page, text, found in zip(pages, texts, labelled, strict=True):
        separated = text + ("\n\n" if text and page is not pages[-1] else "")
        placed.append(Page(page.number, length, length + len(separated), page.width, page.height, page.boxes))
        blocks += [shift(block, length) for block in found]
        parts.append(separated)
        length += len(separated)
    return Document(
        kind="pdf",
        text="".join(parts),
        title=metadata.get("title", ""),
        pages=tuple(placed),
        blocks=tuple(blocks),
        metadata=metadata,
        problems=tuple(problems),
    )
