"""Decide by its form whether a piece of an answer makes a claim: headings, lead-ins, questions and code do not."""

import re

_HEADING = re.compile(r"\s*#{1,6}\s")
_BOLD = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)(?:(?!\1).)+\1\s*:?\s*")
_RULE = re.compile(r"[\s|:+\-=*_#>`~.]*")
_STOPPED = re.compile(r"[.!…][*_\s\"'”»)]*$")
_PROPOSAL = re.compile(
    r"\W*(?:(?:I|we)(?:\s+now|\s+also)?\s+(?:propose|suggest)\b|(?:je|nous)\s+(?:vous\s+)?(?:propos|suggèr|suggér)(?:e|ons)\b)",
    re.IGNORECASE,
)
_ROW = re.compile(r"\s*\|")


def is_claim(sentence: str, is_cited: bool = False) -> bool:
    """Whether a source could support a sentence. A lead-in or bold line that cites something is a claim."""
    text = sentence.strip()
    if not any(map(str.isalnum, text)) or _RULE.fullmatch(text) or _HEADING.match(text):
        return False
    if is_cited or is_row(text):
        return True
    is_label = bool(_BOLD.fullmatch(text)) and not _STOPPED.search(text)
    return not is_label and not text.rstrip("*_ ").endswith((":", "?"))


def is_proposal(sentence: str) -> bool:
    """Whether a sentence only says what its writer proposes to change, which no source can say."""
    return bool(_PROPOSAL.match(sentence))


def is_row(sentence: str) -> bool:
    """Whether a piece of an answer is a row of a Markdown table."""
    return bool(_ROW.match(sentence))


def split_row(row: str) -> list[str]:
    """Return the cells of a row of a Markdown table, without the empty cells at its end."""
    cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def write_out_row(row: str, heads: list[str]) -> str:
    """Return a row of a table as words, each cell behind its head: "Net revenue; 2015: 3,991; 2014: 5,506"."""
    cells = split_row(row)
    above = [*heads, *[""] * len(cells)]
    return "; ".join(f"{above[at]}: {cell}" if at and above[at] else cell for at, cell in enumerate(cells) if cell)
