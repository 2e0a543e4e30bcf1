"""Parse RTF: control words, groups and encoded characters to text in its sinks, without recursion."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pincite.errors import Unreadable

Sink = Literal[
    "body", "mark", "note", "header", "footer", "title", "author", "subject", "info", "fonts", "styles", "skip"
]

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9A-Fa-f]{2})|\\(?P<sign>[^A-Za-z])"
    r"|(?P<brace>[{}])|[\r\n\0]+|(?P<text>[^\\{}\r\n\0]+)|\\",
)
_SINKS: dict[str, Sink] = {
    "listtext": "mark",
    "pntext": "mark",
    "footnote": "note",
    "header": "header",
    "headerl": "header",
    "headerr": "header",
    "headerf": "header",
    "footer": "footer",
    "footerl": "footer",
    "footerr": "footer",
    "footerf": "footer",
    "info": "info",
    "title": "title",
    "author": "author",
    "subject": "subject",
    "fonttbl": "fonts",
    "stylesheet": "styles",
}
# Groups without text of the document, which only their name shows.
_TEXTLESS = """
    annotation bkmkend bkmkstart colortbl filetbl fldinst nonshppict objclass objdata objname pict pntxta pntxtb
    private rxe shprslt sp tc themedata txe xe
"""
_WITHOUT_TEXT = frozenset(_TEXTLESS.split())
# Groups with text among those that a reader may skip if it does not know them.
_WITH_TEXT = frozenset({"shpinst", "shptxt", "ud"})
_UNSAID: tuple[Sink, ...] = ("fonts", "styles", "info", "skip")
_LONGEST_NAME = 200  # characters in a style's name
_DEEPEST = 5000  # nested groups
_CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "softline": "\n",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
_SIGNS = {"~": "\u00a0", "-": "\u00ad", "_": "\u2011", "\r": "", "\n": ""}
_CHARSETS = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "cp936",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}


@dataclass(slots=True)
class RtfGroup:
    """The state inside a pair of braces: the sink of its text, its encoding, and its paragraph's properties."""

    sink: Sink = "body"
    unicode_sink: Sink | None = None  # inside `upr`: the sink of the Unicode form; the other form is left out
    skipped: int = 1  # characters after \u that a reader of Unicode skips
    font: int = 0
    hidden: bool = False
    in_table: bool = False
    style: str = ""
    outline: int = 0
    indent: int = 0


