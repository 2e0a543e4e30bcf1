"""A reader's document to the one that is kept: clean characters, a title, a language; offsets stay true."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from pincite.reading.filings import find_filing_title
from pincite.reading.language import detect
from pincite.reading.source import Source
from pincite.text.display import put_on_one_line
from pincite.types import Document

# Lone surrogates and Unicode's non-characters cannot be stored or sent; control characters cannot be seen.
_BROKEN = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(p * 65536 + 0xFFFE)}{chr(p * 65536 + 0xFFFF)}" for p in range(17))
    + "]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
# Overrides of direction show words in another order than they are written in; tag characters are never shown, but
# for those that name the country of a flag.
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
_LETTERS = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
# A file of these keeps the properties of the file it was made from; the others declare their title for readers.
_WITH_PROPERTIES = ("pdf", "docx", "pptx", "xlsx", "odt", "rtf")
_LONG_TITLE = 2000  # characters of a declared title that are looked at
_LONG_FACT = 2000  # characters of one piece of metadata
_BEGINNING = 5000  # characters in which a document names itself
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")


def finish(document: Document, source: Source) -> Document:
    """The document with characters cleaned one for one, its title chosen and its language detected."""
    cleaned = clean(document.text)
    text = _DECEIVING.sub(lambda found: found[1] or "\u200b", cleaned)
    seen = text[: next((block.start for block in document.blocks if block.kind == "hidden"), len(text))]
    problems = [clean(problem) for problem in (*document.problems, *_long_facts(document))]
    if text != cleaned:
        problems.append("Signs that hide words or show them in another order were taken out: it may look different.")
    if not seen.strip() and not document.problems:
        problems.append("No text was found in it.")
    language = "" if document.kind == "code" else detect(seen) or document.language
    return replace(
        document,
        text=text,
        title=_title(document, seen, source.name),
        language=language,
        blocks=tuple(block for block in document.blocks if text[block.start : block.end].strip()),
        metadata={
            clean(key)[:_LONG_FACT]: clean(value[:_LONG_FACT]).strip()
            for key, value in document.metadata.items()
            if value[:_LONG_FACT].strip()
        },
        problems=tuple(problems),
    )


def _long_facts(document: Document) -> Iterator[str]:
    """Tell which properties are cut."""
    for key, value in document.metadata.items():
        if len(value) > _LONG_FACT:
            yield f"The property `{key[:100]}` is long: its first {_LONG_FACT:,} characters are kept."


def clean(text: str) -> str:
    """The text of the same length with what cannot be stored as U+FFFD and unseen controls as spaces."""
    return _CONTROL.sub(" ", _BROKEN.sub("\ufffd", text))


def meaningful(title: str) -> str:
    """A document's own title made tidy, or "" when it says nothing about the document."""
    title = put_on_one_line(clean(title[:_LONG_TITLE]).replace("\ufffd", " "))
    title = _PROGRAM.sub("", title)
    if _EMPTY_TITLE.fullmatch(title) or _FILE_NAME.search(title) or sum(map(str.isalpha, title)) < 2:
        return ""
    return title[:300]


def declared(title: str, text: str) -> str:
    """A title from a file's properties made tidy, or "" when it is a code or a single word that the text lacks."""
    title = meaningful(title)
    is_phrase = len(_LETTERS.findall(title)) > 1 and "_" not in title
    if is_phrase or not text.strip():
        return title
    words = re.findall(r"\w+", title.casefold())
    said = set(re.findall(r"\w+", text[:_BEGINNING].casefold()))
    return title if 2 * sum(word in said for word in words) > len(words) else ""


def readable(name: str) -> str:
    """A file's name as a title: no ending, words apart."""
    base = clean(PurePath(name.replace("\\", "/")).name or name)
    stem = _ENDING.sub("", base) or base
    words = re.sub(r"[_+]+|%20", " ", stem)
    if " " not in words.strip() and words.count("-") > 1:
        words = re.sub(r"(?<!\d)-|-(?!\d)", " ", words)
    return " ".join(words.split())[:300] or base


def _title(document: Document, text: str, name: str) -> str:
    """The title that a document has: of a filing, declared, set on the first page, else its file's name."""
    if document.kind == "code":
        return clean(PurePath(name.replace("\\", "/")).name)
    if document.kind == "pdf" and document.pages:
        from pincite.reading.first_page import find_set_title

        if filed := find_filing_title(text[: document.pages[0].end]):
            return meaningful(filed)
        return declared(document.title, text) or meaningful(find_set_title(document)) or readable(name)
    own = declared(document.title, text) if document.kind in _WITH_PROPERTIES else meaningful(document.title)
    if own:
        return own
    # A title stands at the beginning: in a document with pages, on the first one.
    first = document.pages[0].end if document.pages else len(text)
    headings = [block for block in document.blocks if block.kind == "heading" and block.start < first]
    highest = min((block.level for block in headings), default=0)
    if document.pages or highest == 1:
        for block in headings:
            if block.level == highest and (own := meaningful(text[block.start : block.end])):
                return own
    return readable(name)
