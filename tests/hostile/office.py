"""Word, OpenDocument, EPUB and presentations, written part by part."""

from random import Random

from tests import files
from tests.hostile.kinds import kind, words

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def word(body: str, styles: str = "", numbering: str = "", footnotes: str = "") -> bytes:
    """A Word file with this in its body, and these parts beside it."""
    named = {"styles": styles, "numbering": numbering, "footnotes": footnotes}
    targets = "".join(f'<Relationship Id="{n}" Type="{_RELATION}/{n}" Target="{n}.xml"/>' for n in named if named[n])
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": "<Types><Override ContentType='wordprocessingml.document'/></Types>",
        "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": f"<Relationships {_RELATIONS}>{targets}</Relationships>",
    }
    return files.zipped(members | {f"word/{name}.xml": part for name, part in named.items() if part})


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p>{properties and f'<w:pPr>{properties}</w:pPr>'}<w:r><w:t>{text}</w:t></w:r></w:p>"


@kind("docx", 1_000, 16_000)
def docx_paragraphs(chance: Random, size: int) -> bytes:
    return word("".join(paragraph(f"word {place}") for place in range(size)))


@kind("docx", 5_000, 80_000)
def docx_runs(chance: Random, size: int) -> bytes:
    return word(f"<w:p>{'<w:r><w:t>a</w:t></w:r>' * size}</w:p>")


@kind("docx", 8, 60, is_steady=False)
def docx_nested_tables(chance: Random, size: int) -> bytes:
    depth = min(size, 60)
    cell = "<w:tbl><w:tr><w:tc>" + paragraph("left") + "</w:tc><w:tc>"
    return word(cell * depth + paragraph(words(chance, 500)) + "</w:tc></w:tr></w:tbl>" * depth)


@kind("docx", 200, 2_000)
def docx_style_chain(chance: Random, size: int) -> bytes:
    styles = "".join(
        f'<w:style w:styleId="s{place}"><w:name w:val="n{place}"/><w:basedOn w:val="s{place + 1}"/></w:style>'
        for place in range(size)
    )
    body = paragraph("word", '<w:pStyle w:val="s0"/>') * size
    return word(body, f"<w:styles {_W}>{styles}</w:styles>")


@kind("docx", 500, 4_000)
def docx_numbers(chance: Random, size: int) -> bytes:
    levels = "".join(f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="decimal"/></w:lvl>' for n in range(size))
    parts = (
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/>'
    )
    body = "".join(
        paragraph("word", f'<w:numPr><w:ilvl w:val="{chance.randrange(size)}"/><w:numId w:val="1"/></w:numPr>')
        for _ in range(size)
    )
    return word(body, numbering=f"<w:numbering {_W}>{parts}</w:num></w:numbering>")


@kind("docx", 300, 3_000)
def docx_table(chance: Random, size: int) -> bytes:
    span = '<w:tcPr><w:gridSpan w:val="9999"/></w:tcPr>'
    row = f"<w:tr><w:tc>{span}{paragraph('a')}</w:tc><w:tc>{paragraph('b')}"
    return word(f"<w:tbl>{(row + '</w:tc></w:tr>') * size}</w:tbl>")


@kind("docx", 500, 6_000)
def docx_wide_row(chance: Random, size: int) -> bytes:
    cell = f"<w:tc>{paragraph('a')}</w:tc>"
    return word(f"<w:tbl><w:tr>{cell * size}</w:tr></w:tbl>" + paragraph("end") * 50)


@kind("docx", 8, 50, is_steady=False)
def docx_text_boxes(chance: Random, size: int) -> bytes:
    depth = min(size, 50)
    return word("<w:p><w:r><w:t>a</w:t><w:txbxContent>" * depth + "</w:txbxContent></w:r></w:p>" * depth)


@kind("docx", 500, 8_000)
def docx_notes(chance: Random, size: int) -> bytes:
    body = "".join(f'<w:p><w:r><w:footnoteReference w:id="{n}"/></w:r></w:p>' for n in range(size))
    notes = "".join(f'<w:footnote w:id="{n}">{paragraph("note")}</w:footnote>' for n in range(size))
    return word(body, footnotes=f"<w:footnotes {_W}>{notes}</w:footnotes>")


@kind("docx", 30_000, 3_000_000, is_steady=False)
def docx_bomb(chance: Random, size: int) -> bytes:
    return word("<w:p/>" * size)


@kind("docx", 5_000, 160_000)
def docx_attributes(chance: Random, size: int) -> bytes:
    attributes = " ".join(f"w:a{place}='1'" for place in range(size))
    return word(f"<w:p {attributes}><w:r><w:t>word</w:t></w:r></w:p>")


@kind("docx", 200, 2_000, is_steady=False)
def docx_entities(chance: Random, size: int) -> bytes:
    entities = "".join(f"<!ENTITY e{place} '{chr(38)}e{place - 1};{chr(38)}e{place - 1};'>" for place in range(1, 40))
    text = f'<!DOCTYPE a [<!ENTITY e0 "ha">{entities}]><w:document {_W}><w:body><w:p><w:r><w:t>&e39;'
    data = word("")
    return files.repacked(data, lambda name, part: text.encode() + b"a" * size if name == "word/document.xml" else part)


def _table(rows: str) -> str:
    return f"<table:table>{rows}</table:table>"


@kind("odt", 50, 1_000)
def odt_repeated_cells(chance: Random, size: int) -> bytes:
    cell = f"<text:p>{words(chance, 30)}</text:p></table:table-cell>"
    row = (
        '<table:table-row table:number-rows-repeated="1000000">'
        f'<table:table-cell table:number-columns-repeated="16384">{cell}</table:table-row>'
    )
    return files.open_text(_table(row * size))


@kind("odt", 8, 50, is_steady=False)
def odt_nested_tables(chance: Random, size: int) -> bytes:
    depth = min(size, 50)
    cell = "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell>"
    inner = f"<text:p>{words(chance, 500)}</text:p>"
    return files.open_text(cell * depth + inner + "</table:table-cell></table:table-row></table:table>" * depth)


@kind("odt", 1_000, 16_000)
def odt_paragraphs(chance: Random, size: int) -> bytes:
    return files.open_text("".join(f"<text:p>word {place}<text:s text:c='99999'/></text:p>" for place in range(size)))


@kind("odt", 1_000, 16_000)
def odt_notes(chance: Random, size: int) -> bytes:
    note = "<text:note><text:note-body><text:p>note</text:p></text:note-body></text:note>"
    return files.open_text(f"<text:p>{note * size}</text:p>")


@kind("odt", 200, 2_000)
def odt_style_chain(chance: Random, size: int) -> bytes:
    styles = "".join(
        f'<style:style style:name="s{place}" style:parent-style-name="s{place + 1}"/>' for place in range(size)
    )
    return files.open_text('<text:p text:style-name="s0">word</text:p>' * size, styles)


@kind("odt", 8, 60, is_steady=False)
def odt_nested_lists(chance: Random, size: int) -> bytes:
    depth = min(size, 60)
    opened = "<text:list><text:list-item><text:p>a</text:p>" * depth
    return files.open_text(opened + "</text:list-item></text:list>" * depth)


@kind("odt", 1_000, 16_000)
def odt_frames(chance: Random, size: int) -> bytes:
    box = "<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>"
    return files.open_text(f"<text:p>a{box * size}</text:p>")


@kind("odt", 1_000, 12_000)
def odt_list(chance: Random, size: int) -> bytes:
    item = "<text:list-item><text:p>a</text:p></text:list-item>"
    return files.open_text(f"<text:list>{item * size}</text:list>")


def book(chapters: dict[str, str], contents: str = "") -> bytes:
    """An EPUB with these chapters by name, and a table of contents where there is one."""
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in chapters)
    items += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' if contents else ""
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    members: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": files.CONTAINER,
        "OEBPS/book.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    members |= {f"OEBPS/{name}.xhtml": f"<html><body>{body}</body></html>" for name, body in chapters.items()}
    return files.zipped(members | ({"OEBPS/nav.xhtml": contents} if contents else {}))


