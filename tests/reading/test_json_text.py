import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.files import of_kind, read_bytes

from pincite.reading.json_text import indent_json

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_json_that_is_laid_out_stays_as_it_was(tmp_path: Path) -> None:
    source = '{\n  "b": 1.50,\n  "a": [\n    1,\n    2\n  ]\n}\n'
    document = read_bytes(tmp_path, "a.json", source.encode())
    assert document.text == source
    assert of_kind(document, "code") == ['{\n  "b": 1.50,', '"a": [\n    1,\n    2\n  ]\n}']


def test_one_long_line_is_laid_out_without_changing_a_number(tmp_path: Path) -> None:
    items = ",".join(f'{{"id":{n},"prix":1.{n}0,"prix":2E5}}' for n in range(200))
    document = read_bytes(tmp_path, "a.json", f"[{items}]".encode())
    assert '"prix": 1.70,' in document.text
    assert document.text.count("2E5") == 200
    assert len(of_kind(document, "code")) == 200


def test_escaped_letters_become_letters_that_can_be_searched(tmp_path: Path) -> None:
    assert '"Zoé"' in read_bytes(tmp_path, "a.json", b'{"nom": "Zo\\u00e9"}').text


def test_records_on_lines_are_a_block_each(tmp_path: Path) -> None:
    source = '{"a": 1, "b": 2}\n{"a": 3}\n'
    assert of_kind(read_bytes(tmp_path, "a.jsonl", source.encode()), "code") == ['{"a": 1, "b": 2}', '{"a": 3}']


def test_one_key_over_everything_is_parted_into_what_it_holds(tmp_path: Path) -> None:
    source = json.dumps({"data": [{"texte": "mot " * 60, "n": n} for n in range(50)]}, indent=1)
    assert len(of_kind(read_bytes(tmp_path, "a.json", source.encode()), "code")) == 50


@given(VALUES)
def test_laying_out_keeps_every_value(value: Any) -> None:
    assert json.loads(indent_json(json.dumps(value))) == value
