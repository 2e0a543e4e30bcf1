"""Write headings, paragraphs, lists, tables and real footnotes into a Word document."""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from html import escape
from io import BytesIO

from pincite.conversations.export.formula_docx import write_omml
from pincite.conversations.export.text_canvas import TextRun
from pincite.text.display import join_broken_words

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
# Characters that XML cannot contain.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INDENT = 360  # of a list in a list, in twentieths of a point
_FAINT = "606668"
_FOOTNOTE = "FootnoteText"
_STYLES = f"""{_XML}<w:styles {_W}>
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia"/><w:sz w:val="22"/>
</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="300" w:lineRule="auto"/></w:pPr>
</w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:qFormat/>
<w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>
{{headings}}
<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/><w:qFormat/>
<w:pPr><w:pBdr><w:left w:val="single" w:sz="12" w:space="10" w:color="C98A1B"/></w:pBdr><w:ind w:left="360"/></w:pPr>
</w:style>
<w:style w:type="paragraph" w:styleId="{_FOOTNOTE}"><w:name w:val="footnote text"/><w:basedOn w:val="Normal"/>
<w:pPr><w:spacing w:after="40" w:line="240" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/>
<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>
<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>{{borders}}
</w:tblBorders></w:tblPr></w:style>
</w:styles>"""
_HEADING = (
    '<w:style w:type="paragraph" w:styleId="Heading{0}"><w:name w:val="heading {0}"/><w:basedOn w:val="Normal"/>'
    '<w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="{1}"/></w:pPr>'
    '<w:rPr><w:b/><w:sz w:val="{2}"/></w:rPr></w:style>'
)
_SIZES = {1: 32, 2: 28, 3: 24}
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_TYPES = {
    "document": "document.main",
    "footnotes": "footnotes",
    "styles": "styles",
    "settings": "settings",
}


