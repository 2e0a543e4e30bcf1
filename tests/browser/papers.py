"""Documents for the page, made by the tests: every line of a PDF is one run of its text layer, at its own place."""

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from fpdf import FPDF

from tests import files
from tests.pdfs import make

NOTICE = "The notice period is three months for the tenant and six months for the owner."
RENT = "The rent is 840 euros a month, and it is paid on the fifth day of every month."
DEPOSIT = "A deposit of two monthly rents lies with the notary in Bergen until the end."
# One sentence over a page break: its first line is the last of page 1, its second the first of page 2.
REPAIR = (
    "The tenant keeps the wheel, the sluice and the millstones in good repair and",
    "tells the owner within eight days of any damage that the river has done.",
)
LEASE = (
    (
        "The lease of the mill at Sandvik begins on 1 March 2021 and runs for nine years.",
        NOTICE,
        RENT,
        DEPOSIT,
        *("The parties have read this page together and have no remark to make about it.",) * 3,
        REPAIR[0],
    ),
    (
        REPAIR[1],
        "The garden behind the mill belongs to the tenant, with all that grows in it.",
        "The owner may visit the mill twice a year, on a day that both have agreed on.",
    ),
    ("Signed in Bergen by both parties, in two copies of which each has received one.",),
)
LEFT = (
    "Herons breed in the reeds on the",
    "northern shore of the lake. Their",
    "number has doubled since the dam",
    "was opened in the spring of 1998.",
    "Eleven pairs were counted in June.",
    "Each nest was visited two times.",
)
RIGHT = (
    "Otters came back much later than",
    "the birds did. The first tracks on",
    "the southern bank were found in a",
    "cold week of November 2011, close",
    "to the old ferry, by two pupils.",
    "Nobody had been looking for them.",
)

CLOSED = "The factory in Bergen was closed in March 2015 because its lease had ended."
STAFF = "The company employs 412 people at three sites, nine more than the year before."


