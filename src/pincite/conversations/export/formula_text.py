"""Write a formula on one line: as runs of text with raised and lowered parts, or as plain text."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pincite.conversations.export.formula_tree import MathNode

_RAISED = str.maketrans("0123456789+−-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+−-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_ACCENTS = {"^": "\u0302", "~": "\u0303", "˙": "\u0307", "¨": "\u0308", "¯": "\u0304", "→": "\u20d7", "―": "\u0304"}
_TIGHT = "()[]{}|‖!,/⟨⟩⌈⌉⌊⌋′″‴∑∏∫∮∂∇√∀∃%°"
_UPRIGHT = {"′": "′", "″": "″", "‴": "‴", "∘": "°"}  # raised by themselves


@dataclass(frozen=True, slots=True)
class FormulaPiece:
    """A part of a formula in one style. `level` is 1 for a raised part, -1 for a lowered one."""

    text: str
    italic: bool = False
    bold: bool = False
    level: int = 0


def spell_formula(tree: MathNode) -> list[FormulaPiece] | None:
    """Return a formula on one line, or None for one that needs several, such as a matrix."""
    try:
        return list(_spell(tree))
    except ValueError:
        return None


def write_plain(pieces: Sequence[FormulaPiece]) -> str:
    """Return a formula as plain text, with `^` and `_` before what is raised and lowered."""
    found = []
    for level, group in groupby(pieces, key=lambda piece: piece.level):
        text = "".join(piece.text for piece in group)
        sign = {1: "^", 0: "", -1: "_"}[level]
        found.append(f"{sign}({text})" if level and len(text) > 1 else f"{sign}{text}")
    return " ".join("".join(found).split())


def _spell(node: MathNode) -> Iterator[FormulaPiece]:
    match node.tag:
        case "mi" | "mn" | "mo" | "mtext":
            yield from _spell_leaf(node)
        case "mspace":
            yield FormulaPiece("\n" if node.attributes.get("linebreak") == "newline" else " ")
        case "mrow":
            for child in node.children:
                yield from _spell(child)
        case "mfrac" if node.attributes.get("linethickness") != "0":
            yield from _enclose(node.children[0])
            yield FormulaPiece("/")
            yield from _enclose(node.children[1])
        case "msqrt":
            yield FormulaPiece("√")
            yield from _enclose(MathNode("mrow", children=node.children))
        case "mroot":
            yield from _move(node.children[1], 1)
            yield FormulaPiece("√")
            yield from _enclose(node.children[0])
        case "msub" | "munder" if not _is_accent(node):
            yield from _enclose(node.children[0], is_base=True)
            yield from _move(node.children[1], -1)
        case "msup":
            yield from _enclose(node.children[0], is_base=True)
            yield from _move(node.children[1], 1)
        case "msubsup" | "munderover":
            yield from _enclose(node.children[0], is_base=True)
            yield from _move(node.children[1], -1)
            yield from _move(node.children[2], 1)
        case "mover" if _is_accent(node):
            mark = _ACCENTS[node.children[1].text]
            yield from (replace(each, text=_mark_letters(each.text, mark)) for each in _spell(node.children[0]))
        case _:
            raise ValueError(node.tag)


def _mark_letters(text: str, mark: str) -> str:
    """Return a text with an accent on each character."""
    return unicodedata.normalize("NFC", "".join(character + mark for character in text))


def _spell_leaf(node: MathNode) -> Iterator[FormulaPiece]:
    text = unicodedata.normalize("NFKC", node.text) if node.tag == "mi" else node.text
    bold = bool(node.text) and unicodedata.name(node.text[0], "").startswith("MATHEMATICAL BOLD")
    italic = node.tag == "mi" and len(text) == 1 and text.isalpha() and "mathvariant" not in node.attributes
    is_sign = node.tag != "mtext" and bool(text) and not text[0].isalnum() and text not in _TIGHT
    if node.tag == "mo" and text.isalpha():
        yield FormulaPiece(f"{text} ")
    elif is_sign and not node.attributes.get("fence"):
        yield FormulaPiece(f" {text} ")
    elif node.tag == "mi" and len(text) > 1 and text.isalpha():
        yield FormulaPiece(f"{text} ")
    elif text:
        yield FormulaPiece(text, italic and not bold, bold)


def _enclose(node: MathNode, is_base: bool = False) -> Iterator[FormulaPiece]:
    """Yield a part in parentheses, unless it is one letter, number or sign, or the base of an index."""
    pieces = list(_spell(node))
    is_fenced = node.tag == "mrow" and bool(node.children) and node.children[0].attributes.get("fence") == "true"
    is_single = node.tag in ("mi", "mn", "mo", "mtext") or is_fenced or not pieces
    if is_single or (is_base and node.tag != "mrow" and node.tag != "mfrac"):
        stripped = [replace(each, text=each.text.strip()) for each in pieces] if len(pieces) == 1 else pieces
        yield from stripped
        return
    yield FormulaPiece("(")
    yield from pieces
    yield FormulaPiece(")")


def _move(node: MathNode, level: int) -> Iterator[FormulaPiece]:
    """Yield a part raised or lowered. An index of an index has characters of its own where there are some."""
    for piece in _spell(node):
        text = piece.text.replace(" ", "")
        if text in _UPRIGHT:
            yield FormulaPiece(_UPRIGHT[text])
            continue
        if piece.level:
            text = text.translate(_RAISED if piece.level > 0 else _LOWERED)
            if text == piece.text:
                raise ValueError(text)
        yield replace(piece, text=text, level=level)


def _is_accent(node: MathNode) -> bool:
    return node.tag == "mover" and node.children[1].tag == "mo" and node.children[1].text in _ACCENTS
