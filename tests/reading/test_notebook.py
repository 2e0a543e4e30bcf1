from pathlib import Path

import pytest
from tests.files import headings, notebook, of_kind, read_bytes

from pincite.errors import Unreadable
from pincite.reading.notebook import LONG_OUTPUT


def test_a_notebook_is_prose_code_and_what_it_printed(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.ipynb", notebook(language_info={"name": "python"}, authors=[{"name": "Zoé"}]))
    assert (document.kind, document.title) == ("notebook", "La marée")
    assert document.metadata == {"author": "Zoé", "programming language": "python"}
    assert headings(document) == [(1, "La marée")]
    assert of_kind(document, "paragraph") == ["La lune *attire* les eaux."]
    assert of_kind(document, "code") == ["def height(hour):\n    return 3 * hour", "12 m"]


def code(*outputs: object) -> bytes:
    return notebook([{"cell_type": "code", "source": "run()", "outputs": list(outputs)}])


def test_values_errors_and_colours_are_said_in_words(tmp_path: Path) -> None:
    value = {"output_type": "execute_result", "data": {"text/plain": ["   a\n0  1"], "text/html": "<table>"}}
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no tide", "traceback": ["\x1b[31mlong"]}
    stream = {"output_type": "stream", "text": "\x1b[32mgreen\x1b[0m"}
    picture = {"output_type": "display_data", "data": {"image/png": "iVBOR"}}
    document = read_bytes(tmp_path, "a.ipynb", code(value, error, stream, picture))
    assert document.text == "run()\n\n   a\n0  1\nValueError: no tide\ngreen"


def test_a_long_output_is_cut_and_said_to_be(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.ipynb", code({"output_type": "stream", "text": "line\n" * 100_000}))
    assert len(document.text) <= LONG_OUTPUT + 10
    assert "outputs of 1 cell" in document.problems[0]


def test_an_old_notebook_with_worksheets_is_read(tmp_path: Path) -> None:
    cells = '{"cell_type": "heading", "level": 2, "source": "Tides"}, {"cell_type": "code", "input": "x = 1"}'
    document = read_bytes(tmp_path, "a.ipynb", f'{{"worksheets": [{{"cells": [{cells}]}}], "nbformat": 3}}'.encode())
    assert headings(document) == [(2, "Tides")]
    assert of_kind(document, "code") == ["x = 1"]


def test_cells_of_any_shape_are_read_or_passed_over(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": 3, "outputs": "x"}, {"cell_type": []}, {"cell_type": "raw", "source": "a"}]
    assert read_bytes(tmp_path, "a.ipynb", notebook(cells)).text == "a"  # type: ignore[arg-type]
    with pytest.raises(Unreadable):
        read_bytes(tmp_path, "a.ipynb", b'{"nbformat": 4, "cells": 5}')
