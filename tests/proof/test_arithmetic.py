import math
import re
from contextlib import suppress

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pincite.errors import Misuse
from pincite.proof.arithmetic import Operand, calculate, evaluate_expression, format_number

NUMBERS = st.one_of(st.integers(-1000, 1000), st.floats(-1000, 1000, allow_nan=False)).map(lambda n: f"({n!r})")


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda each: f"({each[0]} {each[1]} {each[2]})")
    called = st.tuples(st.sampled_from(["abs", "round"]), inner).map(lambda each: f"{each[0]}({each[1]})")
    return st.one_of(pair, called, inner.map(lambda each: f"-{each}"))


@given(st.recursive(st.one_of(NUMBERS, st.sampled_from(["a", "b"])), _grow, max_leaves=12))
@example("((1000 / (5e-324)) + ((1) / (0)))")  # one part is too large and another divides by zero
@example("round(((1000) / (5e-324)))")
@example("((9007199254740993) - (9007199254740992))")  # whole numbers are floating point here too
def test_a_valid_expression_has_the_value_python_gives_it_in_floating_point(expression: str) -> None:
    values = {"a": 3991.0, "b": 5506.0}
    assume(len(expression) <= 500)
    floating = re.sub(r"\((-?\d+)\)", r"(\1.0)", expression)
    try:
        expected = eval(floating, {"__builtins__": {}}, {**values, "abs": abs, "round": lambda n: float(round(n))})
    except (ZeroDivisionError, OverflowError, ValueError):  # of an infinite number, `round` makes the last two
        with pytest.raises(Misuse, match=r"zero|too large"):
            evaluate_expression(expression, values)
        return
    try:
        result = evaluate_expression(expression, values)
    except Misuse as error:
        assume("too large" not in error.message)
        raise
    assert math.isclose(result, expected, rel_tol=1e-9, abs_tol=1e-9)


@given(st.one_of(st.text(max_size=80), st.text(alphabet="ab12+-*/().,[]^% sumroundmean", max_size=600)))
def test_any_other_text_is_a_misuse_and_nothing_worse(expression: str) -> None:
    with suppress(Misuse):
        assert math.isfinite(evaluate_expression(expression, {"a": 1.5, "b": -2.0}))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(new - old) / old * 100", 25.0),
        ("sum(new, old, 1)", 10.0),
        ("mean([new, old])", 4.5),
        ("max(new, old) - min(new, old)", 1.0),
        ("round(10 / 3, 2)", 3.33),
        ("2 ** 10", 1024.0),
        ("-new", -5.0),
    ],
)
def test_named_inputs_and_functions(expression: str, value: float) -> None:
    assert evaluate_expression(expression, {"new": 5, "old": 4}) == pytest.approx(value)


@pytest.mark.parametrize(
    "expression",
    [
        "9 ** 9 ** 9", "1e400", "__import__('os')", "a.b", "x", "1 if 1 else 2", "[1, 2]", "f(1)", "sum()", "1 / 0", "",
        "+1" * 300, "1if 1else 2", "-" * 300 + "1", "True", "'a'", "lambda: 1", "(-8) ** 0.5",
        "0 ** -1", "round(1, 1.5)", "1 // 2", "1\0",
    ],
)  # fmt: skip
def test_a_text_that_is_no_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(Misuse):
        evaluate_expression(expression, {"a": 1})


def test_a_calculation_shows_the_figures_of_the_source() -> None:
    found = calculate("change", [Operand(3991, "3,991"), Operand(5506, "5,506")])
    assert found is not None
    assert found.write(0.01, "%") == "3,991 / 5,506 − 1 = −27.5 %"
    assert calculate("ratio", [Operand(1, "1"), Operand(0, "0")]) is None


def test_a_loss_that_shrinks_is_a_rise() -> None:
    found = calculate("change", [Operand(-50, "(50)"), Operand(-100, "(100)")])
    assert found is not None
    assert found.result == pytest.approx(0.5)


def test_numbers_are_written_with_a_true_minus_sign() -> None:
    assert format_number(-1234.56, 1) == "−1,234.6"
    assert format_number(-0.001, 1) == "0.0"
