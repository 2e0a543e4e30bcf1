"""PDFs, written object by object."""

import zlib
from random import Random

from tests.hostile.kinds import kind, words

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def pdf(objects: list[bytes], root: int = 1) -> bytes:
    """A PDF of these objects, numbered from 1, with a table of where they stand."""
    data = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(data) + b"trailer << /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        root,
        table,
    )


def stream(content: bytes, more: bytes = b"") -> bytes:
    packed = zlib.compress(content)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), more, packed)


def one_page(content: bytes, box: bytes = b"[0 0 612 792]", catalog: bytes = b"", page: bytes = b"") -> bytes:
    """A PDF of one page with this content, in Helvetica as F."""
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> %s >>"
            % (box, page),
            stream(content),
            FONT,
        ]
    )


def lines(texts: list[str], size: int = 10, step: int = 12) -> bytes:
    """The content of a page with these lines below one another."""
    shown = b"".join(b"(%s) Tj T*\n" % text.encode("latin-1", "replace") for text in texts)
    return b"BT /F %d Tf %d TL 40 750 Td\n%s ET" % (size, step, shown)


@kind("pdf", 20, 500)
def pdf_pages(chance: Random, size: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (number + 5) for number in range(size))
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >>"
    )
    content = stream(lines([words(chance, 10) for _ in range(20)]))
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, size)
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, content, FONT, *[page] * size])


@kind("pdf", 1_000, 1_000_000, is_steady=False)
def pdf_claimed_pages(chance: Random, size: int) -> bytes:
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count %d >>" % size
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, b"<< /Type /Page /Parent 2 0 R >>"])


@kind("pdf", 20_000, 160_000)
def pdf_long_page(chance: Random, size: int) -> bytes:
    return one_page(lines([words(chance, 12) for _ in range(size // 60)], 1, 1), b"[0 -90000 612 792]")


@kind("pdf", 20_000, 120_000)
def pdf_one_line(chance: Random, size: int) -> bytes:
    return one_page(b"BT /F 1 Tf 0 9 Td (%s) Tj ET" % (b"a" * size), b"[0 0 90000 20]")


@kind("pdf", 10_000, 80_000)
def pdf_one_place(chance: Random, size: int) -> bytes:
    return one_page(b"BT /F 10 Tf 90 90 Td\n" + b"(a) Tj 0 0 Td\n" * size + b"ET")


@kind("pdf", 5_000, 40_000)
def pdf_scattered(chance: Random, size: int) -> bytes:
    moves = b"".join(b"1 0 0 1 %d %d Tm (a) Tj\n" % (chance.randrange(600), chance.randrange(790)) for _ in range(size))
    return one_page(b"BT /F 6 Tf\n" + moves + b"ET")


@kind("pdf", 2_000, 16_000)
def pdf_wide_table(chance: Random, size: int) -> bytes:
    cells = b"".join(
        b"1 0 0 1 %d %d Tm (%d) Tj\n" % (40 * (place % 200), 700 - 14 * (place // 200), chance.randrange(100))
        for place in range(size)
    )
    return one_page(b"BT /F 10 Tf\n" + cells + b"ET", b"[0 -9000 9000 792]")


@kind("pdf", 1_000, 8_000)
def pdf_small_blocks(chance: Random, size: int) -> bytes:
    moves = b"".join(
        b"1 0 0 1 %d %d Tm (Block %d of it) Tj\n" % (40 + place % 7 * 3, 80_000 - 40 * place % 80_000, place)
        for place in range(size)
    )
    return one_page(b"BT /F 8 Tf\n" + moves + b"ET", b"[0 0 612 81000]")


@kind("pdf", 2_000, 24_000)
def pdf_outline(chance: Random, size: int) -> bytes:
    first = 6
    items = [
        b"<< /Title (Part %d) /Parent 6 0 R /Dest [3 0 R /Fit] %s >>"
        % (n, b"/Next %d 0 R" % (first + n + 1) if n < size else b"")
        for n in range(1, size + 1)
    ]
    text = lines([f"Part {place}" for place in range(200)])
    made = one_page(text, catalog=b"/Outlines 6 0 R")
    objects = [part.split(b" obj\n", 1)[1] for part in made.split(b"\nendobj\n")[:5]]
    outline = b"<< /Type /Outlines /First 7 0 R /Last %d 0 R /Count %d >>" % (first + size, size)
    return pdf([*objects, outline, *items])


@kind("pdf", 200, 5_000, is_steady=False)
def pdf_deep_outline(chance: Random, size: int) -> bytes:
    items = [b"<< /Title (a) /Dest [3 0 R /Fit] /First %d 0 R >>" % (8 + place) for place in range(size)]
    made = one_page(lines(["word"]), catalog=b"/Outlines 6 0 R")
    objects = [part.split(b" obj\n", 1)[1] for part in made.split(b"\nendobj\n")[:5]]
    # The last one leads back to the first.
    return pdf([*objects, b"<< /First 7 0 R >>", *items[:-1], b"<< /Title (a) /First 7 0 R /Next 7 0 R >>"])


@kind("pdf", 2_000, 24_000)
def pdf_links(chance: Random, size: int) -> bytes:
    link = b"<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://example.org/) >> >>"
    return one_page(lines(["word"]), page=b"/Annots [%s]" % (link * size))


@kind("pdf", 3, 7, is_steady=False)
def pdf_forms_in_forms(chance: Random, size: int) -> bytes:
    resources = b"/Resources << /Font << /F 5 0 R >> /XObject << /X %d 0 R >> >>"
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] " + resources
    levels = [stream(b"/X Do " * 10, head % (place + 7)) for place in range(size)]
    last = stream(b"BT /F 9 Tf 9 9 Td (word) Tj ET", head % 5)
    page = b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 612 792] " + resources % 6 + b" >>"
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, stream(b"/X Do"), FONT, *levels, last])


@kind("pdf", 1_000_000, 60_000_000, is_steady=False)
def pdf_stream_bomb(chance: Random, size: int) -> bytes:
    return one_page(b"BT /F 9 Tf (word) Tj ET" + b" " * size)


@kind("pdf", 2_000, 20_000)
def pdf_broken_words(chance: Random, size: int) -> bytes:
    return one_page(
        lines([chance.choice(("exam-", "ple word", "a-")) for _ in range(size)], 1, 1), b"[0 -60000 612 792]"
    )


@kind("pdf", 20_000, 200_000, is_steady=False)
def pdf_broken(chance: Random, size: int) -> bytes:
    return b"%PDF-1.4\n" + b"1 0 obj <<" * (size // 10) + b"xref\n0 99999999\n"


@kind("pdf", 1_000, 40_000, is_steady=False)
def pdf_long_facts(chance: Random, size: int) -> bytes:
    made = one_page(lines(["word"]), box=b"[0 0 1e9 1e9]")
    return made.replace(b"/Size", b"/Info << /Title (%s) >> /Size" % (b"title " * size))
