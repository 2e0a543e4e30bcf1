import gzip
import re
from pathlib import Path

import pytest
from tests import files

from pincite.errors import Encrypted, Unreadable, Unsupported
from pincite.reading.sniff import is_json, sniff

HTML = b"<!DOCTYPE html><title>x</title><p>x"
MAIL = b"From: a@b.c\r\nTo: d@e.f\r\nSubject: x\r\nMessage-ID: <1>\r\n\r\nBonjour"


def named(value: object) -> str:
    """A case's name that is the same in every run."""
    return value if isinstance(value, str) else "bytes"


def kind(folder: Path, name: str, data: bytes) -> str:
    path = folder / "bytes"
    path.write_bytes(data)
    return sniff(path, name)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", b"%PDF-1.7\n", "pdf"),
        ("a.txt", b"\r\njunk\x00\x01" * 50 + b"%PDF-1.4\n", "pdf"),
        ("make.py", b'MAGIC = b"%PDF-1.4"\n', "code"),
        ("a.pdf", HTML, "html"),
        ("a.txt", b"\xef\xbb\xbf \n<html><body>x", "html"),
        ("a", b'<?xml version="1.0"?>\n<!-- c --><html xmlns="x"><body/></html>', "html"),
        ("a.html", b"Bonjour <b>Zoe</b>", "html"),
        ("a.md", b"<h1 align=center>Logo</h1>\n\n# Titre", "markdown"),
        ("a.xml", b"<?xml version='1.0'?><rss/>", "code"),
        ("a.txt", MAIL, "email"),
        ("memo.txt", b"From: Anne\nTo: Paul\nSubject: la reunion\n\nBonjour", "text"),
        ("a.eml", b"From: Anne\nTo: Paul\nSubject: la reunion\n\nBonjour", "email"),
        ("a.bin", b'{"a": [1, 2]}', "json"),
        ("a.txt", b'{"a": 1}\n{"a": 2}\n', "json"),
        ("a.txt", b"[1] Dupont, Histoire, 1999.\n[2] Martin.", "text"),
        ("a.json", b"{ // comment\n a: 1 }", "code"),
        ("a.csv", b"[a],[b]\n1,2", "csv"),
        ("a.tsv", b"a\tb\n", "csv"),
        ("a.MD", b"texte", "markdown"),
        ("Makefile", b"all:\n\techo", "code"),
        ("run", b"#!/bin/sh\necho", "code"),
        ("a.rs", b"fn main() {}", "code"),
        ("a.inconnu", "déjà vu".encode("cp1252"), "text"),
        ("a.txt", "déjà vu".encode("utf-16-le"), "text"),
        ("a.txt", b"BM is short for Bureau moderne, MZ for nothing.", "text"),
        ("MZ.txt", b"MZ and ID3 are words too.", "text"),
        ("a.txt", files.picture(), "image"),
        ("a.jpg", files.picture(form="WEBP"), "image"),
        ("a.zip", files.word(), "docx"),
        ("a.zip", files.slides(), "pptx"),
        ("a.zip", files.workbook(), "xlsx"),
        ("a.zip", files.book(), "epub"),
        ("a.zip", files.open_text("<text:p>x</text:p>"), "odt"),
        ("a.doc", files.RICH, "rtf"),
        ("a.json", files.notebook(), "notebook"),
        ("a.ipynb", b'{"a": 1}', "json"),
    ],
    ids=named,
)
def test_the_bytes_decide_and_the_name_only_among_texts(tmp_path: Path, name: str, data: bytes, expected: str) -> None:
    assert kind(tmp_path, name, data) == expected


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "WordDocument".encode("utf-16-le"),
            r"old Word.*\|.*\.docx",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "Workbook".encode("utf-16-le"), r"old Excel.*\|.*\.xlsx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "old office"),
        (gzip.compress(b"words " * 100), "gzip archive"),
        (files.zipped({"a.txt": "x"}), "ZIP archive"),
        (files.zipped({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "OpenDocument"),
        (b"\x00\x00\x00\x20ftypisom" + bytes(40), "video"),
        (b"\x00\x00\x00\x20ftypheic" + bytes(40), "HEIC"),
        (b"ID3\x04" + bytes(400), "audio"),
        (b"\x7fELF\x02" + bytes(100), "program"),
        (b"SQLite format 3\x00" + bytes(100), "SQLite"),
        (bytes(range(256)) * 10, "unknown kind"),
    ],
    ids=named,
)
def test_a_kind_that_is_not_read_is_named_with_a_remedy(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(data)
    with pytest.raises(Unsupported) as refused:
        sniff(path, "a.download")
    assert refused.value.hint
    assert re.search(said, f"{refused.value.message} | {refused.value.hint}")


def test_an_encrypted_office_file_asks_for_a_copy_without_password(tmp_path: Path) -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(900) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(Encrypted, match="password"):
        kind(tmp_path, "a.docx", data)


def test_a_cut_off_container_is_called_damaged(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        kind(tmp_path, "a.docx", files.word()[:2000])


@pytest.mark.parametrize("name", ["a.pdf", "A.PDF", "a.docx", "a.epub"])
def test_bytes_that_are_nothing_are_called_damaged_if_the_name_says_what_they_should_be(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(Unreadable, match="damaged, or is no") as refused:
        kind(tmp_path, name, bytes(range(256)) * 10)
    assert not isinstance(refused.value, Unsupported)
    assert "again" in refused.value.hint


def test_the_beginning_of_long_json_is_json() -> None:
    whole = '[{"name": "a long string", "value": 12.5e3}, ' * 50
    assert all(is_json(whole[:end], whole=False) for end in range(2, 300))
    assert not is_json(whole)
    assert not is_json("[section]\nkey = 1")
