"""A text to the pieces it is compared by: words taken apart where they are contracted, and quantities whole."""

import re
import unicodedata
from typing import NamedTuple

from pincite.evidence.quantities import Quantity, quantities

_TOKEN = re.compile(r"[^\W_]+(?:['’\-‑–][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_ITEM = re.compile(r"^\s*\(?\d{1,2}[.)]\s(?=\s*\D)", re.MULTILINE)
_BROKEN = re.compile("\u00ad\\s*")
_APOSTROPHES = frozenset(("'", "’"))
_ELIDED = frozenset(("l", "d", "j", "m", "t", "s", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"))
_CONTRACTED = {"don": "do", "won": "will", "can": "can", "shan": "shall"}
_GOING = frozenset(("go", "goes", "went", "gone", "going"))
_COURSES = {"up": "rose", "down": "fell"}
# A single line end is a space.
_PAUSE = re.compile(r"[,;:.!?()\[\]…—\t]|\n\s*\n|\s[–-]\s")
_STOP = re.compile(r"[.!?…][^\w]*\s|\n\s*\n")
_JOINTS = """
but mais whereas although though while tandis alors because car parce puisque and et or ou
"""
_JOINING = frozenset(_JOINTS.split())


class Token(NamedTuple):
    """A word where it stands, without accents and in lower case; or a quantity."""

    start: int
    end: int
    plain: str
    lower: str
    quantity: Quantity | None = None


def mended(text: str) -> str:
    """A text with the words that a line's end broke put together."""
    return _BROKEN.sub("", text) if "\u00ad" in text else text


def tokens(text: str) -> list[Token]:
    """The words and quantities of a text in their order."""
    # The number of an item says where it stands, not what it says; blanks keep the places of the rest.
    text = _ITEM.sub(lambda match: " " * len(match[0]), text)
    found: list[Token] = []
    ends = 0
    for quantity in [*quantities(text), None]:
        for match in _TOKEN.finditer(text, ends, quantity.start if quantity else len(text)):
            written = match[0]
            elided = text[match.end() : match.end() + 1] in _APOSTROPHES
            if has_digit(written) or (written.isalpha() and not elided and written != "cannot"):
                found.append(_token(*match.span(), written))
            else:
                found.extend(_parts(match))
        if quantity:
            found.append(Token(quantity.start, quantity.end, "#", "#", quantity))
            ends = quantity.end
    return _gone(text, found)


def _gone(text: str, found: list[Token]) -> list[Token]:
    """Words with "went up" and "went down" as the one word that they mean."""
    joined: list[Token] = []
    for token in found:
        before = joined[-1] if joined else None
        if token.plain in _COURSES and before and before.plain in _GOING and text[before.end : token.start].isspace():
            meant = _COURSES[token.plain]
            joined[-1] = Token(before.start, token.end, meant, meant)
        else:
            joined.append(token)
    return joined


def _token(start: int, end: int, written: str) -> Token:
    lower = written.casefold()
    return Token(start, end, fold(lower), lower)


def _parts(match: re.Match[str]) -> list[Token]:
    """A word with hyphens or apostrophes as the words it is made of."""
    found: list[Token] = []
    for part in _PART.finditer(match[0]):
        start, end = match.start() + part.start(), match.start() + part.end()
        lower = part[0].casefold()
        elided = match.string[end : end + 1] in _APOSTROPHES
        apart = match[0][part.start() - 1 : part.start()] in _APOSTROPHES
        if lower == "n" and elided:
            found.append(Token(start, end, "ne", "ne"))
        elif lower == "s" and elided and match[0][part.end() + 1 :].casefold() in ("il", "ils"):
            found.append(Token(start, end, "si", "si"))
        elif lower == "t" and apart and found and found[-1].plain.endswith("n"):
            verb = found.pop()
            bare = _CONTRACTED.get(verb.plain, verb.plain.removesuffix("n"))
            found += [Token(verb.start, verb.end, bare, bare), Token(start, end, "not", "not")]
        elif lower == "cannot":
            found += [Token(start, start + 3, "can", "can"), Token(start + 3, end, "not", "not")]
        elif not ((lower in _ELIDED and elided) or (lower == "s" and apart)):
            found.append(Token(start, end, fold(lower), lower))
    return found


def clauses(found: list[Token], gaps: list[str]) -> tuple[list[int], list[int]]:
    """The number of the clause and of the sentence that each word stands in; `gaps` is what follows each."""
    clause, sentence = 0, 0
    numbers, sentences = [], []
    for i, token in enumerate(found):
        gap = gaps[i - 1] if i else ""
        if gap and _STOP.search(gap):
            sentence += 1
        if (gap and _PAUSE.search(gap)) or token.plain in _JOINING:
            clause += 1
        numbers.append(clause)
        sentences.append(sentence)
    return numbers, sentences


def has_digit(word: str) -> bool:
    """Does a word have a digit in it?"""
    return not word.isalpha() and any(map(str.isdigit, word))


def fold(word: str) -> str:
    """A word without its accents."""
    if word.isascii():
        return word
    spread = unicodedata.normalize("NFKD", word.replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in spread if not unicodedata.combining(c))
