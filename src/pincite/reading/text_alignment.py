"""Find the words of a file's runs in the text that was read from it, in order and character by character."""

from collections.abc import Sequence

from pincite.reading.finish import clean_characters

Range = tuple[int, int]


class Misaligned(ValueError):
    """Words of the file are not at their place in the text."""


class TextAligner:
    """A position in a stretch of a text, up to which the words of the file were found."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._at = start
        self._end = end

    def take_paragraph(self, pieces: Sequence[str], sign: str = "") -> list[Range | None]:
        """Return the range of each piece of a paragraph; None for a piece without a character in the text.

        `sign` may stand before the paragraph in the text alone. The text may have less white space than the pieces.
        """
        joined = clean_characters("".join(pieces))
        first, last = len(joined) - len(joined.lstrip()), len(joined.rstrip())
        if first < last:
            self._skip_gap(sign)
        found: list[Range | None] = []
        place = 0
        for piece in pieces:
            start = self._at
            for character in joined[max(place, first) : min(place + len(piece), last)]:
                self._take(character)
            place += len(piece)
            found.append((start, self._at) if self._at > start else None)
        return found

    def finish(self) -> None:
        """Raise `Misaligned` if words of the stretch were not taken."""
        if self._text[self._at : self._end].strip():
            raise Misaligned("Words of the text are not in the file's runs.")

    def _skip_gap(self, sign: str) -> None:
        while self._at < self._end and self._text[self._at].isspace():
            self._at += 1
        if sign and self._text.startswith(sign, self._at, self._end):
            self._at += len(sign)

    def _take(self, character: str) -> None:
        here = self._text[self._at] if self._at < self._end else ""
        if character.isspace():
            self._at += here.isspace()
        elif here == character:
            self._at += 1
        else:
            raise Misaligned("Words of the file are not at their place in the text.")