def write(path: Path, text: str) -> Path:
    """Write a document of plain text or Markdown; return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def own_lease(folder: Path) -> Path:
    """A lease with a name and bytes of its own, so that no other test has left highlights on its document."""
    path = lease(folder / f"lease-{uuid.uuid4()}.pdf")
    path.write_bytes(path.read_bytes() + f"% {path.name}\n".encode())
    return path


def lease(path: Path, turned: int = 0) -> Path:
    """A lease of three pages, upright or with a /Rotate of its own."""

    def draw(pdf: FPDF) -> None:
        pdf.set_title("Lease of the mill")
        for number, lines in enumerate(LEASE):
            pdf.add_page()
            if not number:
                pdf.set_font("Helvetica", "B", 18)
                pdf.text(60, 80, "Lease of the mill at Sandvik")
                pdf.set_font("Helvetica", size=11)
            # The sentence that goes on overleaf stands at the foot of its page.
            tops = [120 + 16 * at for at in range(len(lines))]
            _lines(pdf, 60, tops if number else [*tops[:-1], 780], lines)

    made = make(path, draw)
    if turned:
        written = pypdfium2.PdfDocument(made.read_bytes())
        for page in written:
            page.set_rotation(turned)
        written.save(made)
        written.close()
    return made


HYPHENED = ("Each nest that was counted belongs to the reed sys-", "tem of the northern lake, as everyone agrees.")


def hyphened(path: Path, title: str, first: str) -> Path:
    """A page with a sentence of its own, and a sentence with a word that its line end breaks."""

    def draw(pdf: FPDF) -> None:
        pdf.set_title(title)
        pdf.add_page()
        _lines(pdf, 60, (100, 140, 156), (first, *HYPHENED))

    return make(path, draw)


def labelled(path: Path) -> Path:
    """Two pages with Roman numbers and three with Arabic ones, of which the second is in the outline.

    The first has a link to the last and one to the web.
    """

    def draw(pdf: FPDF) -> None:
        pdf.set_title("Labelled")
        for number in range(5):
            style = {0: "r", 2: "D"}.get(number)
            pdf.add_page(label_style=style, label_start=1 if style else None)
            if number == 3:
                pdf.start_section("Of the mill")
            _lines(pdf, 60, (100,), (f"This is sheet {number + 1} of the file.",))
        pdf.page = 1
        last = pdf.add_link(page=5)
        pdf.link(60, 200, 100, 20, last)
        pdf.link(60, 240, 100, 20, "https://example.org/mill")

    return make(path, draw)


def columns(path: Path) -> Path:
    """Two columns of prose whose lines stand side by side."""

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 18)
        pdf.text(60, 80, "Birds and otters of the lake")
        pdf.set_font("Helvetica", size=11)
        tops = [120 + 16 * at for at in range(len(LEFT))]
        _lines(pdf, 60, tops, LEFT)
        _lines(pdf, 310, tops, RIGHT)

    return make(path, draw)


REVENUE = ("Net revenue", "3,991", "5,506")
COSTS = ("Cost of sales", "2,740", "3,120")
YEARS = ("2015", "2014")


def accounts(path: Path) -> Path:
    """Accounts of one page: two sentences, and a table of two years."""

    def draw(pdf: FPDF) -> None:
        pdf.set_title("Annual accounts")
        pdf.add_page()
        _lines(pdf, 60, (100, 116, 160), (CLOSED, STAFF, "(in millions of dollars)"))
        for y, row in zip((180, 200, 220), (("", *YEARS), REVENUE, COSTS), strict=True):
            for x, cell in zip((60, 260, 360), row, strict=True):
                pdf.text(x, y, cell)

    return make(path, draw)


def ledger(path: Path, pages: int = 500) -> Path:
    """A long book: each page has its number in words that stand nowhere else."""

    def draw(pdf: FPDF) -> None:
        for number in range(1, pages + 1):
            pdf.add_page()
            _lines(pdf, 60, (100, 116), (f"Entry number{number} of the ledger.", f"It was closed on day{number}."))

    return make(path, draw)


def _lines(pdf: FPDF, x: float, tops: Sequence[float], lines: Sequence[str]) -> None:
    for y, line in zip(tops, lines, strict=True):
        pdf.text(x, y, line)


def titled(path: Path, title: str, *lines: str) -> Path:
    """One page under a title of its own."""

    def draw(pdf: FPDF) -> None:
        pdf.set_title(title)
        pdf.add_page()
        written = lines or (f"This page is about {title.lower()}, and about nothing else at all.",)
        _lines(pdf, 60, [120 + 16 * at for at in range(len(written))], written)

    return make(path, draw)


_ASTRAL = "The sign 🦦 stands for otters. The set 𝔅 holds every 🦦 that was seen; what comes after it is plain."
_FILLING = "Nothing in this paragraph is of any importance, and nobody quotes it. " * 6


def markdown(folder: Path) -> Path:
    """Markdown with signs beyond the first plane, far below the first lines."""
    made = folder / "signs.md"
    made.write_text("# Signs\n\n" + f"{_FILLING}🦆\n\n" * 12 + f"{_ASTRAL}\n\n" + f"{_FILLING}\n\n" * 6, "utf-8")
    return made


def html(folder: Path) -> Path:
    """The same as a page of the web."""
    paragraphs = [f"{_FILLING}🦆"] * 12 + [_ASTRAL.replace("otters", "<b>otters</b>")] + [_FILLING] * 6
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    made = folder / "signs.html"
    made.write_text(f"<html><head><title>Signs</title></head><body><h1>Signs</h1>{body}</body></html>", "utf-8")
    return made


def word(folder: Path) -> Path:
    """The same as a Word document."""

    def build(document: Any) -> None:
        for each in [f"{_FILLING}🦆"] * 12 + [_ASTRAL] + [_FILLING] * 6:
            document.add_paragraph(each)

    made = folder / "signs.docx"
    made.write_bytes(files.word(build))
    return made
