"""Finish a document: clean its characters, choose a title and detect the language; offsets stay valid."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import PurePath

from pincite.reading.contents_lines import mark_contents
from pincite.reading.filings import find_filing_title
from pincite.reading.index_lines import mark_index
from pincite.reading.letterheads import is_letterhead, may_be_title
from pincite.reading.numbered_headings import is_counted
from pincite.reading.source import Source
from pincite.text.display import put_on_one_line
from pincite.text.language import detect_document_language
from pincite.text.storable import clean_text
from pincite.types import Block, Document

# Direction overrides show words in another order than written; tag characters are invisible, except those that name the
# country of a flag.
_DECEIVING = re.compile("(\U0001f3f4[\U000e0020-\U000e007f]{2,7})|[\u202d\u202e\U000e0000-\U000e007f]")
_EMPTY_TITLE = re.compile(
    r"(?:untitled|sans titre|sans nom|ohne titel|document|doc|presentation|présentation|powerpoint presentation|"
    r"présentation powerpoint|book|classeur|sheet|feuil|title|titre|scan|image|img|page|slide|diapositive|new|no title|"
    r"microsoft word|layout|template|default|none|null|unknown|index|home|accueil)?[\s\d._()-]*",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"^(?:[a-z]:[\\/]|[\\/~]|file:)|\.(?:docx?|xlsx?|pptx?|pdf|indd|qxd|tex|dvi|ps|rtf|odt|fm|p65|html?|txt|eps)$",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)|word|powerpoint|writer|acrobat|pdfcreator)\s*[-–:]\s*",
    re.IGNORECASE,
)
# Programs that put their own name, or none, where a file names its author.
_NO_AUTHOR = re.compile(
    r"(?:python-docx|python-pptx|openpyxl|xlsxwriter|sheetjs|apache poi|phpword|phpexcel|phpspreadsheet|docx4j|pandoc|"
    r"epplus|closedxml|aspose\S*|libreoffice|openoffice(?:\.org)?|google docs|microsoft office(?: user)?|"
    r"microsoft (?:word|excel|powerpoint)|unknown(?: (?:author|creator))?|un-named|anonymous|user|author|"
    r"admin(?:istrator)?)[\s/v\d.]*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
# Files of these formats keep the properties of the file they were made from; the others declare their title for
# readers.
_WITH_PROPERTIES = ("pdf", "docx", "pptx", "xlsx", "odt", "rtf")
_FILED = ("pdf", "html", "docx", "odt", "rtf", "text", "markdown", "image")  # the formats of filings with an agency
_LONG_TITLE = 2000  # characters of a declared title that are examined
_LONG_FACT = 2000  # characters of one metadata value
_BEGINNING = 5000  # characters in which a document names itself
_LONG_WORD, _MANY_LONG = 4, 5  # letters, and words of so many in a title that a document says somewhere
_LONG_LINE = 90  # characters of a title at most that is known by its place alone
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")


def finish_document(document: Document, source: Source) -> Document:
    """Clean the characters of a document one for one, choose its title and detect its language."""
    cleaned = clean_text(document.text)
    text = _replace_deceiving(cleaned)
    seen = text[: next((block.start for block in document.blocks if block.kind == "hidden"), len(text))]
    problems = [clean_text(problem) for problem in (*document.problems, *_describe_long_facts(document))]
    if text != cleaned:
        problems.append(
            "Characters that hide words or show them in another order were removed: the text may look different."
        )
    if not seen.strip() and not document.problems:
        problems.append("No text was found in the document.")
    language = "" if document.kind == "code" else detect_document_language(seen) or document.language
    finished = replace(
        document,
        text=text,
        title=_choose_title(document, seen, source.name),
        language=language,
        blocks=tuple(block for block in document.blocks if text[block.start : block.end].strip()),
        metadata={
            clean_text(key)[:_LONG_FACT]: clean_text(value[:_LONG_FACT]).strip()
            for key, value in document.metadata.items()
            if value[:_LONG_FACT].strip() and not (key == "author" and _NO_AUTHOR.fullmatch(value.strip()))
        },
        problems=tuple(problems),
    )
    return mark_index(mark_contents(finished))


def _describe_long_facts(document: Document) -> Iterator[str]:
    """Yield a problem for each property that is cut."""
    for key, value in document.metadata.items():
        if len(value) > _LONG_FACT:
            yield f"The property `{key[:100]}` is long: its first {_LONG_FACT:,} characters are kept."


def clean_characters(text: str) -> str:
    """Return the text of a document as it is stored: the same length, without characters that deceive."""
    return _replace_deceiving(clean_text(text))


def _replace_deceiving(text: str) -> str:
    return _DECEIVING.sub(lambda found: found[1] or "\u200b", text)


def tidy_title(title: str) -> str:
    """Return a document's own title, tidied, or "" if it does not describe the document."""
    title = put_on_one_line(clean_text(title[:_LONG_TITLE]).replace("\ufffd", " "))
    title = _PROGRAM.sub("", title)
    if _EMPTY_TITLE.fullmatch(title) or _FILE_NAME.search(title) or sum(map(str.isalpha, title)) < 2:
        return ""
    return title[:300]


