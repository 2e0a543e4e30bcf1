"""Find how the text of a slide's shape looks: its own properties, then those of its layout, master and presentation."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pincite.reading.drawing import DrawnParagraph, DrawnRun
from pincite.reading.drawing_colours import Palette
from pincite.reading.text_alignment import Range, TextAligner
from pincite.reading.word_styles import find_child, format_number, read_local_name

EMU = 12_700  # in a point
_USUAL_SIZE = 18.0
_LARGEST = 20_000.0  # points
_SERIF = ("times", "georgia", "garamond", "cambria", "palatino", "book antiqua", "baskerville", "serif", "rockwell")
_MONO = ("courier", "consolas", "mono", "menlo", "lucida console")
_BULLETS = frozenset("•◦▪▫■□●○–—-*·»›→▸►✓✔")
_DINGBATS = {"ü": "✓", "Ø": "➢", "§": "▪", "q": "□", "v": "❖", "à": "→", "è": "➔", "n": "■", "l": "●"}
_NUMBER_FORMS = {
    "arabic": "decimal",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_ALIGNMENTS: dict[str, Literal["left", "center", "right", "justify"]] = {
    "ctr": "center",
    "r": "right",
    "just": "justify",
    "dist": "justify",
}
_LEVELS = 9
_LINE_END = "\v"
_MOST_BREAKS = 20
_LONG = 1_000  # characters of a run that is not in the text

FontKind = Literal["sans", "serif", "mono"]


class SlideTextStyle:
    """The look of the text in one shape.

    `lists` are the list styles that apply to it, the nearest first; the first `own` of them are stronger than `colour`.
    `bodies` are the `bodyPr` of the shape, its layout and its master.
    """

    def __init__(
        self,
        palette: Palette,
        lists: Sequence[Any],
        bodies: Sequence[Any],
        fonts: tuple[str, str],
        colour: str | None = None,
        own: int = 1,
        is_bold: bool = False,
    ) -> None:
        self._palette = palette
        self._lists = [each for each in lists if each is not None]
        self._own = own if lists and lists[0] is not None else 0
        self._fonts = fonts
        self._colour = colour
        self._is_bold = is_bold
        self._levels: dict[int, list[Any]] = {}
        self._counts: dict[int, int] = {}
        fit = next((fit for body in bodies for fit in _find_all(body, "normAutofit")), None)
        self._scale = _read_share(fit.get("fontScale"), 1.0) if fit is not None else 1.0
        self._tighter = _read_share(fit.get("lnSpcReduction"), 0.0) if fit is not None else 0.0

    def draw(self, paragraph: Any, aligner: TextAligner | None, sign: str = "") -> DrawnParagraph:
        """Return a paragraph (`a:p`) as it looks, with its ranges of the text; without an aligner it has none."""
        properties = find_child(paragraph, "pPr")
        level = read_number(_get(properties, "lvl"), 0)
        level = int(level) if 0 <= level < _LEVELS else 0
        sources = [properties, *self._list_levels(level)]
        pieces = list(_list_pieces(paragraph))
        texts = [text for _, text in pieces]
        found: list[Range | None] = aligner.take_paragraph(texts, sign) if aligner else [None] * len(texts)
        runs, breaks = [], 0
        for (element, text), place in zip(pieces, found, strict=True):
            if text == _LINE_END:
                breaks += 1
            elif place is not None or (aligner is None and text):
                run = self._draw_run(element, level)
                run.breaks, breaks = min(breaks, _MOST_BREAKS), 0
                if place is not None:
                    run.start, run.end = place
                else:
                    run.text = text[:_LONG]
                runs.append(run)
        last = self._draw_run(find_child(paragraph, "endParaRPr"), level, is_end=True)
        size = max((run.size for run in runs), default=last.size)
        drawn = DrawnParagraph(
            runs=runs,
            align=_ALIGNMENTS.get(_first(sources, "algn"), "left"),
            margin=_limit(read_number(_first(sources, "marL"), 0) / EMU),
            indent=_limit(read_number(_first(sources, "indent"), 0) / EMU),
            before=self._read_space(sources, "spcBef", size),
            after=self._read_space(sources, "spcAft", size),
            line=self._read_line(sources, size),
            bullet=self._read_bullet(sources, level) if runs else "",
        )
        if not runs:  # an empty line has a height
            drawn.runs = [last]
        return drawn

    def _list_levels(self, level: int) -> list[Any]:
        """Return the paragraph properties of a level in each list style."""
        if level not in self._levels:
            self._levels[level] = [find_child(each, f"lvl{level + 1}pPr") for each in self._lists]
        return self._levels[level]

    def _draw_run(self, element: Any, level: int, is_end: bool = False) -> DrawnRun:
        look = element if is_end else find_child(element, "rPr") if element is not None else None
        defaults = [find_child(each, "defRPr") for each in self._list_levels(level)]
        sources = [look, *defaults]
        size = read_number(_first(sources, "sz"), _USUAL_SIZE * 100) / 100 * self._scale
        shift = read_number(_first(sources, "baseline"), 0)
        face = next((str(_get(find_child(each, "latin"), "typeface")) for each in sources if _has(each, "latin")), "")
        bold = _first(sources, "b")
        is_link = _has(look, "hlinkClick")
        colour = self._palette.get("hlink") if is_link else None
        return DrawnRun(
            size=min(1_000.0, max(1.0, round(size, 2))),
            bold=_is_on(bold) if bold else self._is_bold,
            italic=_is_on(_first(sources, "i")),
            underline=is_link or _first(sources, "u") not in ("", "none"),
            strike=_first(sources, "strike") in ("sngStrike", "dblStrike"),
            shift=(shift > 0) - (shift < 0),
            colour=colour or self._read_colour([look, *defaults[: self._own]], defaults[self._own :]),
            font=self._read_font(face),
        )

    def _read_colour(self, own: Iterable[Any], others: Iterable[Any]) -> str:
        for each in own:
            if found := self._palette.read(find_child(each, "solidFill")):
                return found
        if self._colour:
            return self._colour
        for each in others:
            if found := self._palette.read(find_child(each, "solidFill")):
                return found
        return self._palette.get("tx1")

    def _read_font(self, face: str) -> FontKind:
        major, minor = self._fonts
        name = major if face.startswith("+mj") else minor if face.startswith("+mn") or not face else face
        return choose_font(name)

    def _read_space(self, sources: Sequence[Any], name: str, size: float) -> float:
        """Return the space before or after a paragraph, which may be a share of its size."""
        spacing = next((each for each in (find_child(source, name) for source in sources) if each is not None), None)
        points = read_number(_get(find_child(spacing, "spcPts"), "val"), 0) / 100
        return _limit(points + _read_share(_get(find_child(spacing, "spcPct"), "val"), 0.0) * size)

    def _read_line(self, sources: Sequence[Any], size: float) -> float:
        spacing = next((each for each in (find_child(source, "lnSpc") for source in sources) if each is not None), None)
        exact = read_number(_get(find_child(spacing, "spcPts"), "val"), 0) / 100
        share = exact / (1.2 * size) if exact else _read_share(_get(find_child(spacing, "spcPct"), "val"), 1.0)
        return min(5.0, max(0.5, round(share - self._tighter, 3)))

    def _read_bullet(self, sources: Sequence[Any], level: int) -> str:
        """Return the sign or number before a paragraph. Call it once for each paragraph, in order."""
        for deeper in [each for each in self._counts if each > level]:
            del self._counts[deeper]
        for source in sources:
            for each in source if source is not None else ():
                name = read_local_name(each)
                if name == "buNone":
                    return ""
                if name == "buChar":
                    return _choose_bullet(str(each.get("char", "")))
                if name == "buBlip":
                    return "•"
                if name == "buAutoNum":
                    first = read_number(each.get("startAt"), 1)
                    self._counts[level] = self._counts.get(level, int(first) - 1) + 1
                    return _number_bullet(self._counts[level], str(each.get("type", "")))
        return ""


def choose_font(name: str) -> FontKind:
    """Return the kind of font that a name is known for; the name itself is not used."""
    folded = name.casefold()
    if any(each in folded for each in _MONO):
        return "mono"
    return "serif" if "sans" not in folded and any(each in folded for each in _SERIF) else "sans"


def read_number(text: object, otherwise: float) -> float:
    """Return a number of the file; `otherwise` if there is none or it is out of all bounds."""
    try:
        number = float(str(text))
    except ValueError:
        return otherwise
    return number if abs(number) < 1e12 else otherwise


def _list_pieces(paragraph: Any) -> Iterable[tuple[Any, str]]:
    """Yield the runs, fields and line ends of a paragraph with their texts."""
    for each in paragraph:
        name = read_local_name(each)
        if name in ("r", "fld"):
            text = find_child(each, "t")
            yield each, str(text.text or "") if text is not None else ""
        elif name == "br":
            yield each, _LINE_END


def _choose_bullet(char: str) -> str:
    if char in _BULLETS:
        return char
    return _DINGBATS.get(char, "•")


def _number_bullet(number: int, form: str) -> str:
    kind = next((shown for start, shown in _NUMBER_FORMS.items() if form.startswith(start)), "decimal")
    text = format_number(min(number, 100_000), kind)
    if form.endswith("ParenBoth"):
        return f"({text})"
    return f"{text})" if form.endswith("ParenR") else text if form.endswith("Plain") else f"{text}."


def _find_all(element: Any, name: str) -> Iterable[Any]:
    return (each for each in element if read_local_name(each) == name) if element is not None else ()


def _has(element: Any, name: str) -> bool:
    return find_child(element, name) is not None


def _get(element: Any, name: str) -> str:
    return str(element.get(name) or "") if element is not None else ""


def _first(sources: Iterable[Any], name: str) -> str:
    """Return an attribute of the first element that has it, or ""."""
    return next((value for value in (_get(each, name) for each in sources) if value), "")


def _is_on(value: str) -> bool:
    return value in ("1", "true", "on")


def _read_share(value: object, otherwise: float) -> float:
    text = str(value or "")
    share = read_number(text.removesuffix("%"), -1) / (100 if text.endswith("%") else 100_000)
    return share if 0 < share <= 10 else otherwise


def _limit(length: float) -> float:
    return round(min(_LARGEST, max(-_LARGEST, length)), 2)
