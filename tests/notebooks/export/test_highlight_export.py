import csv
import io

from pincite.notebooks.export.highlight_export import export_highlights
from pincite.store.annotations import StoredAnnotation


def _make(id: str, quote: str, comment: str = "", **more: object) -> StoredAnnotation:
    given = {"owner": "ada", "document": "d", "start": 0, "end": 4, "page": 3, "label": "iv", "colour": "green"}
    given |= {"generation": 1, "state": "found", "created": 0.0, "updated": 0.0, **more}
    return StoredAnnotation(id=id, quote=quote, comment=comment, **given)  # type: ignore[arg-type]


FOUND = [_make("1", "Deep\nwater", "Why *so*?"), _make("2", "Cold", state="lost", document="e")]
TITLES = {"d": "Lakes", "e": "Seas"}


def test_markdown_has_the_quotes_under_their_documents_with_page_colour_and_comment() -> None:
    text = export_highlights(FOUND, TITLES, "md")
    assert text.index("## Lakes") < text.index("> Deep\n> water") < text.index("## Seas")
    assert "*page iv (page 3), green*\n\nWhy &#42;so&#42;?" in text
    assert "no longer found in the document" in text
    assert "vert" in export_highlights(FOUND, TITLES, "md", "fr")


def test_a_table_has_a_row_for_each_and_no_formula() -> None:
    text = export_highlights([*FOUND, _make("3", '=HYPERLINK("x")')], TITLES, "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["quote"] for row in rows] == ["Deep water", "Cold", '\'=HYPERLINK("x")']
    assert (rows[0]["title"], rows[0]["page"], rows[0]["colour"], rows[1]["state"]) == ("Lakes", "3", "green", "lost")
