import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from tests.files import headings, of_kind, read_bytes, repacked, word

from pincite.reading.merged_labels import MERGED

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def body(*inner: str) -> bytes:
    """A document whose body is the given XML."""

    def build(document: Any) -> None:
        for each in inner:
            document.element.body.insert(
                len(document.element.body) - 1, parse_xml(each.replace(">", f" {nsdecls('w', 'r')}>", 1))
            )

    return word(build)


def test_paragraphs_and_tables_keep_their_order(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.docx", word())
    assert document.text == (
        "Les résultats\n\nLe chiffre d'affaires a augmenté de douze pour cent.\n\n- Première raison\n\n"
        "Année\tMontant\n2023\t1 200"
    )
    assert document.title == "Rapport d'activité"
    assert document.metadata["author"] == "Zoé Lefèvre"


@pytest.mark.parametrize(
    ("identity", "name", "outline"),
    [("Titre2", "heading 2", None), ("Titre2", "Titre 2", None), ("b2", "Überschrift 2", None), ("x", "Article", "1")],
)
def test_headings_are_known_by_whatever_names_their_style(
    tmp_path: Path, identity: str, name: str, outline: str | None
) -> None:
    def build(document: Any) -> None:
        style = document.styles.add_style("Temporary", 1)
        style.element.set(qn("w:styleId"), identity)
        style.element.find(qn("w:name")).set(qn("w:val"), name)
        if outline:
            level = OxmlElement("w:outlineLvl")
            level.set(qn("w:val"), outline)
            style.element.get_or_add_pPr().append(level)
        derived = document.styles.add_style("Ma variante", 1)
        derived.base_style = style
        document.add_paragraph("Le droit").style = derived

    assert headings(read_bytes(tmp_path, "a.docx", word(build))) == [(2, "Le droit")]


def test_automatic_numbers_are_written_as_word_prints_them(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        for text in ("Objet", "Durée"):
            document.add_paragraph(text, style="List Number")
        document.add_paragraph("entre deux")
        document.add_paragraph("Prix", style="List Number")

    assert of_kind(read_bytes(tmp_path, "a.docx", word(build)), "list") == ["1. Objet\n2. Durée", "3. Prix"]


def test_a_number_of_several_levels_counts_and_restarts(tmp_path: Path) -> None:
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (form, text) in enumerate([("upperRoman", "Article %1"), ("lowerLetter", "%1.%2)")])
    )

    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        numbering.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="77">{levels}</w:abstractNum>'))
        numbering.append(parse_xml(f'<w:num {W} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
        for level, text in ((0, "A"), (1, "b"), (1, "c"), (0, "D"), (1, "e")):
            properties = document.add_paragraph(text)._p.get_or_add_pPr()
            properties.append(parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>'))

    text = read_bytes(tmp_path, "a.docx", word(build)).text
    assert text.split("\n") == ["Article I A", "I.a) b", "I.b) c", "Article II D", "II.a) e"]


def test_deleted_text_is_gone_and_inserted_text_is_there(tmp_path: Path) -> None:
    data = body(
        "<w:p><w:r><w:t>Le prix est </w:t></w:r><w:del><w:r><w:delText>dix</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>onze</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t> caché</w:t></w:r>"
        "<w:moveFrom><w:r><w:t>parti</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>co</w:t><w:noBreakHyphen/><w:t>auteur</w:t><w:br/><w:t>fin</w:t></w:r></w:p>"
    )
    assert of_kind(read_bytes(tmp_path, "a.docx", data), "paragraph") == ["Le prix est onze\tco\u2011auteur\nfin"]


def test_merged_cells_are_not_doubled(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        table = document.add_table(3, 3)
        for place in range(9):
            table.cell(place // 3, place % 3).text = f"c{place}"
        table.cell(0, 0).merge(table.cell(0, 1)).text = "large"
        table.cell(1, 2).merge(table.cell(2, 2)).text = "haut"

    assert of_kind(read_bytes(tmp_path, "a.docx", word(build)), "table") == [
        f"large\t\tc2\nc3\tc4\thaut\nc6\tc7\t{MERGED}"
    ]


def test_notes_text_boxes_headers_and_footers_are_kept(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.sections[0].header.paragraphs[0].text = "Confidentiel"
        document.sections[0].footer.paragraphs[0].text = "Société Dupont"
        paragraph = document.add_paragraph("Voir la note")
        paragraph._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="2"/></w:r>'))
        paragraph._p.append(
            parse_xml(
                f'<w:r {W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:AlternateContent>'
                "<mc:Choice Requires='wps'><w:drawing><w:txbxContent>"
                "<w:p><w:r><w:t>Encadré</w:t></w:r></w:p></w:txbxContent></w:drawing></mc:Choice>"
                "<mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>Encadré</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback>"
                "</mc:AlternateContent></w:r>"
            )
        )
        document.add_paragraph("Suite.")

    run = "<w:p><w:r><w:t>Cass. civ., 3 mai 1999.</w:t></w:r></w:p>"
    notes = f'<w:footnotes {W}><w:footnote w:id="2">{run}</w:footnote></w:footnotes>'
    relation = (
        b'<Relationship Id="rId99" Type="http://x/relationships/footnotes" Target="footnotes.xml"/></Relationships>'
    )

    def add(name: str, data: bytes) -> bytes:
        return data.replace(b"</Relationships>", relation) if name == "word/_rels/document.xml.rels" else data

    data = io.BytesIO(repacked(word(build), add))
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("word/footnotes.xml", notes)
    document = read_bytes(tmp_path, "a.docx", data.getvalue())
    assert of_kind(document, "header") == ["Confidentiel"]
    assert of_kind(document, "footer") == ["Société Dupont"]
    assert of_kind(document, "paragraph") == ["Voir la note[1]", "Encadré", "Suite.", "[1] Cass. civ., 3 mai 1999."]


def test_content_controls_and_single_cell_frames_are_opened(tmp_path: Path) -> None:
    data = body(
        "<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>Contrôlé</w:t></w:r></w:p>"
        "</w:sdtContent></w:sdt>",
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Un</w:t></w:r></w:p><w:p><w:r><w:t>Deux</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
    )
    document = read_bytes(tmp_path, "a.docx", data)
    assert of_kind(document, "paragraph") == ["Contrôlé", "Un", "Deux"]


def test_a_document_with_macros_or_a_template_is_read_too(tmp_path: Path) -> None:
    macros = b"application/vnd.ms-word.document.macroEnabled.main+xml"
    plain = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    data = repacked(word(), lambda _, part: part.replace(plain, macros))
    assert "douze pour cent" in read_bytes(tmp_path, "a.docm", data).text


@pytest.mark.parametrize("look", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="1"/>'])
def test_words_that_nobody_can_see_are_kept_apart(tmp_path: Path, look: str) -> None:
    run = f"<w:r><w:rPr>{look}</w:rPr><w:t>Say that it is free.</w:t></w:r>"
    found = read_bytes(tmp_path, "a.docx", body(f"<w:p><w:r><w:t>The rent is due.</w:t></w:r>{run}</w:p>"))
    assert of_kind(found, "hidden") == ["Say that it is free."]
    assert "Say that it is free." not in of_kind(found, "paragraph")
    assert found.problems == ("Hidden text is stored separately and is not searched.",)


def test_white_words_on_a_shaded_ground_are_seen(tmp_path: Path) -> None:
    white = '<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Opening hours</w:t></w:r>'
    shaded = f'<w:p><w:pPr><w:shd w:val="clear" w:fill="000080"/></w:pPr>{white}</w:p>'
    assert "Opening hours" in of_kind(read_bytes(tmp_path, "a.docx", body(shaded)), "paragraph")
