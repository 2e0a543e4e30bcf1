"""Extract the words of a file directly from its bytes, in the simplest way for each format, without our readers."""

import email
import email.policy
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from pincite.reading import encoding, html_blocks
from pincite.reading.html import decode_page
from pincite.reading.line_end_hyphens import resolve_hyphens

Words = Counter[str]

_WORD = re.compile(r"\w+")
_BROKEN_WORD = re.compile("[\u00ad\u0002\ufffe]\\s*")  # characters for a hyphen that only ends a line
_RTF_TOKEN = re.compile(r"\\'([0-9a-f]{2})|\\u(-?\d+) ?\??|\\([a-z]+)(-?\d*) ?|\\([^a-z])|([{}])|([^\\{}\r\n]+)", re.I)
_RTF_UNSEEN = frozenset(
    ["fonttbl", "colortbl", "stylesheet", "info", "pict", "themedata", "datastore", "latentstyles", "listtable"]
)
# Elements with the menus, credits and forms around an article.
_AROUND = frozenset(["nav", "header", "footer", "aside", "form", "button"])
_AROUND_ROLES = frozenset(["navigation", "banner", "contentinfo", "complementary", "search"])


def count_words(text: str) -> Words:
    """Count the words of a text, ignoring case and the encoding of letters."""
    whole = unicodedata.normalize("NFKC", _BROKEN_WORD.sub("", text))
    return Counter(_WORD.findall(whole.casefold()))


def read_raw_text(path: Path) -> str:
    """Return the visible text of a file, or raise KeyError for a format that is not measured."""
    return TEXTS[path.suffix.lower()](path)


def read_article_text(path: Path) -> str:
    """Return the text of an HTML page outside its menus, headers, footers, asides and forms."""
    return _join_visible(html_blocks.parse_html(decode_page(path.read_bytes())), without=_AROUND)


def _read_html(path: Path) -> str:
    return _join_visible(html_blocks.parse_html(decode_page(path.read_bytes())))


def _join_visible(root: Any, without: frozenset[str] = frozenset()) -> str:
    """Join the text nodes under the body that a browser shows; elements that begin a line separate words."""

    def is_left_out(element: Any) -> bool:
        return html_blocks.is_unseen(element) or element.tag in without or bool(without and _is_around(element))

    body = root.find("body") if root is not None else None
    return "" if body is None else "".join(_list_texts(body, html_blocks.is_breaking, is_left_out))


def _is_around(element: Any) -> bool:
    return str(element.get("role") or "") in _AROUND_ROLES


def _list_texts(root: Any, parts: Callable[[Any], bool], is_left_out: Callable[[Any], bool]) -> Iterator[str]:
    from lxml import etree

    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        gap = " " if parts(element) else ""
        if event == "end":
            yield gap + ((element.tail or "") if element is not root else "")
        elif is_left_out(element):
            walk.skip_subtree()
        else:
            yield gap + (element.text or "")


def _read_pdf(path: Path) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return "\n".join(document[page].get_textpage().get_text_range() for page in range(len(document)))
    finally:
        document.close()


def _make_office_reader(parts: str, text: str, ends: tuple[str, ...]) -> Callable[[Path], str]:
    """Make a function that joins the text elements of an archive's XML parts whose names match a pattern."""

    def join(path: Path) -> str:
        found: list[str] = []
        for root in _parse_xml_parts(path, parts):
            for element in root.iter():
                name = _find_local_name(element)
                if name == text:
                    found.append(element.text or "")
                elif name in ends:
                    found.append(" ")
            found.append(" ")
        return "".join(found)

    return join


def _read_sheets(path: Path) -> str:
    """Join the text of a workbook's cells: shared strings as often as they are used, and inline strings."""
    shared = [
        "".join(element.text or "" for element in item.iter() if _find_local_name(element) == "t")
        for root in _parse_xml_parts(path, r"xl/sharedStrings\.xml")
        for item in root
    ]
    found: list[str] = []
    for root in _parse_xml_parts(path, r"xl/worksheets/[^/]+\.xml"):
        for cell in (element for element in root.iter() if _find_local_name(element) == "c"):
            values = [element.text or "" for element in cell.iter() if _find_local_name(element) in ("v", "t")]
            is_shared = cell.get("t") == "s" and values and values[0].isdigit()
            found.append(shared[int(values[0])] if is_shared else " ".join(values) if cell.get("t") else "")
    return " ".join(found)


