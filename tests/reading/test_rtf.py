from pathlib import Path

import pytest
from tests.files import RICH, headings, of_kind, read_bytes

from pincite.errors import Unreadable


def test_rich_text_keeps_its_headings_tables_and_properties(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.rtf", RICH)
    assert (document.kind, document.title, document.metadata["author"]) == ("rtf", "Rapport annuel", "Zoë")
    assert headings(document) == [(1, "Les résultats")]
    assert of_kind(document, "table") == ["Année\tMontant\n2023\t1 200"]
    assert of_kind(document, "paragraph") == ["Le chiffre a augmenté de €12.", "Fin."]


def rich(body: bytes) -> bytes:
    return rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}" + body + b"}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}", "Привет"),
        (rb"{\f2 \'93\'fa\'96\'7b}", "日本"),
        (rb"\u-10179?\u-8704? ok", "😀 ok"),
        (rb"{\uc2\u233 xx} alone", "é alone"),
        (rb"a\~b\_c\emdash d\{e\}\\", "a\u00a0b\u2011c—d{e}\\"),
        (rb"seen {\v hidden }{\deleted gone }still", "seen still"),
        (rb"before {\*\new secret}{\pict 8950}{\*\shppict{\pict 12}}after", "before after"),
        (rb"to {\field{\*\fldinst HYPERLINK x}{\fldrslt the link}}", "to the link"),
        (rb"a {\shp{\*\shpinst{\sp{\sn n}{\sv 1}}{\shptxt boxed}}}", "a boxed"),
        (rb"x{\bin5 }{{{}y", "xy"),
        (rb"one\line two", "one\ntwo"),
        (rb"a {\upr{Zo?}{\*\ud{Zo\u235 ?}}} b", "a Zoë b"),
        (rb"a {\upr{Zo?{\b x}}{\*\ud Zo\u235 ?}} b{\footnote {\upr{?}{\*\ud{\u233 ?}}}}", "a Zoë b[1]\n\n[1] é"),
        (rb"\deff1 \'cf\'f0\'e8 {\f0 \'e9\plain \'e2\'e5\'f2}", "При éвет"),
    ],
)
def test_characters_and_groups_are_read_as_a_person_sees_them(tmp_path: Path, body: bytes, text: str) -> None:
    assert read_bytes(tmp_path, "a.rtf", rich(body)).text == text


def test_a_title_in_two_forms_is_read_once(tmp_path: Path) -> None:
    body = rb"{\info{\upr{\title Report of Zo?}{\*\ud{\title Report of Zo\u235 ?}}}}text"
    document = read_bytes(tmp_path, "a.rtf", rich(body))
    assert (document.title, document.text) == ("Report of Zoë", "text")


def test_notes_stand_at_the_end_and_margins_are_known_as_such(tmp_path: Path) -> None:
    body = rb"{\header Secret\par}Rents rise{\footnote\pard By law.\par} again.\par"
    document = read_bytes(tmp_path, "a.rtf", rich(body))
    assert document.text.startswith("Rents rise[1] again.\n\n[1] By law.")
    assert of_kind(document, "header") == ["Secret"]


def test_lists_keep_their_marks(tmp_path: Path) -> None:
    body = rb"\pard{\listtext\'b7\tab}first\par\pard{\listtext 2.\tab}second\par\pard after\par"
    document = read_bytes(tmp_path, "a.rtf", rich(body))
    assert of_kind(document, "list") == ["- first\n2. second"]
    assert of_kind(document, "paragraph") == ["after"]


def test_a_label_keeps_its_indentation(tmp_path: Path) -> None:
    rows = [(0, b"Europe", b"10"), (200, b"France", b"6"), (0, b"Asia", b"7")]
    body = b"".join(rb"\trowd\pard\intbl\li%d %b\cell\pard\intbl %b\cell\row " % row for row in rows)
    assert of_kind(read_bytes(tmp_path, "a.rtf", rich(body)), "table") == ["Europe\t10\n  France\t6\nAsia\t7"]


def test_groups_without_end_are_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="deeply"):
        read_bytes(tmp_path, "a.rtf", rb"{\rtf1 " + b"{" * 100_000)