@kind("epub", 200, 1_500)
def epub_chapters(chance: Random, size: int) -> bytes:
    chapters = {f"c{place}": f"<p>word {place}</p>" for place in range(size)}
    entries = "".join(f'<li><a href="{name}.xhtml">Chapter {name}</a></li>' for name in chapters)
    return book(chapters, f"<html><body><nav><ol>{entries}</ol></nav></body></html>")


@kind("epub", 500, 5_000)
def epub_contents(chance: Random, size: int) -> bytes:
    body = "".join(f'<p id="p{place}">Part {place}</p>' for place in range(size))
    entries = "".join(f'<li><a href="c.xhtml#p{place}">Part {place}</a></li>' for place in range(size))
    return book({"c": body}, f"<html><body><nav><ol>{entries}</ol></nav></body></html>")


@kind("epub", 500, 5_000)
def epub_lost_contents(chance: Random, size: int) -> bytes:
    entries = "".join(f'<li><a href="c.xhtml#x{place}">Lost {place}</a></li>' for place in range(size))
    return book({"c": f"<p>{words(chance, size)}</p>"}, f"<html><body><nav>{'<ol>' * 90}{entries}</nav></body></html>")


@kind("epub", 5_000, 80_000)
def epub_one_chapter(chance: Random, size: int) -> bytes:
    return book({"c": "<p>word</p>" * size})


@kind("pptx", 30, 400)
def pptx_shapes(chance: Random, size: int) -> bytes:
    def build(deck: object) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[6])  # type: ignore[attr-defined]
        for place in range(size):
            slide.shapes.add_textbox(place * 1000, 0, 1000, 1000).text_frame.text = f"word {place}"

    return files.slides(build)


@kind("pptx", 8, 40, is_steady=False)
def pptx_groups(chance: Random, size: int) -> bytes:
    def build(deck: object) -> None:
        shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes  # type: ignore[attr-defined]
        for _ in range(min(size, 40)):
            shapes.add_textbox(0, 0, 1000, 1000).text_frame.text = "word"
            shapes = shapes.add_group_shape().shapes

    return files.slides(build)


@kind("pptx", 10, 80)
def pptx_slides(chance: Random, size: int) -> bytes:
    def build(deck: object) -> None:
        for _ in range(size):
            deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = words(chance, 4)  # type: ignore[attr-defined]

    return files.slides(build)


@kind("pptx", 200, 2_000)
def pptx_chart(chance: Random, size: int) -> bytes:
    def build(deck: object) -> None:
        from pptx.chart.data import CategoryChartData
        from pptx.enum.chart import XL_CHART_TYPE

        data = CategoryChartData()
        data.categories = [f"c{place}" for place in range(size)]
        data.add_series("s", [1] * size)
        slide = deck.slides.add_slide(deck.slide_layouts[6])  # type: ignore[attr-defined]
        slide.shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, 9999, 9999, data)

    return files.slides(build)


@kind("pptx", 30, 200)
def pptx_table(chance: Random, size: int) -> bytes:
    def build(deck: object) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[6])  # type: ignore[attr-defined]
        slide.shapes.add_table(size, 10, 0, 0, 9999, 9999)

    return files.slides(build)