def choose_declared_title(title: str, text: str) -> str:
    """Return a title from a file's properties, tidied, or "" if the text lacks its words.

    That is asked of a code, of a single word, and of a long title: a file made from another one keeps the other's.
    """
    title = tidy_title(title)
    long = [word for word in _LETTERS.findall(title.casefold()) if len(word) >= _LONG_WORD]
    is_phrase = _is_phrase(title)
    if (is_phrase and len(long) < _MANY_LONG) or not text.strip():
        return title
    words = long if is_phrase else re.findall(r"\w+", title.casefold())
    opening = set(re.findall(r"\w+", text[:_BEGINNING].casefold()))
    return title if 2 * sum(word in opening for word in words) > len(words) else ""


def _is_phrase(title: str) -> bool:
    """Return whether a title is words, and neither a code nor a single word."""
    return len(_LETTERS.findall(title)) > 1 and "_" not in title


def make_title_from_name(name: str) -> str:
    """Return a file's name as a title: without its extension, words separated."""
    base = clean_text(PurePath(name.replace("\\", "/")).name or name)
    stem = _ENDING.sub("", base) or base
    words = re.sub(r"[_+]+|%20", " ", stem)
    if " " not in words.strip() and words.count("-") > 1:
        words = re.sub(r"(?<!\d)-|-(?!\d)", " ", words)
    return " ".join(words.split())[:300] or base


def _find_opening_line(document: Document, text: str) -> str:
    """Return the line above the numbered headings of a text: the first paragraph, if it is one line and no sentence."""
    first = document.blocks[0]
    line = text[first.start : first.end]
    is_line = first.kind == "paragraph" and "\n" not in line and not line.endswith((".", ",", ";", ":", "!", "?"))
    is_title = is_line and len(line) <= _LONG_LINE and len(line.split()) > 1
    return tidy_title(line) if is_title and (not is_letterhead(line) or may_be_title(line)) else ""


def _find_title_heading(document: Document, headings: Sequence[Block], text: str) -> str:
    """Return the first of some headings that is no letterhead.

    Words that are only formed like a letterhead are passed over where the next heading stands directly below them.
    """
    chosen = set(headings)
    for block, below in zip_longest(document.blocks, document.blocks[1:]):
        own = tidy_title(text[block.start : block.end]) if block in chosen else ""
        is_named = document.kind in _FILED and is_letterhead(own)
        if own and (not is_named or (may_be_title(own) and below not in chosen)):
            return own
    return ""


def _choose_title(document: Document, text: str, name: str) -> str:
    """Choose a document's title: of a filing, declared, printed on the first page, else its file name."""
    if document.kind == "code":
        return clean_text(PurePath(name.replace("\\", "/")).name)
    # A title is at the beginning: in a document with pages, on the first one.
    first = document.pages[0].end if document.pages else len(text)
    if document.kind in _FILED and (filed := find_filing_title(text[:first])):
        return tidy_title(filed)
    is_property = document.kind in _WITH_PROPERTIES
    own = choose_declared_title(document.title, text) if is_property else tidy_title(document.title)
    if own and not (own.isupper() and is_letterhead(own)):
        return own
    spare = own if may_be_title(own) else ""
    own = _find_printed_title(document, text, first)
    names = (text[block.start : block.end] for block in document.blocks if block.kind == "heading")
    if own and is_counted(own, names):  # a chapter, so nothing that is printed contradicts the properties
        declared = tidy_title(document.title)
        own = declared if _is_phrase(declared) else ""
    return own or spare or make_title_from_name(name)


def _find_printed_title(document: Document, text: str, first: int) -> str:
    """Return the title that a document shows before the end of its first page; "" if it shows none."""
    if document.kind == "pdf" and document.pages:
        from pincite.reading.first_page import find_set_title

        return tidy_title(find_set_title(document))
    headings = [block for block in document.blocks if block.kind == "heading" and block.start < first]
    if document.kind == "xlsx" and len(headings) > 1:
        return ""  # one of several sheets does not name the workbook
    if document.kind == "text" and headings and (own := _find_opening_line(document, text)):
        return own
    highest = min((block.level for block in headings), default=0)
    if not document.pages and highest != 1:
        return ""
    return _find_title_heading(document, [block for block in headings if block.level == highest], text)
