from pathlib import Path

from tests.files import of_kind, read_bytes

from pincite.reading.plain_text import find_paragraphs
from pincite.text.display import put_on_one_line


def test_a_hard_wrapped_paragraph_is_one_block(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.txt", b"\n\nUn deux\r\ntrois quatre.\r\n  \t\r\n\r\n  Cinq.  \r\n")
    assert of_kind(document, "paragraph") == ["Un deux\ntrois quatre.", "  Cinq."]
    assert "\r" not in document.text


def test_form_feeds_part_pages_and_paragraphs(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.txt", b"page un\fpage deux\n\fpage trois\f\n")
    assert [document.text[page.start : page.end] for page in document.pages] == [
        "page un\f",
        "page deux\n\f",
        "page trois\f\n",
    ]
    assert of_kind(document, "paragraph") == ["page un", "page deux", "page trois"]


def test_a_word_that_a_hard_line_end_divides_is_whole_and_nothing_moves(tmp_path: Path) -> None:
    written = "The museum keeps a col-\nlection of well-\nknown and self-\n    portrait birds, in-\n    cluding herons."
    document = read_bytes(tmp_path, "a.txt", written.encode())
    assert document.text == written.replace("col-", "col\u00ad").replace("in-\n", "in\u00ad\n")
    assert put_on_one_line(document.text) == (
        "The museum keeps a collection of well-known and self-portrait birds, including herons."
    )


def test_hyphens_stay_at_the_ends_of_paragraphs_and_in_words_that_nobody_knows(tmp_path: Path) -> None:
    for text in ("a col-\n\nlection", "a col-\n\n  lection", "- col-\n- lection", "Run zorb-\nqux.", "Saint-\nDenis"):
        assert read_bytes(tmp_path, "a.txt", text.encode()).text == text
    divided = "A col-\nlection of zorb-\nquxes."
    assert read_bytes(tmp_path, "a.txt", divided.encode()).text == divided.replace("-", "\u00ad")


def test_text_without_form_feeds_has_no_pages(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.txt", b"un").pages == ()


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.txt", "été".encode("utf-8-sig")).text == "été"


def test_paragraphs_of_a_stretch_stay_in_it() -> None:
    assert list(find_paragraphs("ab\n\ncd\n\nef", 1, 7)) == [(1, 2), (4, 6)]
