import json
from pathlib import Path

import pytest
from fpdf import FPDF

from pincite.errors import Misuse
from pincite.evaluate import raw_words
from pincite.evaluate.kept_words import evaluate, measure_file
from tests import files

PROSE = "<p>Harbour masters print tables of the tide for years ahead, whatever the weather may do to ships.</p>"
RTF = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 La mar\'e9e monte.\par {\b Deux} fois par jour \u8364?.}"


def silent(_: str) -> None:
    return None


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_every_format_keeps_the_words_that_stand_in_its_file(tmp_path: Path) -> None:
    for name, data in files.samples().items():
        if Path(name).suffix in raw_words.TEXTS:
            written(tmp_path, name, data)
    sheet = FPDF()
    sheet.add_page()
    sheet.set_font("Helvetica", size=11)
    sheet.text(20, 20, "The tide rises twice a day.")
    written(tmp_path, "a.pdf", bytes(sheet.output()))
    found = evaluate(tmp_path, silent)
    shares = {name: figures["share"] for name, figures in found["formats"].items()}
    assert {"pdf", "docx", "pptx", "xlsx", "html", "epub", "csv", "md", "txt"} <= set(shares)
    assert {name: share for name, share in shares.items() if share < 0.9} == {}
    assert found["formats"]["all"]["files"] == found["files"]


def test_a_page_is_measured_with_its_menus_and_without(tmp_path: Path) -> None:
    menu = "<nav>" + "".join(f"<a href='/{n}'>Menu {n} of it</a> " for n in range(40)) + "</nav>"
    one = measure_file(
        written(tmp_path, "a.html", files.page(f"{menu}<article><h1>Tides</h1>{PROSE * 8}</article>")), "a"
    )
    assert one.words > one.article_words
    assert one.article_kept == one.article_words
    assert one.kept < one.words


def test_hidden_text_and_scripts_are_no_visible_words(tmp_path: Path) -> None:
    body = "<p>seen</p><script>unseen</script><p style='display:none'>hidden</p><b>wh</b>ole"
    assert raw_words.read_raw_text(written(tmp_path, "a.html", files.page(body))).split() == ["seen", "whole"]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        (
            "a.txt",
            b"A col-\nlection of well-\nknown birds",
            ["A", "col\u00ad", "lection", "of", "well-", "known", "birds"],
        ),
        ("a.rtf", RTF, ["La", "marée", "monte.", "Deux", "fois", "par", "jour", "€."]),
        ("a.ipynb", json.dumps({"cells": [{"source": ["# Tide\n", "x = 1"]}]}).encode(), ["#", "Tide", "x", "=", "1"]),
        (
            "a.odt",
            files.zipped(
                {
                    "content.xml": "<o xmlns:t='t'><t:body><t:p>Deux<t:tab/>fois <t:span>par</t:span> jour</t:p>"
                    "<t:h>Fin</t:h></t:body></o>"
                }
            ),
            ["Deux", "fois", "par", "jour", "Fin"],
        ),
    ],
)
def test_the_words_of_a_file_are_taken_from_its_bytes(tmp_path: Path, name: str, data: bytes, words: list[str]) -> None:
    assert raw_words.read_raw_text(written(tmp_path, name, data)).split() == words


def test_words_are_compared_whatever_their_case_ligatures_and_line_end_hyphens() -> None:
    assert raw_words.count_words("Oﬃce col\u00ad\nlection") == raw_words.count_words("office COLLECTION")


def test_a_file_that_cannot_be_read_keeps_nothing_and_says_why(tmp_path: Path) -> None:
    written(tmp_path, "a.txt", b"One two three.")
    written(tmp_path, "b.pdf", b"%PDF-1.7 broken")
    found = evaluate(tmp_path, silent)
    assert found["formats"]["pdf"]["failed"] == 1
    assert found["formats"]["txt"]["share"] == 1.0


def test_other_files_are_named_as_not_measured_and_hidden_ones_are_not_looked_at(tmp_path: Path) -> None:
    written(tmp_path, "a.txt", b"One two three.")
    written(tmp_path, "a.xyz", b"?")
    written(tmp_path, ".hidden.txt", b"?")
    found = evaluate(tmp_path, silent)
    assert (found["files"], found["not_measured"]) == (1, ["a.xyz"])


def test_a_folder_without_documents_is_told_which_formats_are_measured(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="no documents") as caught:
        evaluate(tmp_path, silent)
    assert ".html" in caught.value.hint
    with pytest.raises(Misuse, match="no folder"):
        evaluate(tmp_path / "none", silent)
