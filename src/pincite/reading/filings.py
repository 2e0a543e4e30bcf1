"""Find the title of an SEC filing on its cover page: company, form and period.

The cover begins with the name of the agency. The form prescribes the wording of the other lines, so they identify a
filing: the line below the company says that it is the exact name of the registrant, or the name of the issuer.
"""

import re
from itertools import pairwise

_CAPTION = re.compile(
    r"^\W*(?:exact name of (?:the )?(?:registrant|company)s?\b.*(?:charter|articles)"
    r"|name of (?:the )?(?:registrant|company)s?\b.*\bin its (?:charter|articles)"
    r"|name of (?:the )?(?:issuer|subject company)\W*$"
    r"|translation of (?:the )?registrant\W{1,3}s name into english)",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"^\W*(?:amendment\s+no\W{0,2}\d{1,3}\s+(?:to|on)\s+)?(?:"
    r"form\s+(?P<form>(?:\d{1,2}|[a-z]{1,2})\s?-\s?[a-z\d]{1,4}(?:/a)?|10(?=\W*$))"
    r"|(?:form\s+)?(?P<code>(?:def|pre)[a-z]?\s?14[ac])"
    r"|schedule\s+(?P<schedule>14[acnf]|13[dg](?:/a)?|13e-3|to(?:-[ict])?(?=\W*$)|14[df]-\d))(?![\w-])",
    re.IGNORECASE,
)
_DAY = r"([a-z]{3,9}\.?\s+\d{1,2}\s*,\s*\d{4})"
_PERIOD = re.compile(
    rf"for\s+the\s+((?:fiscal\s+)?year|(?:fiscal\s+)?quarter(?:ly\s+period)?|transition\s+period)\s+ended:?\s+{_DAY}",
    re.IGNORECASE,
)
_MONTH = re.compile(r"for\s+the\s+month\s+of:?\s+([a-z]{3,9}\.?,?\s+\d{4})", re.IGNORECASE)
_EVENT = re.compile(rf"date\s+of\s+report\b[^\n]{{0,60}}?:?\s*{_DAY}", re.IGNORECASE)
_FILED = re.compile(rf"as\s+filed\s+with\s+the\s+[^\n]{{0,60}}?\bcommission\s+on\s+{_DAY}", re.IGNORECASE)
_RULE = re.compile(r"[\W_]*")
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{2,})")
_FAR = 6000  # characters from the start within which the cover has its lines


def find_filing_title(page: str) -> str:
    """Return "Company, Form 10-K, fiscal year ended December 31, 2020" from the first page of a filing; else ""."""
    lines = [" ".join(line.split()) for line in page[:_FAR].split("\n")]
    caption = next((i for i, pair in enumerate(pairwise([*lines, ""])) if _is_caption(*pair)), 0)
    form = next((_write_form(match) for line in lines if (match := _FORM.match(line))), "")
    company = next((line for line in reversed(lines[:caption]) if not _RULE.fullmatch(line)), "")
    if len(_SMALL_CAPITALS.findall(company)) > 1:  # "M ARINA H OLDINGS", set in two sizes of capitals
        company = _SMALL_CAPITALS.sub(r"\1", company)
    company = company.strip(" _*#|")
    if not (form and company) or len(company) > 150 or _FORM.match(company):
        return ""
    return ", ".join(filter(None, (company, form, _find_period(" ".join(lines)))))


def _is_caption(line: str, following: str) -> bool:
    """Return whether a line says that the line above it is the company's name; a long caption goes on in the next."""
    return bool(_CAPTION.match(line) or _CAPTION.match(f"{line} {following}"))


def _write_form(match: re.Match[str]) -> str:
    """Return the name of a form: "Form 10-K", "Schedule 14A", "DEF 14A"."""
    if code := match["code"]:
        return f"{code[:-3].strip()} {code[-3:]}".upper()
    name = "Schedule" if match["schedule"] else "Form"
    return f"{name} {(match['schedule'] or match['form']).replace(' ', '').upper()}"


def _find_period(text: str) -> str:
    if period := _PERIOD.search(text):
        return f"{period[1].lower()} ended {_write_day(period[2])}"
    day = _EVENT.search(text) or _MONTH.search(text) or _FILED.search(text)
    return _write_day(day[1]) if day else ""


def _write_day(day: str) -> str:
    written = " ".join(day.replace(" ,", ",").split())
    return written.title() if written.isupper() else written
