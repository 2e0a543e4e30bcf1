"""Workbooks, written part by part, and archives that unpack to much."""

from random import Random

from tests import files
from tests.hostile.kinds import kind, words

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


_SHARED = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_OFFICE}.sharedStrings+xml"/>'


def workbook(sheets: list[str], strings: str = "") -> bytes:
    """A workbook of sheets, each given as its rows, with shared strings where there are any."""
    numbers = range(1, len(sheets) + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_OFFICE}.worksheet+xml"/>' for n in numbers
    )
    names = "".join(f'<sheet name="Sheet {n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
    targets = "".join(
        f'<Relationship Id="r{n}" Type="{_TYPE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in numbers
    )
    shared = f'<Relationship Id="s" Type="{_TYPE}/sharedStrings" Target="sharedStrings.xml"/>' if strings else ""
    names_of = 'xmlns="http://schemas.openxmlformats.org/package/2006/'
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": f'<Types {names_of}content-types">'
        f'<Default Extension="xml" ContentType="application/xml"/>'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_OFFICE}.sheet.main+xml"/>{parts}'
        f"{_SHARED if strings else ''}</Types>",
        "_rels/.rels": f'<Relationships {names_of}relationships"><Relationship Id="a" Type="{_TYPE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f"<workbook {_MAIN} {_R}><sheets>{names}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships {names_of}relationships">{targets}{shared}</Relationships>',
    }
    members |= {f"xl/worksheets/sheet{n}.xml": sheet(rows) for n, rows in zip(numbers, sheets, strict=True)}
    if strings:
        members["xl/sharedStrings.xml"] = f"<sst {_MAIN}>{strings}</sst>"
    return files.zipped(members)


def sheet(rows: str) -> str:
    return f'<worksheet {_MAIN}><dimension ref="A1:XFD1048576"/><sheetData>{rows}</sheetData></worksheet>'


@kind("xlsx", 500, 8_000)
def xlsx_claimed_size(chance: Random, size: int) -> bytes:
    return workbook(["".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, size))])


@kind("xlsx", 500, 12_000)
def xlsx_one_row(chance: Random, size: int) -> bytes:
    return workbook([f"<row>{'<c><v>1</v></c>' * size}</row><row><c><v>2</v></c></row>"])


@kind("xlsx", 100, 2_000)
def xlsx_far_cells(chance: Random, size: int) -> bytes:
    return workbook(["".join(f'<row r="{n}"><c r="XFD{n}"><v>{n}</v></c></row>' for n in range(1, size // 10))])


@kind("xlsx", 10, 100, is_steady=False)
def xlsx_far_rows(chance: Random, size: int) -> bytes:
    return workbook(["".join(f'<row r="{n * 10**7}"><c><v>{n}</v></c></row>' for n in range(1, size))])


@kind("xlsx", 300, 8_000, is_steady=False)
def xlsx_shared_text(chance: Random, size: int) -> bytes:
    rows = '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>' * size
    return workbook([rows], f"<si><t>{words(chance, 5_000)}</t></si>")


@kind("xlsx", 2_000, 32_000)
def xlsx_strings(chance: Random, size: int) -> bytes:
    rows = '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>'
    return workbook([rows], "<si><t>word</t></si>" * size)


@kind("xlsx", 20, 300)
def xlsx_sheets(chance: Random, size: int) -> bytes:
    return workbook(["<row><c><v>1</v></c></row>"] * size)


@kind("xlsx", 200, 4_000)
def xlsx_stretches(chance: Random, size: int) -> bytes:
    return workbook(["<row><c><v>1</v></c><c><v>2</v></c></row><row/>" * size])


@kind("docx", 1_000_000, 150_000_000, is_steady=False)
def zip_bomb(chance: Random, size: int) -> bytes:
    return files.zipped({"word/document.xml": b"<a>" + b" " * size + b"</a>"})


@kind("docx", 1_000, 30_000, is_steady=False)
def zip_members(chance: Random, size: int) -> bytes:
    return files.zipped({"word/document.xml": "<a/>"} | {f"a{place}": b"" for place in range(size)})


@kind("zip", 100, 1_000, is_steady=False)
def zip_plain(chance: Random, size: int) -> bytes:
    return files.zipped({f"{place}.txt": words(chance, 5) for place in range(size)})
