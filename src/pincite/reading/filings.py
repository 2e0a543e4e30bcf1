"""Find the title of an SEC filing on its cover page: company, form and period.

The cover begins with the name of the agency. The form prescribes the wording of the other lines, so they identify a
filing: the line below the company says that it is the exact name of the registrant.
"""

import re

_CAPTION = re.compile(r"^\W*exact name of (?:the )?(?:registrant|company)s?\b.*(?:charter|articles)", re.IGNORECASE)
_FORM = re.compile(r"^\W*form\s+(\d{1,2}\s?-\s?[a-z]{1,2}(?:/a)?)\b", re.IGNORECASE)
_DAY = r"([a-z]{3,9}\.?\s+\d{1,2}\s*,\s*\d{4})"
_PERIOD = re.compile(
    rf"for\s+the\s+((?:fiscal\s+)?year|(?:fiscal\s+)?quarter(?:ly\s+period)?|transition\s+period)\s+ended:?\s+{_DAY}",
    re.IGNORECASE,
)
_EVENT = re.compile(rf"date\s+of\s+report\b[^\n]{{0,60}}?:?\s*{_DAY}", re.IGNORECASE)
_RULE = re.compile(r"[\W_]*")
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{2,})")
_FAR = 6000  # characters from the start within which the cover has its lines


def find_filing_title(page: str) -> str:
    """Return "Company, Form 10-K, fiscal year ended December 31, 2020" from the first page of a filing; else ""."""
    lines = [" ".join(line.split()) for line in page[:_FAR].split("\n")]
    caption = next((i for i, line in enumerate(lines) if _CAPTION.match(line)), 0)
    form = next((match[1] for line in lines if (match := _FORM.match(line))), "")
    company = next((line for line in reversed(lines[:caption]) if not _RULE.fullmatch(line)), "")
    if len(_SMALL_CAPITALS.findall(company)) > 1:  # "M ARINA H OLDINGS", set in two sizes of capitals
        company = _SMALL_CAPITALS.sub(r"\1", company)
    company = company.strip(" _*")
    if not (form and company) or len(company) > 150:
        return ""
    return ", ".join(filter(None, (company, f"Form {form.replace(' ', '').upper()}", _find_period(" ".join(lines)))))


def _find_period(text: str) -> str:
    if period := _PERIOD.search(text):
        return f"{period[1].lower()} ended {_write_day(period[2])}"
    event = _EVENT.search(text)
    return _write_day(event[1]) if event else ""


def _write_day(day: str) -> str:
    return (
        " ".join(day.replace(" ,", ",").split()).title() if day.isupper() else " ".join(day.replace(" ,", ",").split())
    )