class DocxCanvas:
    """A Word document under construction. A place is the number of a footnote, which `here` writes."""

    def __init__(self, title: str, language: str, made: datetime) -> None:
        self._title = title
        self._language = language
        self._made = made
        self._body: list[str] = []
        self._notes: list[str] = []
        self._places = 0
        self._note: int | None = None  # the footnote whose text comes next
        self._numbers: dict[int, int] = {}  # of the footnotes, as Word counts them: in the order of their first marks

    def make_bytes(self) -> bytes:
        """Return the document as bytes."""
        stream = BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self._list_parts().items():
                archive.writestr(name, content)
        return stream.getvalue()

    def heading(self, runs: Sequence[TextRun], level: int) -> None:
        """Add a heading. The first level is the title of the document."""
        style = "Title" if level <= 1 else f"Heading{min(level - 1, 3)}"
        self._body.append(_write_paragraph(self._write_runs(runs), style))

    def paragraph(self, runs: Sequence[TextRun], depth: int = 0, bullet: str = "", small: bool = False) -> None:
        """Add a paragraph, indented by `depth` steps, with a bullet if it is a list item; or the text of a footnote."""
        if self._note is not None:
            reference = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
            text = _write_paragraph(reference + _write_run(TextRun(" ")) + self._write_runs(runs), _FOOTNOTE)
            self._notes.append(f'<w:footnote w:id="{self._note}">{text}</w:footnote>')
            self._note = None
            return
        first = [TextRun(f"{bullet}\t")] if bullet else []
        indent = _write_indent(depth, bool(bullet))
        self._body.append(_write_paragraph(self._write_runs([*first, *runs], small), properties=indent))

    def formula(self, runs: Sequence[TextRun]) -> None:
        """Add a formula on a line of its own, with its citation marks."""
        if len(runs) == 1 and (equation := _write_equation(runs[0])):
            content = f"<m:oMathPara>{equation}</m:oMathPara>"
            self._body.append(_write_paragraph(content))
        else:
            self._body.append(_write_paragraph(self._write_runs(runs), properties='<w:jc w:val="center"/>'))

    def quote(self, runs: Sequence[TextRun]) -> None:
        """Add a paragraph that quotes a source."""
        self._body.append(_write_paragraph(self._write_runs(runs), "Quote"))

    def place(self) -> int:
        """Return the number of a new footnote."""
        self._places += 1
        return self._places

    def here(self, place: int) -> None:
        """Let the next paragraph be the text of a footnote."""
        self._note = place

    def rule(self) -> None:
        """Add a thin line over the whole width."""
        line = '<w:pBdr><w:bottom w:val="single" w:sz="4" w:space="1" w:color="A39B8B"/></w:pBdr>'
        self._body.append(_write_paragraph("", properties=line))

    def table(self, rows: Sequence[Sequence[Sequence[TextRun]]]) -> None:
        """Add a table. Its first row has the headings."""
        width = max(map(len, rows), default=1)
        written = []
        for number, cells in enumerate(rows):
            shown = cells if number else [[replace(run, bold=True) for run in cell] for cell in cells]
            made = "".join(
                f"<w:tc><w:tcPr/>{_write_paragraph(self._write_runs(cell))}</w:tc>"
                for cell in [*shown, *[()] * (width - len(cells))]
            )
            written.append(f"<w:tr>{made}</w:tr>")
        grid = "<w:gridCol/>" * width
        self._body.append(
            f'<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="5000" w:type="pct"/></w:tblPr>'
            f"<w:tblGrid>{grid}</w:tblGrid>{''.join(written)}</w:tbl>{_write_paragraph('')}"
        )

    def _write_runs(self, runs: Sequence[TextRun], small: bool = False) -> str:
        return "".join(
            self._write_reference(run.link)
            if run.raised and isinstance(run.link, int)
            else _write_equation(run) or _write_run(run, small)
            for run in runs
        )

    def _write_reference(self, note: int) -> str:
        """Return the mark of a footnote. Word counts each reference, so a repeated mark is a field with the number."""
        style = '<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
        name = f"_RefNote{note}"
        if number := self._numbers.get(note):
            field = f'<w:fldSimple w:instr=" NOTEREF {name} \\f \\h ">'
            return f"{field}<w:r>{style}<w:t>{number}</w:t></w:r></w:fldSimple>"
        self._numbers[note] = len(self._numbers) + 1
        mark = f'<w:bookmarkStart w:id="{note}" w:name="{name}"/><w:r>{style}<w:footnoteReference w:id="{note}"/></w:r>'
        return f'{mark}<w:bookmarkEnd w:id="{note}"/>'

    def _list_parts(self) -> dict[str, str]:
        overrides = "".join(
            f'<Override PartName="/word/{name}.xml" ContentType="{_WORD}.{kind}+xml"/>' for name, kind in _TYPES.items()
        )
        headings = "".join(_HEADING.format(level, level - 1, size) for level, size in _SIZES.items())
        separators = "".join(
            f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{mark}/></w:r></w:p></w:footnote>'
            for number, kind, mark in (
                (-1, "separator", "separator"),
                (0, "continuationSeparator", "continuationSeparator"),
            )
        )
        when = self._made.strftime("%Y-%m-%dT%H:%M:%SZ")
        page = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
        page += 'w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'
        return {
            "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{overrides}'
            f'<Override PartName="/docProps/core.xml" '
            f'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
            "_rels/.rels": _write_relations(
                ("officeDocument", f"{_OFFICE}/officeDocument", "word/document.xml"),
                ("core", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            ),
            "word/_rels/document.xml.rels": _write_relations(
                *((name, f"{_OFFICE}/{name}", f"{name}.xml") for name in ("styles", "footnotes", "settings"))
            ),
            "word/document.xml": f"{_XML}<w:document {_W} {_M}><w:body>{''.join(self._body)}{page}</w:body>"
            "</w:document>",
            "word/footnotes.xml": f"{_XML}<w:footnotes {_W}>{separators}{''.join(self._notes)}</w:footnotes>",
            "word/styles.xml": _STYLES.format(headings=headings, borders=_BORDERS),
            "word/settings.xml": f'{_XML}<w:settings {_W} {_M}><w:footnotePr><w:footnote w:id="-1"/>'
            '<w:footnote w:id="0"/></w:footnotePr><m:mathPr><m:mathFont m:val="Cambria Math"/></m:mathPr>'
            f'<w:themeFontLang w:val="{self._language}"/></w:settings>',
            "docProps/core.xml": f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
            'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            f"<dc:title>{_escape_text(self._title)}</dc:title><dc:creator>Pincite</dc:creator>"
            f'<dcterms:created xsi:type="dcterms:W3CDTF">{when}</dcterms:created></cp:coreProperties>',
        }


def _write_paragraph(content: str, style: str = "", properties: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{content}</w:p>"


def _write_indent(depth: int, is_item: bool) -> str:
    if not depth:
        return ""
    tabs = f'<w:tabs><w:tab w:val="left" w:pos="{depth * _INDENT}"/></w:tabs>' if is_item else ""
    hanging = f' w:hanging="{_INDENT}"' if is_item else ""
    return f'{tabs}<w:ind w:left="{depth * _INDENT}"{hanging}/>'


def _write_equation(run: TextRun) -> str:
    """Return the equation of a run, or an empty text if it has none."""
    tree = run.formula.tree if run.formula else None
    return write_omml(tree, _escape_text) if tree else ""


def _write_run(run: TextRun, small: bool = False) -> str:
    """Return a run of text. A line end in it is a line break, a tab is a tab."""
    looks = [
        "<w:b/>" if run.bold else "",
        "<w:i/>" if run.italic else "",
        f'<w:color w:val="{_FAINT}"/>' if run.faint else "",
        '<w:sz w:val="19"/>' if small else "",
        '<w:vertAlign w:val="superscript"/>' if run.raised else "",
    ]
    pieces = re.split(r"([\n\t])", join_broken_words(run.text))
    marks = {"\n": "<w:br/>", "\t": "<w:tab/>"}
    texts = "".join(
        marks.get(piece) or f'<w:t xml:space="preserve">{_escape_text(piece)}</w:t>' for piece in pieces if piece
    )
    return f"<w:r><w:rPr>{''.join(looks)}</w:rPr>{texts}</w:r>"


def _escape_text(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text), quote=False)


def _write_relations(*relations: tuple[str, str, str]) -> str:
    written = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target="{target}"/>' for name, kind, target in relations
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{written}</Relationships>'
