"""Write references as BibTeX, RIS, CSL-JSON, or as lines to read."""

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from pincite.conversations.export.cited_works import Author, Reference

ReferenceFormat = Literal["bib", "ris", "csl", "txt"]
REFERENCE_MEDIA: dict[ReferenceFormat, str] = {
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
    "csl": "application/vnd.citationstyles.csl+json",
    "txt": "text/plain",
}

_READ = {"en": "read on {}", "fr": "consulté le {}"}
_PAGES = {"en": ("p.", "pp."), "fr": ("p.", "p.")}
_CITED = "Cited: {}"
_BIBTEX_TYPES = {"epub": "book", "html": "online"}
_RIS_TYPES = {"epub": "BOOK", "html": "ELEC", "email": "ICOMM", "pptx": "SLIDE", "code": "COMP"}
_CSL_TYPES = {"epub": "book", "html": "webpage", "email": "personal_communication", "code": "software"}
_SPECIAL = re.compile(r"[\\{}$&#%_~^]")
_SPELLED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ADDRESS_MARKS = re.compile(r"[{}\\%]")


def write_references(references: Sequence[Reference], format: ReferenceFormat, language: str = "en") -> str:
    """Return references in a format; `language` is that of lines to read."""
    match format:
        case "bib":
            return "\n".join(map(_write_bibtex, references))
        case "ris":
            return "".join(map(_write_ris, references))
        case "csl":
            return json.dumps([_make_csl(each) for each in references], ensure_ascii=False, indent=2) + "\n"
        case "txt":
            return "".join(f"{format_reference(each, language)}\n" for each in references)


def format_reference(reference: Reference, language: str = "en") -> str:
    """Return a reference as one line: "Lovelace, Ada; Babbage, Charles (1843). Notes. pp. iv, 3." """
    names = "; ".join(_name(author) for author in reference.authors)
    year = f"({reference.date[0]})" if reference.date else ""
    pages = reference.pages
    word = _PAGES[language][bool(re.search(r"[,–]", pages))]
    parts = (
        f"{names} {year}".strip() if names else "",
        reference.title if names else f"{reference.title} {year}".strip(),
        reference.site,
        f"{word} {pages}" if pages and not pages.startswith("slide") else pages,
        ", ".join(
            part
            for part in (reference.url, _READ[language].format(_format_date(reference.read)) if reference.read else "")
            if part
        ),
    )
    return ". ".join(part.rstrip(".") for part in parts if part) + "."


def _write_bibtex(reference: Reference) -> str:
    fields = {
        "author": " and ".join(_name_bibtex(author) for author in reference.authors),
        "title": f"{{{_escape_bibtex(reference.title)}}}",
        "year": str(reference.date[0]) if reference.date else "",
        "month": str(reference.date[1]) if len(reference.date) > 1 else "",
        "organization": _escape_bibtex(reference.site),
        "url": _ADDRESS_MARKS.sub(lambda mark: f"%{ord(mark[0]):02X}" if mark[0] != "%" else r"\%", reference.url),
        "urldate": _format_date(reference.read),
        "note": _escape_bibtex(_CITED.format(_name_pages(reference))) if reference.pages else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{_BIBTEX_TYPES.get(reference.kind, 'misc')}{{{reference.key},", *lines, "}"]) + "\n"


def _name_bibtex(author: Author) -> str:
    # The name of an organisation stays whole in braces.
    return _escape_bibtex(_name(author)) if author.given else f"{{{_escape_bibtex(author.family)}}}"


def _escape_bibtex(text: str) -> str:
    return _SPECIAL.sub(lambda mark: _SPELLED.get(mark[0], f"\\{mark[0]}"), " ".join(text.split()))


def _write_ris(reference: Reference) -> str:
    kind = _RIS_TYPES.get(reference.kind, "ELEC" if reference.url else "GEN")
    lines = [
        ("TY", kind),
        ("ID", reference.key),
        *(("AU", _name(author)) for author in reference.authors),
        ("TI", reference.title),
        ("PY", f"{reference.date[0]}" if reference.date else ""),
        ("DA", _format_date(reference.date, "/")),
        ("PB", reference.site),
        ("UR", reference.url),
        ("Y2", _format_date(reference.read, "/")),
        ("N1", _CITED.format(_name_pages(reference)) if reference.pages else ""),
    ]
    told = "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in lines if value)
    return f"{told}ER  - \r\n\r\n"


def _make_csl(reference: Reference) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": reference.key,
        "type": _CSL_TYPES.get(reference.kind, "webpage" if reference.url else "document"),
        "title": reference.title,
        "author": [
            {"family": author.family, "given": author.given} if author.given else {"literal": author.family}
            for author in reference.authors
        ],
        "issued": {"date-parts": [list(reference.date)]} if reference.date else None,
        "container-title": reference.site,
        "URL": reference.url,
        "accessed": {"date-parts": [list(reference.read)]} if reference.read else None,
        "note": _CITED.format(_name_pages(reference)) if reference.pages else "",
    }
    return {name: value for name, value in made.items() if value}


def _name(author: Author) -> str:
    return f"{author.family}, {author.given}" if author.given else author.family


def _name_pages(reference: Reference) -> str:
    pages = reference.pages
    return pages if pages.startswith("slide") else f"{_PAGES['en'][bool(re.search('[,–]', pages))]} {pages}"


def _format_date(date: Sequence[int], mark: str = "-") -> str:
    return mark.join(f"{part:02d}" for part in date)
