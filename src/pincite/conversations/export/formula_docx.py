"""Write a formula as an equation of Word (OMML)."""

from collections.abc import Callable, Iterator, Sequence

from pincite.conversations.export.formula_tree import MathNode

_OPERATORS = "∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂"
_OPENING = dict(zip("([{⟨⌈⌊|‖", ")]}⟩⌉⌋|‖", strict=True))
_ACCENTS = {"^": "\u0302", "~": "\u0303", "˙": "\u0307", "¨": "\u0308", "→": "\u20d7", "´": "\u0301", "`": "\u0300"}
_BARS = "¯―_‾"
_BRACES = "⏞⏟⎴⎵"
_FONT = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>'
_SIDES = {"left": "left", "right": "right"}

Escape = Callable[[str], str]


def write_omml(tree: MathNode, escape: Escape) -> str:
    """Return a formula as `m:oMath`. `escape` makes a text fit for XML."""
    return f"<m:oMath>{_Writer(escape).write(tree)}</m:oMath>"


class _Writer:
    def __init__(self, escape: Escape) -> None:
        self._escape = escape

    def write(self, node: MathNode) -> str:
        match node.tag:
            case "mi" | "mn" | "mo" | "mtext":
                return self._write_leaf(node)
            case "mspace":
                is_break = node.attributes.get("linebreak") == "newline"
                return "<m:r><w:br/></m:r>" if is_break else self._write_run("\u2009", "p")
            case "mfrac":
                bar = '<m:fPr><m:type m:val="noBar"/></m:fPr>' if node.attributes.get("linethickness") == "0" else ""
                return f"<m:f>{bar}{self._put('num', node.children[0])}{self._put('den', node.children[1])}</m:f>"
            case "msqrt":
                inside = self._write_row(node.children)
                return f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{inside}</m:e></m:rad>'
            case "mroot":
                return f"<m:rad>{self._put('deg', node.children[1])}{self._put('e', node.children[0])}</m:rad>"
            case "msub" | "msup" | "msubsup" | "munder" | "mover" | "munderover":
                return self._write_scripts(node)
            case "mtable":
                return self._write_table(node)
            case "mphantom":
                inside = self._write_row(node.children)
                return f'<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr><m:e>{inside}</m:e></m:phant>'
            case "menclose":
                return f"<m:borderBox><m:e>{self._write_row(node.children)}</m:e></m:borderBox>"
            case _:
                return self._write_row(node.children)

    def _write_row(self, nodes: Sequence[MathNode]) -> str:
        """Return nodes side by side. A sum takes the rest of its row, brackets take what they enclose."""
        nodes = [
            each for each in nodes if each.tag == "mspace" or each.text or each.children or "fence" in each.attributes
        ]
        written: list[str] = []
        at = 0
        while at < len(nodes):
            node = nodes[at]
            if _is_sum(node) and at + 1 < len(nodes):
                return "".join([*written, self._write_sum(node, nodes[at + 1 :])])
            if closing := _find_closing(nodes, at):
                end = nodes[closing].text if closing < len(nodes) else ""
                written.append(self._write_brackets(node.text, end, self._write_row(nodes[at + 1 : closing])))
                at = closing + 1
                continue
            written.append(self.write(node))
            at += 1
        return "".join(written)

    def _write_leaf(self, node: MathNode) -> str:
        if node.tag == "mtext":
            return self._write_run(node.text, "")
        upright = len(node.text) > 1 or node.attributes.get("mathvariant") == "normal" or node.tag != "mi"
        return self._write_run(node.text, "p" if upright else "i")

    def _write_run(self, text: str, style: str) -> str:
        look = f'<m:sty m:val="{style}"/>' if style else "<m:nor/>"
        return f'<m:r><m:rPr>{look}</m:rPr>{_FONT}<m:t xml:space="preserve">{self._escape(text)}</m:t></m:r>'

    def _put(self, name: str, node: MathNode) -> str:
        return f"<m:{name}>{self.write(node)}</m:{name}>"

    def _write_scripts(self, node: MathNode) -> str:
        base, *rest = node.children
        if _is_sum(node):
            return self._write_sum(node, ())
        sign = rest[0].text if len(rest) == 1 and rest[0].tag == "mo" else ""
        place = "top" if node.tag == "mover" else "bot"
        if sign and node.tag in ("mover", "munder"):
            if sign in _BARS:
                return f'<m:bar><m:barPr><m:pos m:val="{place}"/></m:barPr>{self._put("e", base)}</m:bar>'
            if sign in _BRACES:
                look = f'<m:chr m:val="{sign}"/><m:pos m:val="{place}"/>'
                return f"<m:groupChr><m:groupChrPr>{look}</m:groupChrPr>{self._put('e', base)}</m:groupChr>"
            if node.tag == "mover" and sign in _ACCENTS:
                return f'<m:acc><m:accPr><m:chr m:val="{_ACCENTS[sign]}"/></m:accPr>{self._put("e", base)}</m:acc>'
        e = self._put("e", base)
        match node.tag:
            case "msub":
                return f"<m:sSub>{e}{self._put('sub', rest[0])}</m:sSub>"
            case "msup":
                return f"<m:sSup>{e}{self._put('sup', rest[0])}</m:sSup>"
            case "msubsup":
                return f"<m:sSubSup>{e}{self._put('sub', rest[0])}{self._put('sup', rest[1])}</m:sSubSup>"
            case "munder":
                return f"<m:limLow>{e}{self._put('lim', rest[0])}</m:limLow>"
            case "mover":
                return f"<m:limUpp>{e}{self._put('lim', rest[0])}</m:limUpp>"
            case _:
                low = f"<m:limLow>{e}{self._put('lim', rest[0])}</m:limLow>"
                return f"<m:limUpp><m:e>{low}</m:e>{self._put('lim', rest[1])}</m:limUpp>"

    def _write_sum(self, node: MathNode, after: Sequence[MathNode]) -> str:
        base = node.children[0] if node.children else node
        lower, upper = _find_limits(node)
        place = "subSup" if node.tag.startswith("ms") else "undOvr"
        hidden = "".join(
            f'<m:{name}Hide m:val="1"/>' for name, limit in (("sub", lower), ("sup", upper)) if limit is None
        )
        limits = "".join(
            self._put(name, limit) if limit else f"<m:{name}/>" for name, limit in (("sub", lower), ("sup", upper))
        )
        look = f'<m:chr m:val="{base.text}"/><m:limLoc m:val="{place}"/>{hidden}'
        return f"<m:nary><m:naryPr>{look}</m:naryPr>{limits}<m:e>{self._write_row(after)}</m:e></m:nary>"

    def _write_brackets(self, opening: str, closing: str, inside: str) -> str:
        look = f'<m:begChr m:val="{self._escape(opening)}"/><m:endChr m:val="{self._escape(closing)}"/>'
        return f"<m:d><m:dPr>{look}</m:dPr><m:e>{inside}</m:e></m:d>"

    def _write_table(self, node: MathNode) -> str:
        rows = [each.children for each in node.children]
        width = max(map(len, rows), default=0)
        sides = [
            next((_SIDES.get(r[c].attributes.get("columnalign", ""), "center") for r in rows if c < len(r)), "center")
            for c in range(width)
        ]
        columns = "".join(
            f'<m:mc><m:mcPr><m:count m:val="1"/><m:mcJc m:val="{side}"/></m:mcPr></m:mc>' for side in sides
        )
        written = "".join(
            "<m:mr>"
            + "".join(f"<m:e>{self._write_row(cell.children)}</m:e>" for cell in cells)
            + "<m:e/>" * (width - len(cells))
            + "</m:mr>"
            for cells in rows
        )
        return f'<m:m><m:mPr><m:plcHide m:val="1"/><m:mcs>{columns}</m:mcs></m:mPr>{written}</m:m>'


