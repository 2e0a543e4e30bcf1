from pathlib import Path

import pytest
from tests import files

from pincite.errors import Encrypted, TooLarge, Unreadable
from pincite.reading import zip_container

LAUGHS = (
    '<!DOCTYPE r [<!ENTITY a "haha">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
).encode()


@pytest.mark.parametrize(("name", "part"), [("a.docx", "word/document.xml"), ("a.xlsx", "xl/worksheets/sheet1.xml")])
def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, name: str, part: str) -> None:
    sample = files.samples()[name]
    bomb = files.repacked(sample, lambda each, data: b" " * 30_000_000 if each == part else data)
    with pytest.raises(TooLarge, match="far more than its size"):
        files.read_bytes(tmp_path, name, bomb)


def test_many_middling_parts_are_a_bomb_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_container, "MAX_MARKUP", 1000)
    with pytest.raises(TooLarge):
        files.read_bytes(tmp_path, "a.docx", files.word())


@pytest.mark.parametrize(
    ("name", "part", "word"),
    [
        ("a.docx", "word/document.xml", "Le chiffre"),
        ("a.pptx", "ppt/slides/slide1.xml", "Stratégie"),
        ("a.xlsx", "xl/worksheets/sheet1.xml", "Nord"),
        ("a.epub", "OEBPS/book.opf", "Le lapin"),
        ("a.epub", "OEBPS/text/a.xhtml", "Le lapin"),
    ],
)
def test_entities_that_multiply_are_not_expanded(tmp_path: Path, name: str, part: str, word: str) -> None:
    changed = []

    def laugh(each: str, data: bytes) -> bytes:
        if each != part:
            return data
        start, mark, rest = data.rpartition(b"?>")
        changed.append(word.encode() in rest)
        return start + mark + LAUGHS + rest.replace(word.encode(), b"&i;")

    data = files.repacked(files.samples()[name], laugh)
    try:
        document = files.read_bytes(tmp_path, name, data)
    except Unreadable:
        pass
    else:
        assert "haha" not in document.text + document.title
    assert changed == [True]


def test_a_file_outside_is_never_pulled_in(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret word")
    entity = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'.encode()

    def change(name: str, data: bytes) -> bytes:
        if name != "word/document.xml":
            return data
        return entity + data.partition(b"?>")[2].replace(b"<w:t>Le chiffre", b"<w:t>&x;</w:t><w:t>Le chiffre")

    document = files.read_bytes(tmp_path, "a.docx", files.repacked(files.word(), change))
    assert "augment" in document.text
    assert "secret" not in document.text


def test_a_container_with_a_password_says_so(tmp_path: Path) -> None:
    data = bytearray(files.word())
    central = data.rindex(b"PK\x01\x02")
    data[central + 8] |= 1
    with pytest.raises(Encrypted, match="password"):
        files.read_bytes(tmp_path, "a.docx", bytes(data))


@pytest.mark.parametrize(
    ("base", "target", "name"),
    [
        ("word/document.xml", "styles.xml", "word/styles.xml"),
        ("a/b.opf", "../c%20d.html#x", "c d.html"),
        ("", "/word/a.xml", "word/a.xml"),
    ],
)
def test_references_are_resolved_from_where_they_stand(base: str, target: str, name: str) -> None:
    assert zip_container.resolve_name(base, target) == name
