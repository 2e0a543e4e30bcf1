from pathlib import Path

import pypdfium2
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.conversations.export.test_text_export import answered, cited, talk
from tests.thorough import scale_examples

from pincite.conversations.export.font_glyphs import fit_text
from pincite.conversations.export.pdf_export import export_pdf
from pincite.events import Answer, Section
from pincite.locate.concordance import build_concordance
from pincite.locate.locate import locate
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document

FRENCH = "Le bail est conclu pour une durée de « trois ans » ; l'œuvre de M. Lefèvre n'y change rien."
GREEK = "Η διάρκεια της μίσθωσης είναι τρία έτη από την υπογραφή."
RUSSIAN = "Срок аренды составляет три года со дня подписания."


def again(tmp_path: Path, made: bytes) -> Document:
    """A PDF as our own reader reads it."""
    path = tmp_path / "made.pdf"
    path.write_bytes(made)
    return read(Source(path, path.name))


def a_report(text: str, *quotes: str) -> Answer:
    citations = [cited(n, quote=quote, url="https://a.example/lakes") for n, quote in enumerate(quotes, 1)]
    section = Section(heading="In short", question="How deep?")
    return answered(text, citations=citations).model_copy(update={"outline": [section]})


def test_our_own_reader_reads_the_text_and_our_own_locator_finds_every_quote(tmp_path: Path) -> None:
    made = export_pdf(talk(("Quelle est la durée ?", a_report("Trois ans [1][2][3].", FRENCH, GREEK, RUSSIAN))))
    concordance = build_concordance(again(tmp_path, made))
    for quote in (FRENCH, GREEK, RUSSIAN):
        found = locate(concordance, quote)
        assert (found.how in ("exact", "normalised"), found.refusal, found.score) == (True, None, 1)


def test_a_long_report_has_page_numbers_an_outline_its_title_and_links(tmp_path: Path) -> None:
    text = "\n\n".join(f"## Part {n}\n\nIt is deep [1]. " + "The lake is wide. " * 60 for n in range(1, 7))
    made = export_pdf(talk(("How deep is it?", a_report(text, "It is deep."))))
    with pypdfium2.PdfDocument(made) as file:
        assert len(file) > 2
        said = [page.get_textpage().get_text_range() for page in file]
        assert [f"{n} / {len(file)}" in page for n, page in enumerate(said, 1)] == [True] * len(file)
        assert file.get_metadata_dict()["Title"] == "How deep is it?"
        named = [mark.get_title() for mark in file.get_toc()]
    assert named == ["How deep is it?", *(f"Part {n}" for n in range(1, 7)), "Bibliography"]
    assert b"https://a.example/lakes#:~:text=It%20is%20deep." in made


def test_a_report_ends_with_each_source_once_and_an_ordinary_answer_has_no_bibliography(tmp_path: Path) -> None:
    listed = again(
        tmp_path, export_pdf(talk(("How deep?", a_report("Deep [1][2].", "It is deep.", "Very deep."))))
    ).text
    assert listed.partition("Bibliography")[2].count("Lakes") == 1
    plain = again(tmp_path, export_pdf(talk(("How deep?", answered("Deep [1].", citations=[cited(1)]))))).text
    assert "Bibliography" not in plain
    assert "Lakes, page 3: “Deep.”" in plain


def test_characters_missing_in_the_typeface_are_shown_and_said(tmp_path: Path) -> None:
    text = again(tmp_path, export_pdf(talk(("?", answered("The lake 洞爺湖 is deep."))))).text
    assert "The lake ■■■ is deep." in text
    assert "■ stands for 3 characters that the typeface of this file lacks" in text
    assert "■" not in again(tmp_path, export_pdf(talk(("?", answered("Un été\u202f: ﬁn, 10\u2009km, e\u0301té"))))).text


def test_lists_tables_and_code_keep_their_words(tmp_path: Path) -> None:
    said = "1. first\n2. second\n   - inside\n\n| metre | depth |\n|---|---|\n| 1 | 33 |\n\n```\nx = [1]\n```"
    text = again(
        tmp_path,
        export_pdf(
            talk(
                (
                    "?",
                    answered(said),
                ),
                ("Next?", None),
            )
        ),
    ).text
    for words in ("1. first", "2. second", "• inside", "metre", "33", "x = [1]", "still being written"):
        assert words in text


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=scale_examples(25))
@given(st.text(max_size=300), st.text(max_size=80))
@example("- " * 40 + "deep", "x" * 3000)
@example("|" + "a|" * 40 + "\n|" + "---|" * 40 + "\n|" + "b|" * 40, "")
@example("# \n\n## [](javascript:x)\n\n![p](http://a.example/p.png)\f\0", "\ud800 \u202e\u0301")
@example("**a [1]** `[1]` \ue0001\ue001", "\u00ad\n")
def test_whatever_was_said_becomes_a_pdf(text: str, quote: str) -> None:
    assert export_pdf(talk(("?" + quote, a_report(text, quote)))).startswith(b"%PDF-")


@given(st.text())
def test_a_fitted_text_has_nothing_that_the_typeface_lacks(text: str) -> None:
    known = {*range(32, 127), ord("é"), ord("■")}
    found, lacking = fit_text(text, known)
    assert {ord(character) for character in found} <= known | {10}
    assert lacking == found.count("■") - text.count("■")