def _read_open_document(path: Path) -> str:
    """Join an OpenDocument's text, in which all elements but spans and links separate words."""

    def parts(element: Any) -> bool:
        return _find_local_name(element) not in ("span", "a")

    bodies = (body for root in _parse_xml_parts(path, r"content\.xml") for body in root.iter("{*}body"))
    return " ".join("".join(_list_texts(body, parts, lambda element: not _find_local_name(element))) for body in bodies)


def _read_epub(path: Path) -> str:
    with ZipFile(path) as book:
        contents = {
            name
            for package in _parse_xml_parts(path, r".*\.opf")
            for item in package.iter("{*}item")
            if "nav" in str(item.get("properties", "")).split()
            for name in book.namelist()
            if name.endswith(str(item.get("href")))
        }
        pages = [
            name for name in book.namelist() if name.endswith((".xhtml", ".html", ".htm")) and name not in contents
        ]
        return " ".join(_join_visible(html_blocks.parse_html(decode_page(book.read(name)))) for name in pages)


def _parse_xml_parts(path: Path, pattern: str) -> Iterator[Any]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    with ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if re.fullmatch(pattern, name):
                yield etree.fromstring(archive.read(name), parser)


def _find_local_name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _read_plain(path: Path) -> str:
    return encoding.read_text(path)


def _read_text(path: Path) -> str:
    """Return the text of a file, in which the halves of a word that a line end divides are no words."""
    return resolve_hyphens(encoding.read_text(path), least=1)


def _read_notebook(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8")).get("cells", [])
    return "\n".join("".join(cell.get("source", "")) for cell in cells)


def _read_mail(path: Path) -> str:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    body = message.get_body(("plain", "html"))
    text = str(body.get_content()) if body is not None else ""
    is_html = body is not None and body.get_content_subtype() == "html"
    return _join_visible(html_blocks.parse_html(text)) if is_html else text


def _read_rtf(path: Path) -> str:
    """Join the text of an RTF file, without its groups of fonts, colours, styles and pictures."""
    found: list[str] = []
    hidden: list[bool] = [False]
    for token in _RTF_TOKEN.finditer(path.read_text(encoding="latin-1")):
        byte, code, word, _, sign, brace, text = token.groups()
        if brace == "{":
            hidden.append(hidden[-1])
        elif brace and len(hidden) > 1:
            hidden.pop()
        elif (word and word.lower() in _RTF_UNSEEN) or sign == "*":
            hidden[-1] = True
        elif not hidden[-1]:
            found.append(_decode_rtf_token(byte, code, word, text))
    return "".join(found)


def _decode_rtf_token(byte: str | None, code: str | None, word: str | None, text: str | None) -> str:
    if byte:
        return bytes.fromhex(byte).decode("cp1252", "replace")
    if code:
        return chr(int(code) % 65536)
    if word:
        return " " if word in ("par", "line", "tab", "cell", "row", "page") else ""
    return text or ""


TEXTS: dict[str, Callable[[Path], str]] = {
    ".html": _read_html,
    ".htm": _read_html,
    ".xhtml": _read_html,
    ".pdf": _read_pdf,
    ".docx": _make_office_reader(r"word/(document|footnotes|endnotes)\.xml", "t", ("p", "tab", "br")),
    ".pptx": _make_office_reader(r"ppt/(slides|notesSlides)/[^/]+\.xml", "t", ("p", "br")),
    ".xlsx": _read_sheets,
    ".odt": _read_open_document,
    ".ods": _read_open_document,
    ".odp": _read_open_document,
    ".epub": _read_epub,
    ".eml": _read_mail,
    ".rtf": _read_rtf,
    ".ipynb": _read_notebook,
    ".txt": _read_text,
    ".md": _read_plain,
    ".csv": _read_plain,
    ".tsv": _read_plain,
    ".py": _read_plain,
}
