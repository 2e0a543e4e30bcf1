"""Small documents of every kind but PDF, made on the spot."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Block, Document


def read_bytes(folder: Path, name: str, data: bytes, **given: Any) -> Document:
    """The document read from bytes under a name."""
    path = folder / "bytes"
    path.write_bytes(data)
    return read(Source(path, name, **given))


def of_kind(document: Document, kind: str) -> list[str]:
    """The texts of the document's blocks of one kind."""
    return [document.text[block.start : block.end] for block in document.blocks if block.kind == kind]


def clean(text: str) -> str:
    """Text as a reader may give it back: what XML cannot hold left out, ends stripped."""
    return "".join(char for char in text if char >= " " and char not in "\ufffe\uffff").strip()


def headings(document: Document) -> list[tuple[int, str]]:
    return [(b.level, document.text[b.start : b.end]) for b in document.blocks if b.kind == "heading"]


def assert_sound(document: Document) -> None:
    """Blocks lie in the text, in order and apart; pages tile it up to its hidden words; the text can be stored."""
    text = document.text
    text.encode("utf-8")
    assert "\0" not in text
    end = 0
    for block in document.blocks:
        assert isinstance(block, Block)
        assert end <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip()
        assert (block.level > 0) == (block.kind == "heading")
        end = block.end
    if document.pages:
        assert document.pages[0].start == 0
        hidden = next((block.start for block in document.blocks if block.kind == "hidden"), len(text))
        assert document.pages[-1].end == len(text[:hidden].rstrip() if hidden < len(text) else text)
        assert all(block.kind == "hidden" for block in document.blocks if block.start >= hidden)
        for before, after in zip(document.pages, document.pages[1:], strict=False):
            assert before.end == after.start
            assert before.number + 1 == after.number


