import json
from pathlib import Path

import pytest

from pincite.text.formulas import find_formulas, is_formula

# The page's tests read the same cases.
CASES = json.loads((Path(__file__).parent / "formula_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_formulas_are_found_and_prices_and_code_are_none(case: dict[str, list[str] | str]) -> None:
    text = str(case["text"])
    found = list(find_formulas(text))
    assert [f"[{each.tex}]" if each.is_display else each.tex for each in found] == case["formulas"]
    assert all(each.tex in text[each.start : each.end] for each in found)


def test_letters_and_signs_make_a_formula_words_and_amounts_do_not() -> None:
    assert all(map(is_formula, ("x", "a+b", "\\alpha", "n!", "|x|", "sin(x)")))
    assert not any(map(is_formula, ("5", "5 + 10", "and", "5 and", "the lake", "10, or")))
