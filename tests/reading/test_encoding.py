import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading.encoding import decode_text, detect_utf16, normalise_line_ends

FRENCH = "L’été dernier, « l’œuvre » coûtait 12 € — très chère à l’époque, n’est-ce pas ? Où ça ? À Noël."
POLISH = "Zażółć gęślą jaźń. Wszystkie książki są już sprzedane, łącznie trzysta egzemplarzy źródłowych." * 3
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему." * 3


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_french_is_read_in_any_common_encoding(codec: str) -> None:
    assert decode_text(FRENCH.encode(codec)) == FRENCH


def test_a_short_french_word_in_one_byte_letters_is_read() -> None:
    assert decode_text("déjà".encode("latin-1")) == "déjà"


@pytest.mark.parametrize(("text", "codec"), [(POLISH, "cp1250"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r")])
def test_other_code_pages_are_detected(text: str, codec: str) -> None:
    assert decode_text(text.encode(codec)) == text


def test_one_broken_byte_does_not_spoil_a_utf8_file() -> None:
    data = FRENCH.encode() + b"\xff" + FRENCH.encode()
    assert decode_text(data) == FRENCH + "\ufffd" + FRENCH


def test_a_declared_encoding_is_believed_when_the_bytes_do_not_decide() -> None:
    assert decode_text(RUSSIAN[:30].encode("cp1251"), "windows-1251") == RUSSIAN[:30]
    assert decode_text("été".encode("latin-1"), "no-such-codec") == "été"
    assert decode_text("été".encode(), "cp1251") == "été"


def test_every_line_end_becomes_one_newline() -> None:
    assert normalise_line_ends("a\r\nb\rc\n\r\nd") == "a\nb\nc\n\nd"


@given(st.binary(max_size=200))
def test_any_bytes_become_some_text(data: bytes) -> None:
    assert isinstance(decode_text(data), str)
    assert detect_utf16(data) in ("", "utf-16-le", "utf-16-be")


@given(
    st.text(st.characters(codec="utf-8"), max_size=100).filter(
        lambda text: "\0" not in text and not text.startswith("\ufeff")
    )
)
def test_any_utf8_comes_back_unchanged(text: str) -> None:
    assert decode_text(text.encode()) == text
