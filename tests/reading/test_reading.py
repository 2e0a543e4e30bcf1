"""Promises of `read` that hold for every format."""

import random
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests import files
from tests.thorough import scale_examples

from pincite.errors import Misuse, NotFound, Unreadable
from pincite.reading import READERS, read
from pincite.reading.source import Source
from pincite.types import Document

NAMES = ["a.txt", "a.md", "a.py", "a.js", "a.csv", "a.json", "a.jsonl", "a.html", "a.eml", "a", "Makefile"]
SAMPLES = files.samples()
quick = settings(
    max_examples=scale_examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def tried(folder: Path, name: str, data: bytes) -> Document | None:
    """The document, or None when the bytes are refused with a reason and a hint."""
    try:
        document = files.read_bytes(folder, name, data, ocr="")
    except Unreadable as error:
        if not (error.message and error.hint):
            raise
        return None
    files.assert_sound(document)
    return document


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_sound_file_of_every_format_is_read_whole(tmp_path: Path, name: str) -> None:
    document = tried(tmp_path, name, SAMPLES[name])
    assert document is not None
    assert document.kind in READERS
    assert document.title


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_damaged_files_are_read_or_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    chance = random.Random(name)
    for _ in range(25):
        data = bytearray(SAMPLES[name])
        for _ in range(chance.choice([1, 4, 30])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.3:
            del data[chance.randrange(len(data)) :]
        tried(tmp_path, name, bytes(data))


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx", "a.epub", "a.odt"])
def test_damaged_parts_inside_a_sound_container_are_read_or_refused(tmp_path: Path, name: str) -> None:
    chance = random.Random(name)

    def damage(_: str, part: bytes) -> bytes:
        if len(part) < 50 or chance.random() < 0.7:
            return part
        at, length = chance.randrange(len(part)), chance.choice([1, 5, 200])
        return part[:at] + chance.choice([b"", b"<", b"\xff", b'"9"', b"&x;"]) + part[at + length :]

    for _ in range(25):
        tried(tmp_path, name, files.repacked(SAMPLES[name], damage))


@quick
@given(data=st.binary(max_size=400), name=st.sampled_from(NAMES))
@example(data=b"\xff\xfe", name="a")
@example(data=b"PK\x03\x04", name="a.docx")
@example(data=b"%PDF-", name="a")
def test_any_bytes_are_read_or_refused_with_a_reason(tmp_path: Path, data: bytes, name: str) -> None:
    tried(tmp_path, name, data)


@quick
@given(text=st.text(st.characters(codec="utf-8"), min_size=1, max_size=300), name=st.sampled_from(NAMES))
@example(text="\f", name="a.txt")
@example(text="\ufeff", name="a")
@example(text="# \n#\n==\n---\n", name="a.md")
@example(text='{"a":[1,{}]}]', name="a.json")
def test_any_text_becomes_a_sound_document(tmp_path: Path, text: str, name: str) -> None:
    document = tried(tmp_path, name, text.encode())
    if text.strip() not in ("", "\ufeff") and not any(unicodedata.category(letter) == "Cc" for letter in text):
        assert document is not None


WORDS = st.lists(
    st.sampled_from(
        [
            "# Titre\n",
            "mot ",
            "été\n",
            "\n\n",
            "- a\n",
            "1. b\n",
            "```\n",
            "| a | b |\n|---|---|\n",
            "> q\n",
            "    x\n",
            "\f",
            "---\n",
            "def f():\n",
            "class A:\n",
            "}\n",
            "{",
            "[",
            "1,",
            '"a": ',
            "]",
            "<p>",
            "</p>",
            "<table><tr><td>",
            "<li>",
            "<ul>",
            "<h2>",
        ]
    ),
    min_size=1,
    max_size=40,
)


@quick
@given(words=WORDS, name=st.sampled_from(NAMES))
def test_any_mixture_of_marks_becomes_a_sound_document(tmp_path: Path, words: list[str], name: str) -> None:
    text = "".join(words)
    document = tried(tmp_path, name, text.encode())
    assert document is not None or not text.strip()


@quick
@given(paragraphs=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40), max_size=8))
def test_any_paragraphs_of_a_word_document_come_back_in_order(tmp_path: Path, paragraphs: list[str]) -> None:
    data = files.word(lambda document: [document.add_paragraph(files.clean(each)) for each in paragraphs])
    document = files.read_bytes(tmp_path, "a.docx", data)
    files.assert_sound(document)
    position = 0
    for each in paragraphs:
        words = files.clean(each)
        position = document.text.index(words, position) + len(words)


def test_a_missing_file_a_folder_and_an_empty_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no file x\.pdf"):
        read(Source(tmp_path / "x.pdf", "x.pdf"))
    with pytest.raises(Misuse, match="folder"):
        read(Source(tmp_path, "folder"))
    with pytest.raises(Unreadable, match="empty"):
        files.read_bytes(tmp_path, "a.txt", b"")


def test_running_out_of_memory_is_told_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(source: Source) -> Document:
        raise MemoryError

    monkeypatch.setattr("pincite.reading.plain_text.read", hungry)
    with pytest.raises(Unreadable, match="more memory than the limit"):
        files.read_bytes(tmp_path, "a.txt", b"words")
