"""PDFs made for the tests: laid out by fpdf2, or written by hand where a file must be odd."""

from collections.abc import Callable
from pathlib import Path

from fpdf import FPDF

WORDS_EN = (
    "The committee reviewed the annual budget and found that travel costs had fallen while the price of energy "
    "rose in every quarter. Members asked for a second opinion before the vote and agreed to meet again in spring."
)
WORDS_FR = (
    "Le conseil a examiné le budget annuel et constaté que les frais de déplacement avaient baissé tandis que le "
    "prix de l'énergie augmentait. Les membres ont demandé un second avis avant le vote prévu au printemps."
)


def make(path: Path, draw: Callable[[FPDF], None], **options: object) -> Path:
    """A PDF with Helvetica 11 on A4, drawn by the test."""
    pdf = FPDF(unit="pt", format="A4")
    pdf.set_margin(60)
    pdf.set_auto_page_break(False)
    pdf.set_font("Helvetica", size=11)
    draw(pdf)
    pdf.output(str(path))
    return path


def paragraph(pdf: FPDF, text: str, x: float = 60, y: float | None = None, width: float = 475) -> None:
    pdf.set_xy(x, pdf.get_y() if y is None else y)
    pdf.multi_cell(width, 14, text, align="L", new_x="LEFT", new_y="NEXT")


def repeated(path: Path, times: int) -> Path:
    """A page many times over: long to read and quickly made."""
    import pypdfium2

    one = pypdfium2.PdfDocument(simple(path))
    many = pypdfium2.PdfDocument.new()
    many.import_pages(one, pages=[0] * times)
    one.close()
    many.save(path)
    many.close()
    return path


def simple(path: Path, pages: int = 1, words: str = WORDS_EN) -> Path:
    """A few paragraphs a page."""

    def draw(pdf: FPDF) -> None:
        for number in range(1, pages + 1):
            pdf.add_page()
            for part in range(3):
                paragraph(pdf, f"Part {part + 1} of page {number}. {words}")
                pdf.ln(14)

    return make(path, draw)


def two_columns(path: Path) -> Path:
    """A title across, then two columns whose lines stand side by side."""
    left = " ".join(f"left{i} alpha beta gamma delta" for i in range(40))
    right = " ".join(f"right{i} epsilon zeta eta theta" for i in range(40))

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 20)
        pdf.cell(0, 24, "A title that runs across both of the columns")
        pdf.set_font("Helvetica", size=11)
        paragraph(pdf, left, 60, 120, 225)
        paragraph(pdf, right, 310, 120, 225)

    return make(path, draw)


def by_hand(
    path: Path, content: str, page: str = "", tree: str = "/MediaBox [0 0 400 300]", encoding: str = ""
) -> Path:
    """One page with this content stream; `page` and `tree` are put into the page's and the page tree's dictionaries."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [3 0 R] /Count 1 {tree} >>",
        f"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> {page} >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Courier {encoding} >>",
    ]
    data = "%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(
        f"{place:010d} 00000 n \n" for place in places
    )
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    path.write_bytes(data.encode("latin-1"))
    return path


def locked(path: Path, password: str, words: str = WORDS_EN) -> Path:
    """A page that opens with a password alone."""

    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="owner", user_password=password)
        pdf.add_page()
        paragraph(pdf, words)

    return make(path, draw)
