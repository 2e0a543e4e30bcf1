import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import Misuse
from pincite.projects.text_file import decode_file, find_newline


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_the_bytes_of_any_text_file_come_back_as_they_were(data: bytes) -> None:
    try:
        file = decode_file("a.txt", data)
    except Misuse:
        assert b"\0" in data
        return
    assert file.encode(file.text) == data == file.data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "cp1252", "shift_jis"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encoding_and_line_ends_are_kept(encoding: str, newline: str) -> None:
    text = "これは日本語の文章です。漢字もあります。" * 4 if encoding == "shift_jis" else "déjà vu, naïve café"
    data = f"{text}{newline}x{newline}".encode(encoding)
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-32-le": codecs.BOM_UTF32_LE}
    file = decode_file("a.txt", mark.get(encoding, b"") + data)
    assert file.text == f"{text}{newline}x{newline}"
    assert file.newline == newline
    assert file.bom == (encoding in mark)
    assert file.encode("é" if encoding != "shift_jis" else "日").endswith(
        ("é" if encoding != "shift_jis" else "日").encode(encoding)
    )


def test_a_byte_order_mark_is_no_part_of_the_text_but_of_the_bytes() -> None:
    file = decode_file("a.py", codecs.BOM_UTF8 + b"x = 1\n")
    assert (file.text, file.bom, file.encoding) == ("x = 1\n", True, "utf-8")
    assert file.encode("y = 2\n") == codecs.BOM_UTF8 + b"y = 2\n"


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\nb\n", "\n"),
        ("a\r\nb", "\r\n"),
        ("a\rb", "\r"),
        ("a\r\nb\n", "mixed"),
        ("\n\r", "mixed"),
    ],
)
def test_the_line_end_of_a_text_is_found(text: str, newline: str) -> None:
    assert find_newline(text) == newline


@pytest.mark.parametrize("data", [b"\x7fELF\0\0\0\1", b"text\0text", bytes(range(256))])
def test_a_binary_file_is_refused(data: bytes) -> None:
    with pytest.raises(Misuse) as caught:
        decode_file("a.bin", data)
    assert caught.value.reason == "binary_file"
