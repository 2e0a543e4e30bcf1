"""Resolve the colours of an Office drawing: written out, or names of a theme with changes to their light."""

import colorsys
import re
from collections.abc import Mapping
from typing import Any

from pincite.reading.word_styles import find_child, read_local_name

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_PRESETS = {
    "black": "000000",
    "white": "ffffff",
    "red": "ff0000",
    "green": "008000",
    "blue": "0000ff",
    "yellow": "ffff00",
    "gray": "808080",
    "grey": "808080",
    "orange": "ffa500",
    "purple": "800080",
}
# The names that a master gives to the colours of its theme, if it does not say otherwise.
_USUAL_NAMES = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_USUAL_COLOURS = {"dk1": "000000", "lt1": "ffffff", "dk2": "44546a", "lt2": "e7e6e6"}
_PERCENT = 100_000


class Palette:
    """The colours of a theme, and the names under which a slide uses them."""

    def __init__(self, theme: Any = None, names: Mapping[str, str] | None = None) -> None:
        self._names = {**_USUAL_NAMES, **(names or {})}
        self._colours = dict(_USUAL_COLOURS)
        scheme = find_child(theme, "themeElements", "clrScheme") if theme is not None else None
        for each in scheme if scheme is not None else ():
            value = next((_read_plain(child) for child in each), "")
            if value:
                self._colours[read_local_name(each)] = value

    def get(self, name: str) -> str:
        """Return the colour with a name of the theme; black if there is none."""
        return f"#{self._colours.get(self._names.get(name, name), '000000')}"

    def read(self, parent: Any, own: str = "") -> str | None:
        """Return the colour in an element such as `solidFill`; None if there is none.

        `own` is the colour that a theme's element leaves to the shape.
        """
        for each in parent if parent is not None else ():
            name = read_local_name(each)
            if name == "schemeClr":
                value = str(each.get("val", ""))
                base = own.removeprefix("#")[:6] if value == "phClr" and own else self.get(value)[1:]
            else:
                base = _read_plain(each)
            if base:
                return _change(base, each)
        return None


def _read_plain(element: Any) -> str:
    """Return the six digits of a colour that is written out; "" if it is of another kind."""
    name, value = read_local_name(element), str(element.get("val", ""))
    if name == "sysClr":
        value = str(element.get("lastClr", "000000" if value == "windowText" else "ffffff"))
    elif name == "prstClr":
        value = _PRESETS.get(value, "808080")
    elif name == "scrgbClr":
        parts = [_clamp(_read_share(element.get(part)) or 0.0) for part in "rgb"]
        value = "".join(f"{round(255 * part):02x}" for part in parts)
    elif name != "srgbClr":
        return ""
    return value.lower() if _HEX.fullmatch(value) else ""


def _change(base: str, element: Any) -> str:
    """Return a colour with the changes of its element: lighter, darker, or partly transparent."""
    red, green, blue = (int(base[at : at + 2], 16) / 255 for at in (0, 2, 4))
    alpha = 1.0
    for each in element:
        share = _read_share(each.get("val"))
        if share is None:
            continue
        name = read_local_name(each)
        hue, light, full = colorsys.rgb_to_hls(red, green, blue)
        if name == "lumMod":
            red, green, blue = colorsys.hls_to_rgb(hue, _clamp(light * share), full)
        elif name == "lumOff":
            red, green, blue = colorsys.hls_to_rgb(hue, _clamp(light + share), full)
        elif name == "shade":
            red, green, blue = (_clamp(part * share) for part in (red, green, blue))
        elif name == "tint":
            red, green, blue = (_clamp(part * share + 1 - share) for part in (red, green, blue))
        elif name == "alpha":
            alpha = _clamp(share)
    made = "".join(f"{round(255 * _clamp(part)):02x}" for part in (red, green, blue))
    return f"#{made}" if alpha >= 1 else f"#{made}{round(255 * alpha):02x}"


def _read_share(value: object) -> float | None:
    text = str(value if value is not None else "")
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else _PERCENT)
    except ValueError:
        return None
    return share if abs(share) < 100 else None  # also NaN and infinity


def _clamp(part: float) -> float:
    return min(1.0, max(0.0, part))
