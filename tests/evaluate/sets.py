"""Tiny evaluation sets, made on the spot."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from fpdf import FPDF

from tests import pdfs

TEXTS = {
    "d1": "The lease ends after three years and may be renewed once.",
    "d2": "La durée de conservation des données est de trois ans.",
    "d3": "Penguins live in the southern hemisphere and cannot fly.",
}


def lines(path: Path, *entries: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


def retrieval(folder: Path) -> Path:
    """Three documents in BEIR form, a question for two of them, and one nobody judged."""
    lines(folder / "corpus.jsonl", *({"_id": id, "title": f"Title {id}", "text": text} for id, text in TEXTS.items()))
    lines(
        folder / "queries.jsonl",
        {"_id": "q1", "text": "When does the lease end?"},
        {"_id": "q2", "text": "Combien de temps conserver les données ?"},
        {"_id": "q3", "text": "Nobody judged this one."},
    )
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq2\td3\t0\n")
    return folder


def pages(folder: Path) -> Path:
    """One PDF of three pages and a question whose answer stands on the second."""
    (folder / "pdfs").mkdir(parents=True)

    def draw(pdf: FPDF) -> None:
        for text in TEXTS.values():
            pdf.add_page()
            pdfs.paragraph(pdf, text)

    pdfs.make(folder / "pdfs" / "REPORT_2024.pdf", draw)
    evidence = [{"evidence_page_num": 1}]
    question = {"question": "durée de conservation des données", "doc_name": "REPORT_2024", "evidence": evidence}
    lines(folder / "questions.jsonl", question)
    return folder


PRICES = "The price of energy rose by 14 percent in every quarter of the year."
OPINION = "Members asked for a second opinion before the vote in spring."


def locate(folder: Path) -> Path:
    """One PDF of two pages, a passage of each, and one with another number; the words as another program reads them."""
    (folder / "pdfs").mkdir(parents=True)

    def draw(pdf: FPDF) -> None:
        for text in (PRICES, OPINION):
            pdf.add_page()
            pdfs.paragraph(pdf, text, y=100)

    pdfs.make(folder / "pdfs" / "report.pdf", draw)
    pages = [{"w": 595.0, "h": 842.0, "words": list(_words(text))} for text in (PRICES, OPINION)]
    (folder / "words").mkdir()
    with gzip.open(folder / "words" / "report.pdf.plain.json.gz", "wt", encoding="utf-8") as out:
        json.dump(pages, out)
    shared = {"file": "report.pdf", "kind": "sentence", "extractor": "plain", "pages": None}
    lines(
        folder / "cases.jsonl",
        {**shared, "id": 1, "text": PRICES, "negative": False, "core": True, "change": "none", "gold": [[[1, 0, 13]]]},
        {
            **shared,
            "id": 2,
            "text": OPINION.upper(),
            "pages": [1],
            "negative": False,
            "core": False,
            "change": "case",
            "gold": [[[1, 0, 2]], [[2, 0, 10]]],
        },
        {
            **shared,
            "id": 3,
            "text": PRICES.replace("14", "64"),
            "negative": True,
            "core": False,
            "change": "numbers",
            "gold": [],
        },
    )
    return folder


def _words(text: str) -> Iterator[tuple[str, float, float, float, float, int]]:
    """Where fpdf2 puts a line's words: it is set in Helvetica 11, 60 points from the left."""
    pen = FPDF(unit="pt", format="A4")
    pen.set_font("Helvetica", size=11)
    x = 60 + pen.c_margin
    for word in text.split():
        yield word, round(x, 2), 101.0, round(x + pen.get_string_width(word), 2), 113.0, 0
        x += pen.get_string_width(word + " ")


def attribution(folder: Path) -> Path:
    """Two claims that an expert judged, one borne out by its source and one not, though it shares more words."""
    source = "The lease ends in 2026, on the last day of May."
    claims = [
        {"claim_string": "The lease will end in 2026 [1].", "support": "Complete"},
        {"claim_string": "The lease ends on the last day of May in 2027 [1].", "support": "Incomplete"},
    ]
    for claim in claims:
        claim["evidence"] = [f"[1] https://example.org/lease\n\n{source}"]  # type: ignore[assignment]
    lines(folder / "claims.jsonl", {"question": "When does the lease end?", "answers": {"one": {"claims": claims}}})
    return folder


TIDES = (
    "The tide is the rise and fall of the sea that the moon and the sun bring about twice a day on most shores.",
    "Where the bay narrows the water has nowhere to go but up, and a spring tide may stand fifteen metres high.",
    "Harbour masters print tables of it for years ahead, since nothing in it depends on what the weather will do.",
    "A strong wind from the sea can still hold the water in the bay for some hours after it should have turned.",
)


def html(folder: Path) -> Path:
    """Two articles among menus, one packed and one plain, of which one has a date."""
    (folder / "html").mkdir(parents=True)
    body = "".join(f"<p>{text}</p>" for text in TIDES)
    published = "<meta property='article:published_time' content='2019-11-18T08:00:00Z'>"
    truth = {}
    for key, name, head in (("one", "Tides", published), ("two", "Bays", "")):
        page = (
            f"<!doctype html><html lang=en><head><title>{name} and harbours</title>{head}</head><body>"
            "<nav><ul><li><a href='/'>Home of our news</a></li><li><a href='/a'>All about us here</a></li></ul></nav>"
            f"<article><h1>{name} and harbours</h1>{body}</article><footer>Nobody may copy this page.</footer></html>"
        )
        if key == "one":
            (folder / "html" / "one.html.gz").write_bytes(gzip.compress(page.encode()))
        else:
            (folder / "html" / "two.html").write_text(page, encoding="utf-8")
        address = f"https://example.org/{'2019/11/18/' if head else ''}{key}"
        truth[key] = {"articleBody": "\n\n".join(TIDES), "url": address}
    (folder / "ground-truth.json").write_text(json.dumps(truth))
    return folder
