"""Evaluate arithmetic expressions safely, and apply an operation to cited figures."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.errors import Misuse

_LONGEST = 500  # characters of an expression
_DEEPEST = 50  # levels of an expression
_EXPONENT = 64
_LARGEST = 1e100
_HINT = "Use numbers, named inputs, + - * / **, parentheses, and sum, min, max, mean, round, abs."
_GLUED = re.compile(r"(?<![\w.])\d[\d_.]*(?!e[-+]?\d)[^\W\d]")

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_UNARY: dict[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMMA = re.compile(r"\d,\d{1,2}(?!\d)")  # a decimal comma
_FRENCH = str.maketrans({",": "\u202f", ".": ","})

Operation = Literal["change", "ratio", "difference", "sum", "mean", "product"]


def evaluate_expression(expression: str, values: Mapping[str, float] | None = None) -> float:
    """Return the value of an arithmetic expression; raise `Misuse`, with the reason, if it is not valid."""
    if len(expression) > _LONGEST:
        raise Misuse(f"The expression is longer than {_LONGEST} characters.", "Calculate it in several steps.")
    if _GLUED.search(expression):  # Python warns of these before it refuses them
        raise Misuse(f"“{_shorten(expression)}” is not an arithmetic expression.", _HINT)
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Misuse(f"“{_shorten(expression)}” is not an arithmetic expression.", _HINT) from error
    result = _evaluate_node(tree.body, values or {}, 0)
    if not math.isfinite(result) or abs(result) > _LARGEST:
        raise Misuse("The result is too large.", _HINT)
    return result


def _evaluate_node(node: ast.expr, values: Mapping[str, float], depth: int) -> float:
    if depth > _DEEPEST:
        raise Misuse("The expression has too many levels.", "Calculate it in several steps.")
    match node:
        case ast.Constant(value=bool()):
            raise Misuse("True and False are not numbers.", _HINT)
        case ast.Constant(value=int() | float() as number):
            return _check_size(number)
        case ast.Name(id=name):
            if name not in values:
                known = ", ".join(sorted(values)[:20]) or "none"
                raise Misuse(f"There is no input “{_shorten(name)}”. Inputs: {known}.", "Name each input once.")
            return _check_size(values[name])
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _UNARY:
            return _UNARY[type(sign)](_evaluate_node(operand, values, depth + 1))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _compute_power(_evaluate_node(left, values, depth + 1), _evaluate_node(right, values, depth + 1))
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _BINARY:
            first, second = _evaluate_node(left, values, depth + 1), _evaluate_node(right, values, depth + 1)
            if isinstance(operation, ast.Div) and second == 0:
                raise Misuse("The expression divides by zero.", "Check the inputs.")
            return _check_size(_BINARY[type(operation)](first, second))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call_function(name, [_evaluate_node(each, values, depth + 1) for each in _unwrap_list(args)])
    raise Misuse(f"“{_shorten(ast.unparse(node))}” is not allowed in an expression.", _HINT)


def _unwrap_list(args: list[ast.expr]) -> list[ast.expr]:
    """Return the arguments of a function, whether they stand alone or in one list."""
    if len(args) == 1 and isinstance(args[0], ast.List | ast.Tuple):
        return args[0].elts
    return args


def _call_function(name: str, args: list[float]) -> float:
    if name == "round" and len(args) in (1, 2):
        places = args[1] if len(args) == 2 else 0
        if not float(places).is_integer() or abs(places) > 12:
            raise Misuse("round takes a whole number of decimals, at most 12.", _HINT)
        return float(round(args[0], int(places)))
    if name == "abs" and len(args) == 1:
        return abs(args[0])
    if name in ("sum", "min", "max", "mean") and args:
        many: dict[str, Callable[[list[float]], float]] = {"sum": math.fsum, "min": min, "max": max}
        return _check_size(math.fsum(args) / len(args) if name == "mean" else many[name](args))
    raise Misuse(f"{_shorten(name)}({len(args)} inputs) is not a function of this calculator.", _HINT)


def _compute_power(base: float, exponent: float) -> float:
    if abs(exponent) > _EXPONENT or (abs(base) > 1 and abs(exponent) * math.log10(abs(base)) > 100):
        raise Misuse(f"The exponent is too large: at most {_EXPONENT}.", _HINT)
    if (base == 0 and exponent < 0) or (base < 0 and not float(exponent).is_integer()):
        raise Misuse("This power is not a real number.", "Check the inputs.")
    return _check_size(float(base) ** float(exponent))


def _check_size(number: float) -> float:
    if abs(number) > _LARGEST or math.isnan(number):
        raise Misuse("A number of the expression is too large.", _HINT)
    return float(number)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"


@dataclass(frozen=True, slots=True)
class Operand:
    """A cited figure: its value without scale words, and how the source writes it."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """An operation over cited figures and its result, which can be written so that a reader can check it."""

    operation: Operation
    operands: tuple[Operand, ...]
    result: float

    def write(self, factor: float = 1.0, unit: str = "", decimals: int = 1) -> str:
        """Write the calculation: "3,991 / 5,506 − 1 = −27.5 %"."""
        texts = [operand.text for operand in self.operands]
        written = format_number(self.result / factor, decimals)
        if any(_COMMA.search(text) for text in texts):
            written = written.translate(_FRENCH)
        result = f"{written} {unit}".strip()
        joined = {
            "change": f"{texts[0]} / {texts[-1]} − 1",
            "ratio": f"{texts[0]} / {texts[-1]}",
            "difference": f"{texts[0]} − {texts[-1]}",
            "sum": " + ".join(texts),
            "mean": f"({' + '.join(texts)}) / {len(texts)}",
            "product": " × ".join(texts),
        }[self.operation]
        return f"{joined} = {result}"


def calculate(operation: Operation, operands: Sequence[Operand]) -> Calculation | None:
    """Apply an operation to cited figures; None where it divides by zero."""
    values = [operand.value for operand in operands]
    first, last = values[0], values[-1]
    if operation in ("change", "ratio") and last == 0:
        return None
    results: dict[Operation, Callable[[], float]] = {
        "change": lambda: (first - last) / abs(last),
        "ratio": lambda: first / last,
        "difference": lambda: first - last,
        "sum": lambda: math.fsum(values),
        "mean": lambda: math.fsum(values) / len(values),
        "product": lambda: math.prod(values),
    }
    result = results[operation]()
    return Calculation(operation, tuple(operands), result) if math.isfinite(result) else None


def format_number(value: float, decimals: int) -> str:
    """Write a number with commas between thousands and a true minus sign."""
    written = f"{abs(value):,.{max(decimals, 0)}f}"
    return f"−{written}" if value < 0 and written.strip("0.,") else written
