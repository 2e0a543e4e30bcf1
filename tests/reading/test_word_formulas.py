"""The equations of a Word file keep their fractions, indices and brackets on one line."""

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from tests.files import read_bytes, word

MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def run(words: str) -> str:
    return f"<m:r><m:t>{words}</m:t></m:r>"


FRACTION = f"<m:f><m:num>{run('18.4')}</m:num><m:den>{run('7.5')}</m:den></m:f>"
SUM = f"<m:f><m:num>{run('a+b')}</m:num><m:den>{run('2')}</m:den></m:f>"


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        (f"{run('g=')}{FRACTION}{run('−1')}", "g=18.4/7.5−1"),
        (SUM, "(a+b)/2"),
        (f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "x^2"),
        (f"<m:sSub><m:e>{run('x')}</m:e><m:sub>{run('i+1')}</m:sub></m:sSub>", "x_(i+1)"),
        (f"<m:sSubSup><m:e>{run('x')}</m:e><m:sub>{run('1')}</m:sub><m:sup>{run('n')}</m:sup></m:sSubSup>", "x_1^n"),
        (f"<m:rad><m:deg/><m:e>{run('a+b')}</m:e></m:rad>", "√(a+b)"),
        (f"<m:d><m:e>{SUM}</m:e></m:d>", "((a+b)/2)"),
        (f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{run("a")}</m:e></m:d>', "[a]"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{run("i=1")}</m:sub><m:sup>{run("n")}</m:sup>'
            f"<m:e>{run('i')}</m:e></m:nary>",
            "∑_(i=1)^n i",
        ),
    ],
)
def test_an_equation_reads_as_it_is_meant(tmp_path: Path, inner: str, told: str) -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("So ")
        paragraph._p.append(parse_xml(f"<m:oMath {nsdecls('w')} {MATH}>{inner}</m:oMath>"))
        paragraph.add_run(" holds.")

    assert read_bytes(tmp_path, "a.docx", word(fill)).text.strip() == f"So {told} holds."
