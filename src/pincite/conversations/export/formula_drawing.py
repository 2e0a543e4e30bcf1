"""Draw a formula as an SVG picture of its shapes. Only this module uses the drawing library."""

from dataclasses import dataclass

from pincite.conversations.export.formula_tree import MathNode, write_node

_SIZE = 12.0  # points


@dataclass(frozen=True, slots=True)
class DrawnFormula:
    """A formula as SVG, with its size in points. Letters are shapes, so that no typeface is needed."""

    svg: str
    width: float
    height: float


def draw_formula(tree: MathNode) -> DrawnFormula | None:
    """Return a drawn formula, or None if the library cannot draw it."""
    import ziamath

    ziamath.config.svg2 = False  # SVG 1 has each shape in its place; the PDF library does not know references
    try:
        drawn = ziamath.Math(f'<math display="block">{write_node(tree)}</math>', size=_SIZE)
        width, height = drawn.getsize()
        return DrawnFormula(drawn.svg(), width, height) if width > 0 and height > 0 else None
    except Exception:  # noqa: BLE001 - the library has no errors of its own, and may lack a form anyhow
        return None
