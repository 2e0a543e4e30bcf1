from tests.files import assert_sound, headings, of_kind

from pincite.reading import html_blocks
from pincite.reading.document_draft import Draft


def written(html: str) -> Draft:
    draft = Draft()
    html_blocks.write_blocks(html_blocks.parse_html(f"<html><body>{html}</body></html>"), draft)
    return draft


def test_white_space_is_what_a_browser_shows() -> None:
    assert (
        written("<p>un\n  <b>deux</b><i> trois</i><br> quatre</p>cinq<p></p>").document("html").text
        == "un deux trois\nquatre\n\ncinq"
    )


def test_nested_lists_are_indented_and_numbered() -> None:
    html = "<ul><li>a<ol><li>b</li><li><p>c</p><p>d</p></li></ol></li><li>e</li></ul>"
    assert written(html).document("html").text == "- a\n  1. b\n  2. c\n     d\n- e"


def test_a_table_that_lays_out_the_page_is_read_as_its_content() -> None:
    document = written(
        "<table><tr><td><h2>Titre</h2><p>Texte</p></td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    ).document("html")
    assert headings(document) == [(2, "Titre")]
    assert of_kind(document, "table") == ["1\t2"]


def test_scripts_and_hidden_parts_are_left_out_and_what_follows_them_is_kept() -> None:
    document = written("a<script>x</script>b<span hidden>c</span>d<!-- e -->f").document("html")
    assert document.text == "abdf"


def test_lists_in_headings_and_headings_in_lists_do_not_break_order() -> None:
    document = written("<ul><li>a<h3>b</h3>c</li></ul><h2>d<ul><li>e</li></ul></h2>").document("html")
    assert_sound(document)
    assert document.text.split() == ["a", "b", "c", "d", "e"]


def test_very_deep_markup_is_walked_without_recursion() -> None:
    assert "x" in written("<div><span>" * 120 + "x").document("html").text
    assert written("<ul><li>" * 120 + "x").document("html").text.strip().endswith("x")
