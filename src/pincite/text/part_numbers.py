"""Read the numbers of the parts of a document: "Article 1er", "clause 3.1", "TITRE IV", "art. L. 121-3"."""

import re
from dataclasses import dataclass
from itertools import pairwise

_SPACE = r"[ \u00a0\u202f]"
_DIGITS = rf"(?:[A-Z]\.?{_SPACE}?)?\d{{1,4}}(?:[.-]\d{{1,4}}){{0,4}}"
# A number with others inside it or the letter of a code of law before it, a Roman one, or the French "premier".
PART_NUMBER = (
    rf"(?:{_DIGITS}(?:er|re|ère|st|nd|rd|th)?|(?!I{_SPACE}[a-z])[IVXLC]+|(?i:premi(?:er|ère)))(?![^\W_]|[.-]\d)"
)
_NOUN = r"(?i:art(?:icles?|\.)|clauses?|sec(?:tions?|t?\.)|chap(?:ters?|itres?|\.)|annexe?s?|paragraph(?:e?s?)|§{1,2})"
_NAMED = re.compile(rf"(?<!\w)(?P<noun>{_NOUN}){_SPACE}?(?P<number>{PART_NUMBER})")
_BARE = re.compile(rf"(?P<number>{_DIGITS})(?:[.)]{_SPACE}|{_SPACE}+(?=[A-ZÀ-Þ]))")
_ORDINAL = re.compile(r"(?<=\d)[a-zè]+$")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_SAME_NOUN = 3  # letters that a noun has in both languages and shortened: chapter, chapitre, chap.


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part of a document as a text names it: the letters of its noun, its number, and both as they are written."""

    noun: str
    number: str
    written: str = ""

    def holds(self, other: "NamedPart") -> bool:
        """Whether it is another part or has that within it: 3 has 3.1. Nouns do not count."""
        return other.number == self.number or other.number.startswith(f"{self.number}.")


def list_named_parts(text: str) -> list[NamedPart]:
    """Return the parts that a text names with their nouns: "article 4", "§ 3"."""
    return [_make_part(found) for found in _NAMED.finditer(text)]


def drop_named_parts(text: str) -> str:
    """Return a text without the parts that it names with their nouns."""
    return _NAMED.sub("", text)


def read_opening_part(line: str) -> NamedPart | None:
    """Return the part whose number opens a line, with a noun or without: "Article 4 – Loans", "3.1 The tenant pays"."""
    if named := _NAMED.match(line):
        return _make_part(named)
    bare = _BARE.match(line)
    return NamedPart("", read_part_number(bare["number"]), bare["number"]) if bare else None


def read_part_number(written: str) -> str:
    """Return the number of a part in one spelling: 1er and I give 1, "L. 121-3" gives l121-3."""
    if written.casefold() in ("premier", "première"):
        return "1"
    if set(written) <= _ROMAN.keys():
        values = [_ROMAN[letter] for letter in written]
        return str(sum(-one if one < two else one for one, two in pairwise([*values, 0])))
    letters, digits = re.match(rf"([A-Z]?)\.?{_SPACE}?(.*)", written).groups()  # type: ignore[union-attr]
    return letters.casefold() + _ORDINAL.sub("", digits)


def _make_part(found: re.Match[str]) -> NamedPart:
    noun = found["noun"].casefold()[:_SAME_NOUN].replace("§§", "§")
    return NamedPart(noun, read_part_number(found["number"]), found[0])