def _is_sum(node: MathNode) -> bool:
    base = node.children[0] if node.tag.startswith(("msu", "munder", "mover")) and node.children else node
    return base.tag == "mo" and len(base.text) == 1 and base.text in _OPERATORS


def _find_limits(node: MathNode) -> tuple[MathNode | None, MathNode | None]:
    """Return what stands below and above a sum."""
    match node.tag:
        case "msub" | "munder":
            return node.children[1], None
        case "msup" | "mover":
            return None, node.children[1]
        case "msubsup" | "munderover":
            return node.children[1], node.children[2]
        case _:
            return None, None


def _find_closing(nodes: Sequence[MathNode], at: int) -> int:
    """Return the index of the bracket that closes one, the number of nodes if none closes it, or 0 if it opens none."""
    node = nodes[at]
    if node.tag != "mo":
        return 0
    if node.attributes.get("form") == "prefix":
        return _find_postfix(nodes, at)
    tall = nodes[at + 1] if at + 1 < len(nodes) else None
    is_tall = tall is not None and (tall.tag == "mtable" or tall.attributes.get("linethickness") == "0")
    closes = at + 2 < len(nodes) and nodes[at + 2].text == _OPENING.get(node.text, "\0")
    return at + 2 if is_tall and closes else 0


def _find_postfix(nodes: Sequence[MathNode], at: int) -> int:
    ends: Iterator[int] = (
        place for place in range(len(nodes) - 1, at, -1) if nodes[place].attributes.get("form") == "postfix"
    )
    return next(ends, len(nodes))
