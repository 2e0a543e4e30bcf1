"""A figure that no source states is computed from figures that stand in the sources, and says from which."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.answer.context import Context
from pincite.answer.tools.calculate import Input, calculate
from pincite.errors import Misuse
from pincite.types import Hit, Span
from tests.answer.tools.running import a_turn, call
from tests.turns import open_test_services

ENGLISH = "Net revenue was 3,991 million dollars in 2015. It was 5,506 million dollars in 2014. Costs fell by 12.5 %."
FRENCH = "Le chiffre d'affaires est de 1 234,5 millions d'euros. La marge est de 3,125 millions d'euros cette année."
LOSS = "Operating loss\t(1,250)\nEmployees\t1,913"

Given = Callable[..., str]


@pytest.fixture
def context(tmp_path: Path) -> Context:
    context = a_turn(open_test_services(tmp_path, {}))
    for number, text in enumerate((ENGLISH, FRENCH, LOSS)):
        context.ledger.add(Hit(Span(f"d{number}", 0, len(text)), "Title", "text", text, 0.5))
    return context


def inputs(**given: tuple[Any, ...]) -> list[Input]:
    return [
        Input(name=name, value=value, evidence=evidence, sentence=sentence[0] if sentence else None)
        for name, (value, evidence, *sentence) in given.items()
    ]


def test_a_change_in_per_cent_is_told_with_its_figures_and_where_they_stand(context: Context) -> None:
    given = inputs(revenue_2015=("3,991", 1, 1), revenue_2014=("5,506", 1, 2))
    said = call(context, calculate, expression="revenue_2015 / revenue_2014 - 1", inputs=given)
    assert said.startswith("revenue_2015 / revenue_2014 − 1 = 3,991 [1.1] / 5,506 [1.2] − 1 = −0.2752 = −27.5 %\n")


def test_a_calculation_is_kept_with_what_it_cites(context: Context) -> None:
    call(context, calculate, expression="a - b", inputs=inputs(a=("5,506", 1, 2), b=("3,991", 1)))
    (kept,) = context.ledger.calculations
    assert (kept.result, kept.cited) == (1515.0, ((1, 2), (1, None)))
    assert kept.shown == "a − b = 5,506 [1.2] − 3,991 [1] = 1,515"


@pytest.mark.parametrize(
    ("value", "evidence", "worth"),
    [
        ("1 234,5", 2, 1234.5),
        ("3,125", 2, 3.125),  # in French a comma parts the decimals
        ("3,991", 1, 3991),
        ("3991", 1, 3991),
        (3991, 1, 3991),
        ("12.5 %", 1, 0.125),
        ("(1,250)", 3, -1250),
        ("1,913", 3, 1913),
    ],
)
def test_a_figure_is_worth_what_its_source_means(context: Context, value: Any, evidence: int, worth: float) -> None:
    call(context, calculate, expression="x + 0", inputs=inputs(x=(value, evidence)))
    assert context.ledger.calculations[0].result == pytest.approx(worth)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("4,000", 1), "4,000 does not stand in [1]."),
        (("991", 1), "991 does not stand in [1]."),
        (("5,506", 1, 1), "5,506 does not stand in [1.1]. It stands in [1.2]."),
        (("3,991", 2), "3,991 does not stand in [2]."),
        (("3,991", 9), "There is no evidence 9."),
        (("3,991", 1, 9), "There is no sentence [1.9]."),
        (("much", 1), "`much` is not one figure."),
        (("3,991 and 5,506", 1), "is not one figure."),
    ],
)
def test_a_figure_that_does_not_stand_in_its_source_is_refused(
    context: Context, given: tuple[Any, ...], said: str
) -> None:
    with pytest.raises(Misuse) as error:
        call(context, calculate, expression="x * 2", inputs=inputs(x=given))
    assert said in f"{error.value.message} {error.value.hint}"
    assert error.value.hint
    assert context.ledger.calculations == []


@pytest.mark.parametrize("expression", ["x / 0", "y + x", "x.__class__", "x +", "open(x)", "x ** 999999"])
def test_an_expression_that_cannot_be_computed_is_refused_with_what_to_do(context: Context, expression: str) -> None:
    with pytest.raises(Misuse) as error:
        call(context, calculate, expression=expression, inputs=inputs(x=("3,991", 1)))
    assert error.value.hint


def test_an_input_that_the_result_does_not_rest_on_is_refused(context: Context) -> None:
    with pytest.raises(Misuse, match="does not use b"):
        call(context, calculate, expression="a * 2", inputs=inputs(a=("3,991", 1), b=("5,506", 1)))


def test_signs_as_people_type_them_are_understood(context: Context) -> None:
    call(context, calculate, expression="(a − b) × 2 ÷ 2", inputs=inputs(a=("5,506", 1), b=("3,991", 1)))
    assert context.ledger.calculations[0].result == 1515