class RtfReader:
    """Read the text of an RTF file and pass on its paragraphs, cells, rows, and the texts outside the body."""

    def __init__(
        self,
        paragraph: Callable[[str, RtfGroup], None],
        cell: Callable[[str, RtfGroup], None],
        row: Callable[[], None],
        sink: Callable[[Sink, str], str],
    ) -> None:
        self._on_paragraph, self._on_cell, self._on_row, self._on_sink = paragraph, cell, row, sink
        self._group = RtfGroup()
        self._stack: list[RtfGroup] = []
        self._texts: dict[Sink, list[str]] = {}
        self._bytes = bytearray()
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._default_font = 0
        self._styles: dict[int, str] = {}
        self._style = 0
        self._left_out = 0  # characters still to skip after \u
        self._is_optional = False  # \* was read: an unknown group may be skipped

    def read(self, data: str) -> None:
        """Read a whole file, decoded as Latin-1; unbalanced braces lose only their own text."""
        at = 0
        while at < len(data):
            token = _TOKEN.match(data, at)
            if token is None:
                break
            at = token.end()
            word = token["word"]
            if word == "bin" and token["number"]:
                at += max(int(token["number"]), 0)
            elif word:
                self._control(word, int(token["number"]) if token["number"] else None)
            elif token["hex"]:
                self._byte(int(token["hex"], 16))
            elif token["brace"]:
                self._flush_bytes()
                self._open() if token["brace"] == "{" else self._close()
            elif token["sign"]:
                self._sign(token["sign"])
            elif token["text"]:
                self._is_optional = False
                self._text(token["text"])
        self._flush_bytes()
        while self._stack:
            self._close()
        self._on_paragraph(self._take("body"), self._group)

    def _open(self) -> None:
        self._left_out, self._style = 0, 0
        if len(self._stack) >= _DEEPEST:
            raise Unreadable(
                "This RTF file nests its groups too deeply.", "Open it in its own program and save it again."
            )
        self._stack.append(replace(self._group))

    def _close(self) -> None:
        self._left_out, self._is_optional = 0, False
        if not self._stack:
            return
        ended, self._group = self._group.sink, self._stack.pop()
        if ended in (self._group.sink, self._group.unicode_sink):
            return
        text = self._take(ended)
        left = "" if ended in (*_UNSAID, "body") else self._on_sink(ended, text)
        if left:
            self._texts.setdefault(self._group.sink, []).append(left)

    def _control(self, word: str, number: int | None) -> None:
        self._flush_bytes()
        group, was_optional, self._is_optional = self._group, self._is_optional, False
        if word == "u" and number is not None:
            self._text(_decode_character(number), is_unicode=True)
            self._left_out = group.skipped
        elif word in _CHARACTERS:
            self._text(_CHARACTERS[word])
        elif word == "upr":
            group.unicode_sink, group.sink = group.sink, "skip"
        elif word == "ud" and group.unicode_sink:
            group.sink, group.unicode_sink = group.unicode_sink, None
        elif group.sink == "skip":
            return
        elif word in _SINKS:
            group.sink = _SINKS[word]
        elif word in _WITHOUT_TEXT or (was_optional and word not in _WITH_TEXT):
            group.sink = "skip"
        elif group.sink in ("fonts", "styles"):
            self._define(word, number)
        else:
            self._format(word, number, group)

    def _define(self, word: str, number: int | None) -> None:
        """Read a control word of the font table or the style sheet."""
        if word == "f":
            self._group.font = number or 0
        elif word == "fcharset" and number in _CHARSETS:
            self._fonts[self._group.font] = _CHARSETS[number]
        elif word == "s":
            self._style = number or 0

    def _format(self, word: str, number: int | None, group: RtfGroup) -> None:
        if word in ("par", "sect", "page", "column"):
            self._end_paragraph()
        elif word in ("cell", "nestcell"):
            if group.sink == "body":
                self._on_cell(self._take("body"), group)
        elif word in ("row", "nestrow"):
            if group.sink == "body":
                self._on_row()
        elif word == "pard":
            group.in_table, group.style, group.outline, group.indent = False, "", 0, 0
        elif word == "plain":
            group.hidden, group.font = False, self._default_font
        elif word in ("v", "deleted"):
            group.hidden = number != 0
        elif word == "intbl":
            group.in_table = True
        elif word == "s":
            group.style = self._styles.get(number or 0, "")
        elif word == "outlinelevel" and number is not None:
            group.outline = number + 1 if 0 <= number < 9 else 0
        elif word == "li":
            group.indent = number or 0
        elif word == "f":
            group.font = number or 0
        elif word == "deff":
            self._default_font = group.font = number or 0
        elif word == "uc":
            group.skipped = min(max(number or 0, 0), 8)
        elif word == "ansicpg" and number:
            self._codec = f"cp{number}"
        elif word in ("mac", "pc", "pca"):
            self._codec = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]

    def _end_paragraph(self) -> None:
        if self._group.sink == "body":
            self._on_paragraph(self._take("body"), self._group)
        else:
            self._texts.setdefault(self._group.sink, []).append("\n")

    def _sign(self, sign: str) -> None:
        self._flush_bytes()
        if sign == "*":
            self._is_optional = True
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in "\\{}":
            self._text(sign)
        elif sign in _SIGNS:
            self._text(_SIGNS[sign])

    def _byte(self, byte: int) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            self._bytes.append(byte)

    def _flush_bytes(self) -> None:
        if self._bytes:
            codec = self._fonts.get(self._group.font, self._codec)
            try:
                text = self._bytes.decode(codec, "replace")
            except LookupError:
                text = self._bytes.decode("cp1252", "replace")
            self._bytes.clear()
            self._text(text)

    def _text(self, text: str, *, is_unicode: bool = False) -> None:
        self._flush_bytes()
        if self._left_out and not is_unicode:
            text, self._left_out = text[self._left_out :], max(self._left_out - len(text), 0)
        group = self._group
        if group.sink == "styles":
            # A style's name is short; a longer one is not a heading.
            self._styles[self._style] = (self._styles.get(self._style, "") + text.rstrip(";"))[:_LONGEST_NAME]
        elif group.sink not in _UNSAID and not group.hidden and text:
            self._texts.setdefault(group.sink, []).append(text)

    def _take(self, sink: Sink) -> str:
        # Characters beyond the first 65,536 are written in two halves.
        joined = "".join(self._texts.pop(sink, ()))
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _decode_character(number: int) -> str:
    code = number + 0x10000 if number < 0 else number
    return chr(code) if 0 < code < 0x110000 else "\ufffd"
