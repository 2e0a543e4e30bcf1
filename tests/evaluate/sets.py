"""Tiny evaluation sets, made on the spot."""

import json
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
