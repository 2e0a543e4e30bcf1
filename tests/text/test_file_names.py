import pytest

from pincite.text.file_names import shorten_file_name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Rapport-annuel-très-long.pdf", "Rapport-annuel-t.pdf"),
        ("Rapport du 1er trimestre.docx", "Rapport du 1er.docx"),
        ("Rapport.pdf", "Rapport.pdf"),
        ("a name without any ending", "a name without any e"),
        ("v2.a sentence after a full stop", "v2.a sentence after"),
    ],
)
def test_a_long_name_keeps_its_beginning_and_its_ending(name: str, short: str) -> None:
    assert shorten_file_name(name, 20) == short
