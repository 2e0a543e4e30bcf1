"""The tool that computes a figure from cited figures. Each input must stand in its source."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from pincite.answer.context import Context
from pincite.answer.tool_call import RunContext, ToolReturn
from pincite.errors import Misuse
from pincite.proof.arithmetic import evaluate_expression, format_number
from pincite.proof.tables import describe_row
from pincite.text.language import detect_question_language
from pincite.text.numerals import DIGITS, read_digits
from pincite.text.quantities import Quantity, find_quantities
from pincite.types import Evidence

_NAME = re.compile(r"[^\W\d]\w*")
_DIGITS = re.compile(DIGITS)
_TYPED = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", ":": "/"})
_SHARES = ("percent", "permille")
_MOST = 30  # inputs
_BELOW = 100  # a larger ratio is not shown as a percentage


class Input(BaseModel):
    """A figure of the evidence under a name that the expression uses."""

    name: Annotated[str, Field(pattern=r"^[^\W\d]\w*$", max_length=60, description="Its name in the expression.")]
    value: Annotated[str, BeforeValidator(str), Field(description="The figure as the source writes it: `3,991`.")]
    evidence: Annotated[int, Field(description="The number of the evidence it stands in: 81 for [81.5].")]
    sentence: Annotated[int | None, Field(description="The sentence or row of it: 5 for [81.5].")] = None

    @property
    def mark(self) -> str:
        """The citation mark of the place where the figure stands."""
        return f"[{self.evidence}.{self.sentence}]" if self.sentence else f"[{self.evidence}]"


@dataclass(frozen=True, slots=True)
class CitedCalculation:
    """A computed figure: the expression, the same with its figures and marks, and the result.

    `cited` has the evidence and sentence of each input.
    """

    expression: str
    shown: str
    result: float
    cited: tuple[tuple[int, int | None], ...]


async def calculate(
    run: RunContext[Context],
    expression: Annotated[
        str,
        Field(max_length=500, description="Names of the inputs, numbers, + - * / and brackets: `a / b - 1`."),
    ],
    inputs: Annotated[list[Input], Field(min_length=1, max_length=_MOST)],
) -> ToolReturn[str]:
    """Compute a sum, a difference, a ratio, a change in per cent or the like from figures of the evidence.

    Use it for every figure that no source states. Each input names a figure exactly as its source writes it, and where
    it stands. In the answer, cite the inputs behind the result.
    """
    context = run.deps
    figures = {each.name: _find_input_value(context, each) for each in inputs}
    _check_names(expression, figures)
    expression = expression.translate(_TYPED)
    result = evaluate_expression(expression, figures)
    shown = _write_calculation(expression, inputs, result)
    cited = tuple(dict.fromkeys((each.evidence, each.sentence) for each in inputs))
    context.ledger.calculations.append(CitedCalculation(expression, shown, result, cited))
    return ToolReturn(f"{shown}\nCite the inputs behind it.")


def _check_names(expression: str, figures: dict[str, float]) -> None:
    """Raise `Misuse` when an input is not used, so that a result cites only figures that it was computed from."""
    used = set(_NAME.findall(expression))
    if unused := [name for name in figures if name not in used]:
        raise Misuse(f"The expression does not use {', '.join(unused)}.", "Leave such inputs out.")


def _find_input_value(context: Context, given: Input) -> float:
    """Return the value of an input; raise `Misuse` when it is no figure or does not stand in its source."""
    evidence = context.ledger.get(given.evidence)
    if evidence is None:
        raise Misuse(f"There is no evidence {given.evidence}.", f"There are {len(context.ledger)}.")
    if given.sentence and given.sentence > len(evidence.sentences):
        raise Misuse(f"There is no sentence {given.mark}.", f"[{given.evidence}] has {len(evidence.sentences)}.")
    figure = _parse_figure(given.value)
    if figure is None:
        raise Misuse(
            f"`{given.value}` is not one figure.", "Give each figure as an input of its own, as it is written."
        )
    places = range(1, len(evidence.sentences) + 1)
    own = _list_values(given.value)
    holding = [number for number in places if own & _list_values(_read_sentence(evidence, number))]
    if given.sentence not in holding if given.sentence else not holding:
        where = " and ".join(f"[{given.evidence}.{number}]" for number in holding[:3])
        hint = (
            f"It stands in {where}." if where else "Take the figure exactly as its source has it, and cite that source."
        )
        raise Misuse(f"{given.value} does not stand in {given.mark}.", hint)
    language = detect_question_language(evidence.text) or "en"
    return _choose_value(given.value, figure, language)


def _read_sentence(evidence: Evidence, number: int) -> str:
    """Return the text of a sentence; for a table row with its heads, whose years may be inputs too."""
    start, end = evidence.sentences[number - 1]
    rows = [
        describe_row(table, row)
        for table in evidence.tables
        for row in table.rows
        if row.start <= start < row.end and row.cells
    ]
    return "\n".join([evidence.quote(start, end), *rows])


def _remove_underscores(text: str) -> str:
    """Return a text without the underscores that code writes inside numbers."""
    return re.sub(r"(?<=\d)_(?=\d)", "", text)


def _parse_figure(value: str) -> Quantity | None:
    found = find_quantities(_remove_underscores(value))
    return found[0] if len(found) == 1 and found[0].worth else None


def _list_values(text: str) -> set[float]:
    """Return the values of the numbers in a text, without unit and scale. Words count where there are no digits."""
    found = {worth for token in _DIGITS.findall(_remove_underscores(text)) for worth in read_digits(token)}
    return found or {abs(worth) for quantity in find_quantities(text) for worth in _list_unscaled_values(quantity)}


def _list_unscaled_values(figure: Quantity) -> tuple[float, ...]:
    """Return the possible values of a figure in its own unit."""
    years = tuple(float(reading[0]) for reading in figure.readings)
    return tuple(round(worth / figure.size, 9) for worth in figure.worth) or years


def _choose_value(written: str, figure: Quantity, language: str) -> float:
    """Choose the value of a figure. A comma before three digits groups thousands in English, not in French."""
    worth = figure.worth if figure.measure in _SHARES else _list_unscaled_values(figure)
    is_decimal = ("," in written) == (language == "fr")
    value = worth[-1 if is_decimal else 0]
    # Accountants write a loss in brackets.
    bare = written.strip()
    return -value if bare.startswith("(") and bare.endswith(")") and value > 0 else value


def _write_calculation(expression: str, inputs: Sequence[Input], result: float) -> str:
    """Write the expression, the same with its figures and their marks, and the result."""
    figures = {each.name: f"{each.value} {each.mark}" for each in inputs}
    filled = _NAME.sub(lambda name: figures.get(name[0], name[0]), expression)
    shown = _write_number(result)
    is_share = any("%" in each.value for each in inputs) or ("/" in expression and "100" not in expression)
    if is_share and abs(result) < _BELOW:
        shown += f" = {_write_number(round(100 * result, 1))} %"
    return f"{_write_signs(expression)} = {_write_signs(filled)} = {shown}"


def _write_signs(expression: str) -> str:
    return re.sub(r"(?<=[\s(\w\]])-(?=[\s(\w])", "−", expression).replace("*", "×")


def _write_number(value: float) -> str:
    """Write a result for people: with about four decimal places, or four digits where it is small."""
    leading = math.floor(math.log10(abs(value))) if value else 0
    text = format_number(value, 2 if leading >= 3 else max(4, 3 - leading))
    return text.rstrip("0").rstrip(".") if "." in text else text
