"""Parse a formula in LaTeX into a tree of MathML, for the exports. Nothing in it links, loads or runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DEEPEST = 40
# A formula that defines commands could grow without limit.
_DEFINING = re.compile(r"\\(?:def|let|newcommand|renewcommand|providecommand|DeclareMathOperator|require)\b")
# Names that the parser lacks, in names that it has.
_ALIASES = (
    (re.compile(r"\\(begin|end)\{aligned\}"), r"\\\1{align*}"),
    (re.compile(r"\\arg(?![a-zA-Z])"), r"\\mathrm{arg}"),
)
_LEAVES = ("mi", "mn", "mo", "mtext")
_CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
_GROUPS = ("mrow", "msqrt", "mtable", "mtr", "mtd", "mphantom", "menclose")
_PLAIN_GROUPS = ("mstyle", "mpadded", "math")  # shown as a row: their attributes change the look alone
_ATTRIBUTES = {
    *("stretchy", "fence", "form", "accent", "linethickness", "columnalign", "mathvariant", "width", "linebreak"),
    *("notation", "columnspacing", "rowspacing", "columnlines", "rowlines", "minsize", "maxsize"),
}
_VALUE = re.compile(r"[\w .%-]+", re.ASCII)
_UNREAD = re.compile(r"\\[a-zA-Z]|[&{}]$")


@dataclass(frozen=True, slots=True)
class MathNode:
    """An element of MathML: a leaf with a text, or a group with children."""

    tag: str
    text: str = ""
    children: tuple["MathNode", ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownFormula:
    """A formula of an answer: its LaTeX, and the same with its signs, as the answer has it."""

    tex: str
    source: str
    is_display: bool

    @property
    def tree(self) -> MathNode | None:
        """The formula as a tree; None if it is not valid LaTeX."""
        return parse_formula(self.tex)


class _NotReadError(Exception):
    """The parser did not understand a part of the formula, or the part may not be exported."""


@lru_cache(maxsize=64)
def parse_formula(tex: str) -> MathNode | None:
    """Return the tree of a formula, or None if it is not valid LaTeX as far as the parser knows it."""
    from latex2mathml.converter import Converter

    if _DEFINING.search(tex):
        return None
    for pattern, known in _ALIASES:
        tex = pattern.sub(known, tex)
    try:
        return _copy_element(Converter(display="block").convert_to_element(tex), 0)
    except Exception:  # noqa: BLE001 - the parser's errors have no class in common, and bad LaTeX may break it anyhow
        return None


def write_mathml(formula: ShownFormula) -> str:
    """Return a formula as MathML with its LaTeX as an annotation, or its LaTeX alone if that is not valid."""
    tree = formula.tree
    if tree is None:
        return escape(formula.source)
    display = "block" if formula.is_display else "inline"
    source = f'<annotation encoding="application/x-tex">{escape(formula.tex)}</annotation>'
    return f'<math display="{display}"><semantics>{write_node(tree)}{source}</semantics></math>'


def write_node(node: MathNode) -> str:
    """Return an element of MathML as text."""
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    inside = escape(node.text, quote=False) + "".join(map(write_node, node.children))
    return f"<{node.tag}{attributes}>{inside}</{node.tag}>"


def _copy_element(element: "Element", depth: int) -> MathNode:
    """Return an element as a node. Its texts are entities, which only here become characters."""
    if depth > _DEEPEST:
        raise _NotReadError
    tag = str(element.tag)
    children = tuple(_copy_element(child, depth + 1) for child in element)
    kept = {
        name: value for name, value in element.attrib.items() if name in _ATTRIBUTES and _VALUE.fullmatch(str(value))
    }
    if tag in _LEAVES:
        text = unescape(element.text or "")
        if children or (tag == "mi" and _UNREAD.match(text)):
            raise _NotReadError
        return MathNode(tag, text, attributes=kept)
    if tag == "mspace":
        return MathNode(tag, attributes=kept)
    if tag in _PLAIN_GROUPS:
        return children[0] if len(children) == 1 else MathNode("mrow", children=children)
    if tag == "mrow" and len(children) == 1:
        return children[0]
    if tag in _GROUPS or _CHILDREN.get(tag) == len(children):
        return MathNode(tag, children=children, attributes=kept)
    raise _NotReadError
