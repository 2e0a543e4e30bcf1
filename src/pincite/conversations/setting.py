"""Markdown to paper: its blocks one after the other, each with its runs of text."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.conversations.annotating import HELD, reader
from pincite.conversations.paper import Paper, Run

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINKED = ("http://", "https://", "mailto:")
_BULLET = "•"


class Setting:
    """Lays one answer out; `places` are where its footnotes will stand, by their numbers, `notes` are its notes."""

    def __init__(self, paper: Paper, places: Mapping[int, int], notes: Sequence[str] = ()) -> None:
        self._paper = paper
        self._places = places
        self._notes = notes
        self._lists: list[int | None] = []  # the next number of each list that is open; None where it has bullets
        self._begins_item = False
        self._rows: list[list[str]] = []

    def lay(self, text: str) -> None:
        """Set a text in Markdown; nothing in it is loaded or run."""
        tokens = reader().parse(text)
        for number, token in enumerate(tokens):
            self._block(token, tokens[number - 1] if number else None)

    def _block(self, token: "Token", before: "Token | None") -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._begins_item = True
            case "table_open":
                self._rows = []
            case "tr_open":
                self._rows.append([])
            case "table_close":
                self._paper.table(self._rows)
                self._rows = []
            case "hr":
                self._paper.rule()
            case "fence" | "code_block":
                self._paragraph([Run(line or " ") for line in _lines(token.content)])
            case "inline":
                self._text(token, before)

    def _text(self, token: "Token", before: "Token | None") -> None:
        runs = self._runs(token.children or [])
        if before is not None and before.type in ("th_open", "td_open"):
            self._rows[-1].append("".join(run.text for run in runs))
        elif before is not None and before.type == "heading_open":
            self._paper.heading(runs, int(before.tag[1:]))
        else:
            self._paragraph(runs)

    def _paragraph(self, runs: Sequence[Run]) -> None:
        bullet = ""
        if self._begins_item and self._lists:
            number = self._lists[-1]
            bullet = _BULLET if number is None else f"{number}."
            self._lists[-1] = None if number is None else number + 1
        self._begins_item = False
        self._paper.paragraph(runs, len(self._lists), bullet)

    def _runs(self, tokens: Sequence["Token"]) -> list[Run]:
        found: list[Run] = []
        bold = italic = 0
        link: str | None = None
        for token in tokens:
            match token.type:
                case "strong_open" | "strong_close":
                    bold += token.nesting
                case "em_open" | "em_close":
                    italic += token.nesting
                case "link_open":
                    target = str(token.attrGet("href") or "")
                    link = target if target.startswith(_LINKED) else None
                case "link_close":
                    link = None
                case "softbreak":
                    found.append(Run(" "))
                case "hardbreak":
                    found.append(Run("\n"))
                case _:
                    found += self._held(token.content, bold > 0, italic > 0, link)
        return found

    def _held(self, text: str, bold: bool, italic: bool, link: str | None) -> list[Run]:
        """A text's runs, with the footnotes and notes that are held in it."""
        found = []
        for number, piece in enumerate(HELD.split(text)):
            if number % 2 == 0:
                found.append(Run(piece, bold, italic, link=link))
            elif piece[:1] == "c":
                found.append(Run(f"[{piece[1:]}]", raised=True, link=self._places.get(int(piece[1:]))))
            else:
                found.append(Run(f" ({self._notes[int(piece[1:])]})", italic=True, faint=True))
        return [run for run in found if run.text]


def _lines(code: str) -> list[str]:
    """A block of code line by line, each with its break, spaces kept."""
    lines = [line.replace(" ", "\u00a0") for line in code.rstrip("\n").split("\n")]
    return [f"{line}\n" for line in lines[:-1]] + lines[-1:]
