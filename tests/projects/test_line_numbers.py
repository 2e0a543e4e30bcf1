from hypothesis import given
from hypothesis import strategies as st

from pincite.projects.line_numbers import LineNumbers
from pincite.reading.encoding import normalise_line_ends


@given(st.text("ab\n\r", max_size=30), st.data())
def test_a_position_has_the_line_that_an_editor_shows(text: str, data: st.DataObject) -> None:
    lines = LineNumbers(text)
    assert len(lines.starts) == normalise_line_ends(text).count("\n") + 1
    for line, start in enumerate(lines.starts, 1):
        assert lines.find_start(line) == start
        assert lines.find_line(start) == line
    position = data.draw(st.integers(0, len(text)))
    assert lines.find_start(lines.find_line(position)) <= position


def test_a_line_end_belongs_to_its_line() -> None:
    lines = LineNumbers("one\r\ntwo\r\nthree")
    assert lines.find_lines(0, 5) == (1, 1)
    assert lines.find_lines(0, 6) == (1, 2)
    assert lines.find_lines(5, 5) == (2, 2)
    assert lines.find_start(9) == 15
