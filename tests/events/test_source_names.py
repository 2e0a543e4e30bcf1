import pytest

from pincite.events.source_names import add_file_name, describe_lines, describe_page, label_page
from pincite.types import Kind


@pytest.mark.parametrize(
    ("kind", "page", "printed", "label", "english", "french"),
    [
        ("pdf", 6, "", "", "p. 6", "p. 6"),
        ("pdf", 6, "iv", "iv", "p. iv (page 6)", "p. iv (page 6)"),
        ("pdf", 6, "6", "", "p. 6", "p. 6"),
        ("pptx", 2, "", "slide 2", "slide 2", "diapositive 2"),
        ("docx", 0, "", "", "", ""),
    ],
)
def test_a_page_is_named_as_a_person_would(
    kind: Kind, page: int, printed: str, label: str, english: str, french: str
) -> None:
    assert label_page(kind, page, printed) == label
    assert describe_page(page, label) == english
    assert describe_page(page, label, "fr") == french


def test_several_pages_are_a_range() -> None:
    assert describe_page(3, last=5) == "p. 3–5"
    assert describe_page(3, last=5, word="page") == "pages 3–5"
    assert describe_page(3, "iii", last=5) == "p. iii (page 3–5)"
    assert describe_page(3, "slide 3", last=4) == "slides 3–4"
    assert describe_page(3, last=3) == "p. 3"


def test_titles_that_are_alike_are_told_apart_by_the_file() -> None:
    assert add_file_name("Report", "a.pdf", True) == "Report (a.pdf)"
    assert add_file_name("Report", "a.pdf", False) == "Report"
    assert add_file_name("a.py", "a.py", True) == "a.py"


@pytest.mark.parametrize(
    ("lines", "named"), [((12, 20), "src/cart.py:12–20"), ((12, 12), "src/cart.py:12"), (None, "src/cart.py")]
)
def test_a_file_of_a_project_is_named_by_its_path_and_lines(lines: tuple[int, int] | None, named: str) -> None:
    assert describe_lines("src/cart.py", lines) == named