def word(build: Callable[[Any], object] | None = None) -> bytes:
    import docx

    document = docx.Document()
    if build:
        build(document)
    else:
        document.core_properties.title = "Rapport d'activité"
        document.core_properties.author = "Zoé Lefèvre"
        document.add_heading("Les résultats", 1)
        document.add_paragraph("Le chiffre d'affaires a augmenté de douze pour cent.")
        document.add_paragraph("Première raison", style="List Bullet")
        table = document.add_table(2, 2)
        for place, value in enumerate(("Année", "Montant", "2023", "1 200")):
            table.cell(place // 2, place % 2).text = value
    return _saved(document)


def slides(build: Callable[[Any], None] | None = None) -> bytes:
    import pptx

    deck = pptx.Presentation()
    if build:
        build(deck)
    else:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Stratégie"
        slide.placeholders[1].text = "Un\nDeux"
        slide.notes_slide.notes_text_frame.text = "Parler lentement."
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Merci"
    return _saved(deck)


def workbook(build: Callable[[Any], None] | None = None) -> bytes:
    import openpyxl

    book: Any = openpyxl.Workbook()
    if build:
        build(book)
    else:
        book.active.title = "Ventes"
        for row in (["Région", "Total"], ["Nord", 1234.0], ["Sud", 0.5]):
            book.active.append(row)
    return _saved(book)


def zipped(members: dict[str, bytes | str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A ZIP container with its members changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zipped({name: change(name, archive.read(name)) for name in archive.namelist()})


CONTAINER = """<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"""


def book(more: Mapping[str, bytes | str] | None = None) -> bytes:
    chapters = {
        "b": "<h1>Premier chapitre</h1><p>Il était une fois un lapin.</p>",
        "a": "<h1>Second chapitre</h1><p>Le lapin s'en alla.</p>",
    }
    items = "".join(
        f'<item id="{n}" href="text/{n}.xhtml" media-type="application/xhtml+xml"/>' for n in sorted(chapters)
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <metadata><dc:title>Le lapin</dc:title><dc:creator>A. Martin</dc:creator>
    <dc:date>1999-12-31T00:00:00</dc:date></metadata>
    <manifest>{items}</manifest><spine>{spine}</spine></package>"""
    pages = {
        f"OEBPS/text/{name}.xhtml": f"<?xml version='1.0' encoding='utf-8'?><html><body>{body}</body></html>"
        for name, body in chapters.items()
    }
    members: dict[str, bytes | str] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    return zipped(members | {"OEBPS/book.opf": package} | pages | dict(more or {}))


RICH = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Arial;}}
{\stylesheet{\ql Normal;}{\s1\b heading 1;}}{\info{\title Rapport annuel}{\author Zo\'eb}}
\pard\s1 Les r\'e9sultats\par\pard\plain Le chiffre a augment\'e9 de \u8364?12.\par
\trowd\cellx900\cellx1800\pard\intbl Ann\'e9e\cell Montant\cell\row
\trowd\cellx900\cellx1800\pard\intbl 2023\cell 1 200\cell\row
\pard Fin.\par}"""

_OPEN_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{place}:1.0"'
    for name, place in (
        *(("office", "office"), ("text", "text"), ("table", "table"), ("style", "style")),
        *(("fo", "xsl-fo-compatible"), ("draw", "drawing"), ("meta", "meta")),
        *(("svg", "svg-compatible"), ("presentation", "presentation")),
    )
)


def open_text(
    body: str,
    styles: str = "",
    meta: str = "",
    more: Mapping[str, bytes | str] | None = None,
    kind: str = "text",
) -> bytes:
    """An OpenDocument file, a text for one, with this in its body, its automatic styles and its properties."""
    members: dict[str, bytes | str] = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {_OPEN_NAMES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>",
        "meta.xml": f'<office:document-meta {_OPEN_NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
        f"{meta}</office:meta></office:document-meta>",
    }
    return zipped(members | dict(more or {}))


OPEN_SHEET = """<table:table table:name="Ventes"><table:table-row><table:table-cell><text:p>Ville</text:p>
</table:table-cell><table:table-cell><text:p>Montant</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Brest</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="1200"><text:p>1 200</text:p></table:table-cell>
</table:table-row></table:table>"""
OPEN_SLIDE = """<draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box>
<text:p>La marée</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline" svg:y="4cm">
<draw:text-box><text:list><text:list-item><text:p>lune</text:p></text:list-item></text:list></draw:text-box></draw:frame></draw:page>"""


def notebook(cells: list[dict[str, Any]] | None = None, **metadata: Any) -> bytes:
    made = cells or [
        {"cell_type": "markdown", "source": ["# La marée\n", "\n", "La lune *attire* les eaux."]},
        {
            "cell_type": "code",
            "source": "def height(hour):\n    return 3 * hour",
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["12 m\n"]}],
        },
    ]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def message(html: bool = False) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Réunion du 3 février"
    mail["From"] = "Éric Noël <eric@example.org>"
    mail["To"] = "zoe@example.org"
    mail["Date"] = "Fri, 03 Feb 2023 10:00:00 +0100"
    mail["Message-ID"] = "<1@example.org>"
    if html:
        mail.set_content("<p>Bonjour <b>Zoé</b>,</p><p>à demain.</p>", subtype="html")
    else:
        mail.set_content("Bonjour Zoé,\n\nla réunion est déplacée à demain.\n")
    return mail.as_bytes()


def picture(
    text: str = "Invoice number 4711", size: tuple[int, int] = (900, 200), form: str = "PNG", **save: Any
) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((40, 60), text, fill="black", font=ImageFont.load_default(48))
    data = io.BytesIO()
    image.save(data, form, **save)
    return data.getvalue()


def printed(text: str) -> bytes:
    """A scan of one line at 150 dots per inch, in letters that have accents."""
    import pypdfium2
    from fpdf import FPDF

    sheet = FPDF(unit="pt", format=(420, 100))
    sheet.add_page()
    sheet.set_font("Helvetica", size=28)
    sheet.text(30, 50, text)
    pdf = pypdfium2.PdfDocument(bytes(sheet.output()))
    data = io.BytesIO()
    pdf[0].render(scale=150 / 72).to_pil().save(data, "PNG", dpi=(150, 150))
    pdf.close()
    return data.getvalue()


def page(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


ARTICLE = page(
    "<nav><a href='/'>Accueil</a></nav><article><h1>La marée</h1>"
    "<p>La marée est le mouvement de la mer causé par l'attraction de la lune et du soleil sur les eaux.</p>"
    "<h2>Causes</h2><p>La force d'attraction varie avec la distance, et les océans y répondent avec retard.</p>"
    "<ul><li>la lune</li><li>le soleil</li></ul></article><footer>Mentions légales</footer>",
    "<title>La marée</title>",
)


def samples() -> dict[str, bytes]:
    """A real small file of every format, by name."""
    return {
        "a.docx": word(),
        "a.pptx": slides(),
        "a.xlsx": workbook(),
        "a.epub": book(),
        "a.eml": message(),
        "b.eml": message(html=True),
        "a.html": ARTICLE,
        "a.md": b"---\ntitle: Note\n---\n# Titre\n\nTexte.\n\n- a\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx\n```\n",
        "a.txt": b"Un paragraphe\nsur deux lignes.\n\nUn autre.\fPage deux.",
        "a.csv": "nom;âge\nZoé;12\nÉric;40\n".encode("cp1252"),
        "a.py": b'"""Doc."""\n\nimport os\n\n\ndef f():\n    return 1\n\n\nclass A:\n    x = 1\n',
        "a.json": b'{"name": "Zo\\u00e9", "items": [1, 2.50, {"a": null}]}',
        "a.jsonl": b'{"a": 1}\n{"a": 2}\n',
        "a.rtf": RICH,
        "a.odt": open_text('<text:h text:outline-level="1">Titre</text:h><text:p>Texte.</text:p>'),
        "a.ods": open_text(OPEN_SHEET, kind="spreadsheet"),
        "a.odp": open_text(OPEN_SLIDE, kind="presentation"),
        "a.ipynb": notebook(),
        "a.png": picture(),
        "a.tiff": picture(form="TIFF"),
    }


def _saved(document: Any) -> bytes:
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()
