import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.own_data.archive_names import ArchiveNames, clean_name


@given(st.lists(st.text(max_size=300), max_size=8))
def test_every_name_is_one_plain_file_and_no_two_are_equal_on_any_system(wanted: list[str]) -> None:
    names = ArchiveNames()
    made = [names.choose("folder", each) for each in wanted]
    assert len({unicodedata.normalize("NFC", name).casefold() for name in made}) == len(wanted)
    for name in made:
        folder, _, file = name.partition("/")
        assert folder == "folder"
        assert file not in ("", ".", "..")
        assert not set(file) & set('<>:"/\\|?*\0\n')
        assert file == file.strip(". ")
        assert len(file.encode()) < 200


@pytest.mark.parametrize(
    ("wanted", "given_name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_._etc_passwd"),
        ("C:\\nul", "C__nul"),
        ("nul.txt", "_nul.txt"),
        ("Ein schönes Heft.md", "Ein schönes Heft.md"),
        ("", "unnamed"),
    ],
)
def test_a_readable_name_stays_and_a_dangerous_one_does_not(wanted: str, given_name: str) -> None:
    assert clean_name(wanted) == given_name


def test_the_second_of_two_equal_names_gets_a_number() -> None:
    names = ArchiveNames()
    assert [names.choose("a", name) for name in ("x.txt", "X.txt", "x.txt")] == [
        "a/x.txt",
        "a/X (2).txt",
        "a/x (3).txt",
    ]
