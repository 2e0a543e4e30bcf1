"""The tool that computes a figure from cited ones: each input must stand in its source, and the result names it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from pincite.agent.tool_call import RunContext, ToolReturn
from pincite.agent.turn import Turn
from pincite.errors import Misuse
from pincite.evidence.numerals import DIGITS, values
from pincite.evidence.quantities import Quantity, quantities
from pincite.proof.arithmetic import evaluate, format_number
from pincite.proof.tables import describe_row
from pincite.reading.language import french_or_english
from pincite.types import Evidence

_NAME = re.compile(r"[^\W\d]\w*")
_DIGITS = re.compile(DIGITS)
_TYPED = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", ":": "/"})
_SHARES = ("percent", "permille")
_MOST = 30  # inputs
_BELOW = 100  # a ratio from here on is told as a number alone, not as a percentage


class Input(BaseModel):
    """A figure of the evidence under a name that the expression uses."""

    name: Annotated[str, Field(pattern=r"^[^\W\d]\w*$", max_length=60, description="Its name in the expression.")]
    value: Annotated[str, BeforeValidator(str), Field(description="The figure as the source writes it: `3,991`.")]
    evidence: Annotated[int, Field(description="The number of the evidence it stands in: 2 for [2.5].")]
    sentence: Annotated[int | None, Field(description="The sentence or row of it: 5 for [2.5].")] = None

    @property
    def mark(self) -> str:
        """Where it stands, as an answer cites it."""
        return f"[{self.evidence}.{self.sentence}]" if self.sentence else f"[{self.evidence}]"


@dataclass(frozen=True, slots=True)
class CitedCalculation:
    """A figure that was computed: the expression as it was asked, shown with its figures and marks, and the result.

    `cited` are the evidence and sentence of each input.
    """

    expression: str
    shown: str
    result: float
    cited: tuple[tuple[int, int | None], ...]


async def calculate(
    context: RunContext[Turn],
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
    turn = context.deps
    figures = {each.name: _worth(turn, each) for each in inputs}
    _check_names(expression, figures)
    expression = expression.translate(_TYPED)
    result = evaluate(expression, figures)
    shown = _shown(expression, inputs, result)
    cited = tuple(dict.fromkeys((each.evidence, each.sentence) for each in inputs))
    turn.calculations.append(CitedCalculation(expression, shown, result, cited))
    return ToolReturn(f"{shown}\nCite the inputs behind it.")


def _check_names(expression: str, figures: dict[str, float]) -> None:
    """`Misuse` when inputs are not used: a result must not cite figures that it does not rest on."""
    used = set(_NAME.findall(expression))
    if unused := [name for name in figures if name not in used]:
        raise Misuse(f"The expression does not use {', '.join(unused)}.", "Leave such inputs out.")


def _worth(turn: Turn, given: Input) -> float:
    """The value of an input; `Misuse` when it is no figure, or does not stand where it is said to."""
    evidence = turn.ledger.get(given.evidence)
    if evidence is None:
        raise Misuse(f"There is no evidence {given.evidence}.", f"There are {len(turn.ledger)}.")
    if given.sentence and given.sentence > len(evidence.sentences):
        raise Misuse(f"There is no sentence {given.mark}.", f"[{given.evidence}] has {len(evidence.sentences)}.")
    figure = _figure(given.value)
    if figure is None:
        raise Misuse(
            f"`{given.value}` is not one figure.", "Give each figure as an input of its own, as it is written."
        )
    places = range(1, len(evidence.sentences) + 1)
    own = _digits(given.value)
    holding = [number for number in places if own & _digits(_read(evidence, number))]
    if given.sentence not in holding if given.sentence else not holding:
        where = " and ".join(f"[{given.evidence}.{number}]" for number in holding[:3])
        hint = (
            f"It stands in {where}." if where else "Take the figure exactly as its source has it, and cite that source."
        )
        raise Misuse(f"{given.value} does not stand in {given.mark}.", hint)
    language = french_or_english(evidence.text) or "en"
    return _value(given.value, figure, language)


def _read(evidence: Evidence, number: int) -> str:
    """A sentence's words; for a row of a table with its heads, whose years may be inputs too."""
    start, end = evidence.sentences[number - 1]
    rows = [
        describe_row(table, row)
        for table in evidence.tables
        for row in table.rows
        if row.start <= start < row.end and row.cells
    ]
    return "\n".join([evidence.quote(start, end), *rows])


def _joined(text: str) -> str:
    """A text whose numbers have no underscores, as code writes them."""
    return re.sub(r"(?<=\d)_(?=\d)", "", text)


def _figure(value: str) -> Quantity | None:
    found = quantities(_joined(value))
    return found[0] if len(found) == 1 and found[0].worth else None


def _digits(text: str) -> set[float]:
    """What the numbers of a text are worth without unit and scale; those in words where it has none in digits."""
    found = {worth for token in _DIGITS.findall(_joined(text)) for worth in values(token)}
    return found or {abs(worth) for quantity in quantities(text) for worth in _bare(quantity)}


def _bare(figure: Quantity) -> tuple[float, ...]:
    """What a figure may be worth in the unit that stands behind it."""
    years = tuple(float(reading[0]) for reading in figure.readings)
    return tuple(round(worth / figure.size, 9) for worth in figure.worth) or years


def _value(said: str, figure: Quantity, language: str) -> float:
    """The one value of a figure: a comma before three digits parts thousands in English, decimals in French."""
    worth = figure.worth if figure.measure in _SHARES else _bare(figure)
    is_decimal = ("," in said) == (language == "fr")
    value = worth[-1 if is_decimal else 0]
    # Accountants write a loss in brackets.
    bare = said.strip()
    return -value if bare.startswith("(") and bare.endswith(")") and value > 0 else value


def _shown(expression: str, inputs: Sequence[Input], result: float) -> str:
    """The expression, the same with its figures and their marks, and the result."""
    figures = {each.name: f"{each.value} {each.mark}" for each in inputs}
    filled = _NAME.sub(lambda name: figures.get(name[0], name[0]), expression)
    told = _number(result)
    is_share = any("%" in each.value for each in inputs) or ("/" in expression and "100" not in expression)
    if is_share and abs(result) < _BELOW:
        told += f" = {_number(round(100 * result, 1))} %"
    return f"{_signs(expression)} = {_signs(filled)} = {told}"


def _signs(expression: str) -> str:
    return re.sub(r"(?<=[\s(\w\]])-(?=[\s(\w])", "−", expression).replace("*", "×")


def _number(value: float) -> str:
    """A result for people: about four digits behind its point, or in all where it is small."""
    leading = math.floor(math.log10(abs(value))) if value else 0
    told = format_number(value, 2 if leading >= 3 else max(4, 3 - leading))
    return told.rstrip("0").rstrip(".") if "." in told else told
