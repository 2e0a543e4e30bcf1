"""Write the equations of a Word file (OMML) on one line: "31.2/29.5−1", "x_1^2", "√(a+b)"."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from pincite.reading.word_styles import find_child, read_attribute, read_local_name

_WHOLE = re.compile(r"[\w.,]*|\([^()]*\)")  # what needs no brackets in a fraction or above another
_LEFT_OUT = re.compile("^$|Pr$|^del$|^moveFrom$")  # properties, deletions and comments of the file
_DEEPEST = 50  # equations inside each other

ReadRun = Callable[[Any], str]


def write_formula(formula: Any, read_run: ReadRun) -> str:
    """Return an equation on one line. `read_run` returns the visible text of a run."""
    return _write(formula, read_run, 0)


def _write(node: Any, read_run: ReadRun, depth: int) -> str:
    name = read_local_name(node)
    if name == "r" or depth > _DEEPEST:
        return read_run(node)

    def part(which: str) -> str:
        child = find_child(node, which)
        return "" if child is None else _write(child, read_run, depth + 1)

    match name:
        case "f":
            return f"{_enclose(part('num'))}/{_enclose(part('den'))}"
        case "sSub" | "sSup" | "sSubSup":
            return _enclose(part("e")) + _write_scripts(part("sub"), part("sup"))
        case "limLow":
            return part("e") + _write_scripts(part("lim"), "")
        case "nary":
            return f"{_read_sign(node, 'chr', '∫')}{_write_scripts(part('sub'), part('sup'))} {part('e')}"
        case "rad":
            return f"{part('deg')}√{_enclose(part('e'))}"
        case "d":
            inside = _read_sign(node, "sepChr", "|").join(_write_all(node, "e", read_run, depth))
            return f"{_read_sign(node, 'begChr', '(')}{inside}{_read_sign(node, 'endChr', ')')}"
        case "func":
            return f"{part('fName')} {part('e')}"
        case "m":
            return "; ".join(_write_all(node, "mr", read_run, depth))
        case "mr":
            return ", ".join(_write_all(node, "e", read_run, depth))
        case _:
            read = (each for each in node if not _LEFT_OUT.search(read_local_name(each)))
            return "".join(_write(each, read_run, depth + 1) for each in read)


def _write_all(node: Any, which: str, read_run: ReadRun, depth: int) -> Iterator[str]:
    return (_write(each, read_run, depth + 1) for each in node if read_local_name(each) == which)


def _write_scripts(below: str, above: str) -> str:
    return (f"_{_enclose(below)}" if below else "") + (f"^{_enclose(above)}" if above else "")


def _enclose(words: str) -> str:
    """Return words in brackets unless they are one number, one name or in brackets already."""
    return words if _WHOLE.fullmatch(words) else f"({words})"


def _read_sign(node: Any, which: str, usual: str) -> str:
    """Return the sign that the properties of an equation give, or the usual one."""
    found = find_child(node, f"{read_local_name(node)}Pr", which)
    return usual if found is None else read_attribute(found)
