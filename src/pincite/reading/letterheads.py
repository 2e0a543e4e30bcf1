"""Recognise the lines that a cover has above its title: a country, an agency, the number of a form.

They tell who published a document, not what it is. They are known by their wording alone, so only names that are formed
like those of states and agencies count.
"""

import re

_LONGEST = 120  # characters
_NAME = r"[^\W\d_][\w.'’-]{0,30}"  # a word of a name
_COUNTRY = re.compile(
    r"(?:the )?(?:united states(?: of america)?|united kingdom(?: of great britain and northern ireland)?"
    r"|european union)|union européenne|république française|confédération suisse|royaume de belgique",
    re.IGNORECASE,
)
# In small letters "The state of the forests" and "Network administration" are titles.
_COUNTRY_IN_CAPITALS = re.compile(
    r"(?:THE )?(?:[A-Z]{1,20} ){0,2}(?:REPUBLIC|KINGDOM|COMMONWEALTH|GOVERNMENT|FEDERATION|PRINCIPALITY) OF"
    rf"(?: {_NAME}){{1,4}}"
    rf"|(?:STATE|PROVINCE) OF (?:(?:NEW|NORTH|SOUTH|WEST|RHODE) )?{_NAME}"
    r"|(?:R[ÉE]PUBLIQUE|ROYAUME|GOUVERNEMENT|PRINCIPAUT[ÉE]|CONF[ÉE]D[ÉE]RATION)(?: F[ÉE]D[ÉE]RALE)?"
    rf"(?: (?:DE|DU|DES))?(?: LA)?(?: {_NAME}){{1,3}}",
)
_AGENCY = re.compile(
    rf"(?:U\. ?S\. )?(?:DEPARTMENT|MINISTRY|MINIST[ÈE]RE) (?:OF|DE|DU|DES)(?: (?:THE|LA|L['’]))? ?{_NAME}"
    rf"(?:,? (?:AND |ET )?{_NAME}){{0,3}}"
    rf"|(?:{_NAME},? (?:AND )?){{1,4}}(?:COMMISSION|AGENCY|ADMINISTRATION)"
)
_ADMINISTRATION = re.compile(r"(?!.*\b(?:DEPARTMENT|MINIST))[^,]{1,100} ADMINISTRATION")  # "DATABASE ADMINISTRATION"
_FORM = re.compile(
    r"(?:form|formulaire|schedule) (?:[a-z]{0,4}[ -]?\d{1,4}[a-z]{0,2}|[a-z]|[a-z\d]{1,4}-[a-z\d]{1,4})(?:/a)?",
    re.IGNORECASE,
)
# "DEPARTMENT OF HEALTH ANNUAL REPORT" names more than the department.
_WORK = re.compile(r"\b(?:REPORT|PLAN|STRATEGY|BUDGET|GUIDE|REVIEW|POLICY|MANUAL|HANDBOOK|RAPPORT|BILAN|MANUEL)S?\b")


def is_letterhead(line: str) -> bool:
    """Return whether a line names no more than a country, an agency or a form: "UNITED STATES", "FORM 8-K"."""
    if len(line) > _LONGEST:
        return False
    words = _strip_marks(line)
    if _COUNTRY.fullmatch(words) or _FORM.fullmatch(words):
        return True
    is_name = _COUNTRY_IN_CAPITALS.fullmatch(words) or _AGENCY.fullmatch(words)
    return words.isupper() and bool(is_name) and not _WORK.search(words)


def may_be_title(letterhead: str) -> bool:
    """Return whether a letterhead may be a title where none stands below it: "STATE OF PLAY", "KINGDOM OF HEAVEN"."""
    words = _strip_marks(letterhead)
    is_known = _COUNTRY.fullmatch(words) or _FORM.fullmatch(words)
    return not is_known and bool(_COUNTRY_IN_CAPITALS.fullmatch(words) or _ADMINISTRATION.fullmatch(words))


def _strip_marks(line: str) -> str:
    return " ".join(line.split()).strip(" .,:;*_()[]")
