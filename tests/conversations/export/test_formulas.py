"""Formulas in exported files: MathML in HTML, equations in Word, text with raised parts in PDF, LaTeX in Markdown."""

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import docx
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2.raw import FPDF_PAGEOBJ_PATH
from tests.conversations.export.test_text_export import answered, cited, talk

from pincite.conversations.export.docx_canvas import DocxCanvas
from pincite.conversations.export.footnotes import annotate_answer
from pincite.conversations.export.formula_text import spell_formula, write_plain
from pincite.conversations.export.formula_tree import ShownFormula, parse_formula, write_mathml
from pincite.conversations.export.pdf_export import export_pdf
from pincite.conversations.export.pdf_layout import PdfLayout
from pincite.conversations.export.text_export import export_html, export_markdown

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
TEXT = (
    "The area is $\\pi r^2$. [1]\n\n$$\n\\sum_{i=1}^{n} \\frac{a_i}{2} \\le 3 [1]\n$$\n\n"
    "It costs $5 or $6, and $\\foo{x}$."
)


def _write_docx(text: str) -> bytes:
    answer = answered(text, citations=[cited(1)])
    found = annotate_answer(answer, "en")
    canvas = DocxCanvas("Title", "en", datetime(2026, 1, 1, tzinfo=UTC))
    PdfLayout(canvas, {1: canvas.place()}, found.notes, formulas=found.formulas).lay(found.text)
    return canvas.make_bytes()


def _read_body(content: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return ElementTree.fromstring(archive.read("word/document.xml"))


def _read_pdf(text: str) -> str:
    pdf = pypdfium2.PdfDocument(export_pdf(talk(("?", answered(text, citations=[cited(1)])))))
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())


def test_a_page_has_mathml_and_the_source_of_what_cannot_be_parsed() -> None:
    page = export_html(talk(("?", answered(TEXT, citations=[cited(1)]))))
    assert '<math display="inline"><semantics><mrow><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup></mrow>' in page
    assert '<annotation encoding="application/x-tex">\\pi r^2</annotation>' in page
    display = page.index('<math display="block">')
    assert "<munderover><mo>∑</mo>" in page[display:]
    assert page[display:].index("</math>") < page[display:].index('href="#note-1-1"')  # the mark left the formula
    assert "$\\foo{x}$" in page
    assert "It costs $5 or $6" in page


def test_markdown_keeps_the_latex() -> None:
    text = export_markdown(talk(("?", answered(TEXT, citations=[cited(1)]))))
    assert "$\\pi r^2$" in text
    assert "$$\n\\sum_{i=1}^{n} \\frac{a_i}{2} \\le 3" in text
    assert "$\\foo{x}$" in text


def test_a_word_document_has_equations() -> None:
    content = _write_docx(TEXT)
    docx.Document(io.BytesIO(content))
    body = _read_body(content)
    inline, display = body.iter(f"{MATH}oMath")
    assert ["".join(each.itertext()) for each in inline.iter(f"{MATH}sSup")] == ["r2"]
    [sum_] = display.iter(f"{MATH}nary")
    assert sum_.find(f"{MATH}naryPr/{MATH}chr").get(f"{MATH}val") == "∑"
    assert "".join(sum_.find(f"{MATH}sub").itertext()) == "i=1"
    assert "".join(sum_.find(f"{MATH}e/{MATH}f/{MATH}den").itertext()) == "2"
    assert "$\\foo{x}$" in "".join(body.itertext())


def test_a_formula_alone_is_a_display_equation_of_word() -> None:
    body = _read_body(_write_docx("Before\n\n\\[x = 1\\]\n\nAfter"))
    [equation] = body.iter(f"{MATH}oMathPara")
    assert "".join(equation.itertext()) == "x=1"


@pytest.mark.parametrize(
    ("tex", "tags"),
    [
        ("\\sqrt{x}", ["rad"]),
        ("\\sqrt[3]{x}", ["rad"]),
        ("\\left(\\frac{a}{b}\\right)", ["d", "f"]),
        ("\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", ["d", "m"]),
        ("f=\\begin{cases}1&x<0\\\\0\\end{cases}", ["d", "m"]),
        ("\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", ["m"]),
        ("\\binom{n}{k}", ["d", "f"]),
        ("\\hat{x}+\\overline{y}+\\underbrace{z}_{n}", ["acc", "bar", "groupChr", "limLow"]),
        ("\\int_0^1 x", ["nary"]),
        ("x_i^2 + y_i", ["sSubSup", "sSub"]),
        ("\\underset{x}{\\arg\\max}\\, f", ["limLow"]),
        ("\\boxed{x}\\phantom{y}", ["borderBox", "phant"]),
    ],
)
def test_each_form_is_an_element_of_word(tex: str, tags: list[str]) -> None:
    body = _read_body(_write_docx(f"$${tex}$$"))
    found = {element.tag.removeprefix(MATH) for element in body.iter() if element.tag.startswith(MATH)}
    assert set(tags) <= found


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        ("E = mc^2", "E = mc^2"),
        ("\\frac{a+b}{2}", "(a + b)/2"),
        ("x_{i+1}^{10}", "x_(i+1)^(10)"),
        ("\\sqrt{x^2+1}", "√(x^2 + 1)"),
        ("e^{-x^2}", "e^(−x²)"),
        ("\\sum_{i=1}^{n} x_i", "∑_(i=1)^nx_i"),
        ("20^\\circ\\mathrm{C}", "20°C"),
        ("\\sin x", "sin x"),
        ("f'(x)", "f′(x)"),
    ],
)
def test_a_formula_is_written_on_one_line(tex: str, line: str) -> None:
    tree = parse_formula(tex)
    assert tree
    pieces = spell_formula(tree)
    assert pieces
    assert write_plain(pieces) == line


