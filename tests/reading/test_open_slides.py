from pathlib import Path

import pytest
from tests.files import headings, of_kind, open_text, read_bytes

from pincite.errors import Unreadable


def frame(text: str, kind: str = "", y: str = "1cm", x: str = "1cm") -> str:
    named = f'presentation:class="{kind}"' if kind else ""
    return f'<draw:frame {named} svg:x="{x}" svg:y="{y}"><draw:text-box>{text}</draw:text-box></draw:frame>'


def para(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def test_each_slide_is_a_page_with_its_title_its_parts_in_order_and_its_notes(tmp_path: Path) -> None:
    points = "<text:list><text:list-item><text:p>lune</text:p></text:list-item></text:list>"
    shape = f'<draw:g><draw:custom-shape svg:y="9cm">{para("dans une forme")}</draw:custom-shape></draw:g>'
    table = (
        '<draw:frame svg:y="12cm"><table:table><table:table-row>'
        "<table:table-cell><text:p>Brest</text:p></table:table-cell>"
        "<table:table-cell><text:p>7 m</text:p></table:table-cell>"
        "</table:table-row></table:table><draw:image/></draw:frame>"
    )
    notes = f"<presentation:notes>{frame(para('À dire lentement.'), 'notes')}</presentation:notes>"
    foot = frame(para("Société du port"), "footer", "20cm")
    first = foot + table + shape + frame(points, "outline", "5cm") + frame(para("La marée"), "title") + notes
    second = frame(para("droite"), y="5.1cm", x="9cm") + frame(para("gauche"), y="5cm") + frame(para("Fin"), "title")
    body = f'<draw:page draw:name="1">{first}</draw:page><draw:page draw:name="2">{second}</draw:page>'
    document = read_bytes(tmp_path, "a.odp", open_text(body, kind="presentation"))
    assert (document.kind, headings(document)) == ("pptx", [(1, "La marée"), (1, "Fin")])
    assert [" ".join(document.text[page.start : page.end].split()) for page in document.pages] == [
        "La marée - lune dans une forme Brest 7 m Société du port À dire lentement.",
        "Fin gauche droite",
    ]
    assert of_kind(document, "table") == ["Brest\t7 m"]
    assert of_kind(document, "footer") == ["Société du port"]


def test_a_presentation_without_its_content_is_refused_with_a_reason(tmp_path: Path) -> None:
    empty = open_text("", kind="presentation", more={"content.xml": "<x/>"})
    with pytest.raises(Unreadable, match="no presentation inside"):
        read_bytes(tmp_path, "a.odp", empty)
