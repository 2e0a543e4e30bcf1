"""Decide whether a number in a text is a bound: < 5, at least 5, 5 or more."""

import re
from typing import Literal

Bound = Literal["", "below", "above", "some"]

# A ">" at the start of a line marks a quotation, and the head of an arrow is no sign either.
_SIGN = re.compile(r"\S[^\S\n]*(?<![-=<>–—])(?:(?P<below>[<≤⩽≦]|&lt;)|(?P<above>[>≥⩾≧]|&gt;))=?\s?$")
_WORDS = re.compile(
    r"\b(?:(?P<below>(?:less|fewer|lower|smaller|younger|no more|not more) than|below|at most|moins de|"
    r"inférieure?s? ou égale?s? à|inférieure?s? à|au plus|au maximum)|"
    r"(?P<above>(?:more|greater|higher|larger|older|no less|no fewer|not less) than|above|at least|exceed(?:s|ed|ing)?|"
    r"plus de|supérieure?s? ou égale?s? à|supérieure?s? à|au moins|au minimum))\s+(?:or equal to\s+)?[$€£]?\s?$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\b(?:no|not|pas|never|jamais|cannot)|n['’]\w+ pas)\s(?:be\s)?$", re.IGNORECASE)
_ANY = re.compile(
    r"\b(?:than|over|under|beyond|within|up to|until|minim\w+|maxim\w+|jusqu['’](?:à|au)|dépass\w+|excéd\w+|excèd\w+|"
    r"plafond\w*|limit\w*|threshold|seuil|significan\w+|aged?|âgée?s?|égale?s? à)\b[^.;\n]*$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\W*(?:\w+\W+){0,2}?(?:(?:or|and|et|ou|of age and)\s+)?(?:more|older|over|above|less|fewer|younger|under|plus|"
    r"moins|minimum|maximum|révolus|below)\b",
    re.IGNORECASE,
)
_NEAR = 40


def find_bound(text: str, start: int, end: int) -> tuple[Bound, bool]:
    """Return the side on which a number is a bound, and whether a sign says so; "some" where the side is not clear."""
    before = text[max(start - _NEAR, 0) : start]
    sign = _SIGN.search(before)
    if sign:
        return ("below" if sign["below"] else "above"), True
    words = _WORDS.search(before)
    if words and not _DENIED.search(before[: words.start()]):
        return ("below" if words["below"] else "above"), False
    return ("some" if words or _ANY.search(before) or _BEHIND.match(text, end) else ""), False


def may_agree(claimed: tuple[Bound, bool], given: tuple[Bound, bool]) -> bool:
    """Whether one number may stand for the other.

    A bound by a sign needs a bound on the same side, by a sign or by words.
    """
    (own, by_sign), (other, signed) = claimed, given
    if {own, other} == {"below", "above"}:
        return False
    return not ((by_sign and not other) or (signed and not own))