def test_a_pdf_has_the_formula_on_one_line_or_its_source() -> None:
    text = _read_pdf("The area is $\\pi r^2$ for $\\forall x$. [1] And $\\foo$, $\\begin{matrix}1\\end{matrix}$.")
    assert "The area is πr2" in text  # the 2 is raised
    assert "∀x" in text
    assert "$\\foo$" in text
    assert "$\\begin{matrix}1\\end{matrix}$" in text


def test_a_pdf_draws_a_formula_that_has_a_line_of_its_own() -> None:
    made = export_pdf(talk(("?", answered("1. $$\\frac{1}{2}$$ [1]\n2. Two", citations=[cited(1)]))))
    page = pypdfium2.PdfDocument(made)[0]
    shapes = [each for each in page.get_objects() if each.type == FPDF_PAGEOBJ_PATH]
    assert len(shapes) >= 3  # both figures and the line between them
    text = " ".join(page.get_textpage().get_text_range().split())
    assert "$" not in text
    assert "1. [1] 2. Two" in text.replace("1. 1. ", "1. ")


def test_a_formula_that_is_too_wide_fits_the_page() -> None:
    made = export_pdf(talk(("?", answered(f"$${' + '.join(['x^2'] * 90)}$$"))))
    page = pypdfium2.PdfDocument(made)[0]
    edges = [each.get_bounds()[2] for each in page.get_objects() if each.type == FPDF_PAGEOBJ_PATH]
    assert max(edges) < page.get_width() - 40


def test_a_formula_in_a_table_and_in_a_heading_is_text() -> None:
    text = _read_pdf("# About $x^2$\n\n| a | b |\n|---|---|\n| $y_1$ | 2 |\n")
    assert "$" not in text
    assert "y_1" in text


@pytest.mark.parametrize(
    "tex",
    [
        "\\href{javascript:alert(1)}{x}",
        "\\text{<script>alert(1)</script>}",
        "\\text{&lt;img src=x onerror=alert(1)&gt;}",
        "\\style{background:url(//evil.example)}{x}",
        "\\class{a}{x}",
        '\\color{red" onclick="alert(1)}{x}',
    ],
)
def test_nothing_in_a_formula_links_or_runs(tex: str) -> None:
    page = write_mathml(ShownFormula(tex, f"${tex}$", False))
    shown = re.sub(r"<annotation.*?</annotation>", "", page)
    assert not re.search(r"<(?!/?(?:math|semantics|m[a-z]+)\b)", shown)
    assert not re.search(r"\b(?:href|style|class|onclick|onerror)=\"", shown)
    assert "<script" not in page


@pytest.mark.parametrize(
    "tex", ["\\frac{", "a}", "\\foo", "\\def\\a{xx}\\a", "{" * 900 + "}" * 900, "\\left(", "a & b", ""]
)
def test_text_that_is_no_formula_stays_as_written(tex: str) -> None:
    assert write_mathml(ShownFormula(tex, f"$<{tex}>$", False)) == f"$&lt;{tex.replace('&', '&amp;')}&gt;$"


def test_code_with_signs_of_formulas_stays_code() -> None:
    page = export_html(talk(("?", answered("`$x^2$`\n\n    $y^2$\n\n[a](https://a.example/\\(z^2\\))"))))
    assert "<math" not in page
    assert "$x^2$" in page
    assert "$y^2$" in page


@given(
    st.lists(
        st.sampled_from(
            [
                "\\frac",
                "{",
                "}",
                "^",
                "_",
                "x",
                "&",
                "\\\\",
                "\\left(",
                "\\right)",
                "\\begin{matrix}",
                "\\end{matrix}",
                "\\sum",
                "\\hat",
                "<",
                "\\text{",
                "\\sqrt[",
            ]
        )
    )
)
def test_any_latex_is_exported(parts: list[str]) -> None:
    tex = " ".join(parts)
    text = f"A $${tex}$$ B [1]"
    body = _read_body(_write_docx(text))
    assert "A " in "".join(body.itertext())
    ElementTree.fromstring(f"<p>{write_mathml(ShownFormula(tex, tex, True))}</p>")
