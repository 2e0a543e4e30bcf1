import io
import zipfile
from pathlib import Path

import pytest
from tests.files import book, headings, read_bytes, zipped

from pincite.errors import Encrypted, Unreadable


def test_chapters_stand_in_the_order_of_the_spine(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.epub", book())
    assert headings(document) == [(1, "Premier chapitre"), (1, "Second chapitre")]
    assert document.title == "Le lapin"
    assert document.metadata == {"author": "A. Martin", "date": "1999-12-31"}


def test_a_missing_chapter_is_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    data = book()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if not name.endswith("b.xhtml")}
    document = read_bytes(tmp_path, "a.epub", zipped(dict(members)))
    assert "Second chapitre" in document.text
    assert "Chapter 1" in document.problems[0]


def test_a_book_under_lock_is_refused_and_one_with_hidden_fonts_is_not(tmp_path: Path) -> None:
    def locked(method: str) -> bytes:
        return book({"META-INF/encryption.xml": f"<e><EncryptionMethod Algorithm='{method}'/></e>"})

    with pytest.raises(Encrypted, match="DRM"):
        read_bytes(tmp_path, "a.epub", locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))
    undeclared = book({"META-INF/encryption.xml": "<e><enc:EncryptionMethod Algorithm='aes'/></e>"})
    with pytest.raises(Encrypted, match="DRM"):
        read_bytes(tmp_path, "a.epub", undeclared)
    assert "lapin" in read_bytes(tmp_path, "a.epub", locked("http://www.idpf.org/2008/embedding")).text


@pytest.mark.parametrize("damaged", ["", "<", "no list", "<e><EncryptionMethod", "<e><EncryptionMethod/"])
def test_a_damaged_list_of_locks_keeps_no_book_from_being_read(tmp_path: Path, damaged: str) -> None:
    assert "lapin" in read_bytes(tmp_path, "a.epub", book({"META-INF/encryption.xml": damaged})).text


def test_a_book_without_its_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="list of its parts"):
        read_bytes(tmp_path, "a.epub", zipped({"mimetype": "application/epub+zip", "x": "y"}))
