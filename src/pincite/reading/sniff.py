"""Detect the kind of a file from its bytes; the name's extension only decides between kinds of text."""

import codecs
import re
from pathlib import Path, PurePath
from zipfile import BadZipFile, ZipFile

from pincite.errors import Empty, Locked, Unreadable, Unsupported
from pincite.reading.encoding import decode_text, detect_utf16
from pincite.reading.file_signatures import identify_foreign, is_image
from pincite.types import Kind

HEAD = 65536
_CODE_ENDINGS = """
    asm bash bat c cc cfg clj cljs cmake cmd conf cpp cs css cu cxx dart diff dockerfile elm env erl
    ex exs f90 fish fs go gradle graphql groovy h hh hpp hrl hs hxx ini java jl js json5 jsx kt kts
    less lisp lua m mjs cjs mk ml mli mm nim nix pas patch php pl pm properties proto ps1 py pyi pyx r
    rb rs rkt sass scala scm scss sh sol sql svelte svg swift tcl tf toml ts tsx v vb vhd vhdl vue wat
    xml xsd xsl xslt yaml yml zig zsh
"""
CODE = frozenset(_CODE_ENDINGS.split())
CODE_NAMES = frozenset(
    {"makefile", "dockerfile", "cmakelists.txt", "rakefile", "gemfile", "jenkinsfile", "vagrantfile"}
)
MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"})
TABLES = frozenset({"csv", "tsv", "tab"})
JSON = frozenset({"json", "jsonl", "ndjson", "geojson", "jsonld", "ipynb"})
_BINARY_ENDINGS = frozenset(
    {".pdf", ".docx", ".docm", ".odt", ".rtf", ".pptx", ".pptm", ".odp", ".xlsx", ".xlsm", ".ods", ".epub"}
)
PAGES = frozenset({"html", "htm", "xhtml", "shtml"})

_BEFORE_HTML = re.compile(r"(?:\s+|<\?xml[^>]*\?>|<!--.*?-->)*", re.DOTALL)
_HTML = re.compile(r"<!doctype\s+html|<(?:html|head|body|title|meta)[\s>]", re.IGNORECASE)
_FRAGMENT = re.compile(r"<(?:div|p|h[1-6]|table|article|section|main|ul|ol|span|a|center|font)[\s>]", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HEADER = re.compile(r"([!-9;-~]+):")
_MAIL_FIELDS = """
    from to cc subject date received return-path message-id mime-version delivered-to content-type
    reply-to sender
"""
_MAIL = frozenset(_MAIL_FIELDS.split())
_MACHINE_MADE = frozenset(["received", "return-path", "message-id", "mime-version", "delivered-to", "content-type"])
_JSON_TOKEN = re.compile(
    r'\s+|[\[\]{},:]|"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null', re.DOTALL
)
_JSON_START = re.compile(r'\s*(?:\{\s*["}]|\[\s*(?:["\[\]{\d-]|true|false|null))')


_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"
_OPEN_KINDS: dict[bytes, Kind] = {b".text": "odt", b".spreadsheet": "xlsx", b".presentation": "pptx"}
_CELLS = re.compile(r'"(?:cells|worksheets)"\s*:\s*\[')
_NOTEBOOK_FORMAT = re.compile(r'"nbformat"\s*:\s*\d')


def sniff(path: Path, name: str) -> Kind:
    """Return the kind of the file at a path.

    Raise `Unsupported`, which names its actual kind, or `Unreadable` where it is not what its name says.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head in (b"", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise Empty(f"{name} is empty.", "Check that it was copied or downloaded completely.")
    if _is_pdf(head):
        return "pdf"
    if is_image(head):
        return "image"
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rtf"):
        return "rtf"
    if head.startswith(b"PK\x03\x04"):
        return _identify_zip(path, name)
    if known := identify_foreign(path, head):
        if known.encrypted:
            raise Locked(f"{name} is protected by a password.", "Save a copy without the password.")
        raise Unsupported(f"{name} is {known.name}, which is not supported.", known.hint)
    if not is_text(head):
        if (ending := PurePath(name).suffix.lower()) in _BINARY_ENDINGS:
            raise Unreadable(
                f"{name} is damaged, or is no {ending[1:].upper()} file.",
                "Download or copy it again, or open it in its own program and save it again.",
            )
        raise Unsupported(f"{name} is a binary file of an unknown kind.", "Save it as PDF, DOCX, HTML or text.")
    return _identify_text(decode_text(head), name, whole=len(head) < HEAD)


def is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file are plausibly text in some encoding."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or detect_utf16(head):
        text = decode_text(head)
        odd = sum(1 for char in text if (char < " " and char not in "\t\n\r\f") or char in "\ufffd\ufffe\uffff")
        return odd <= 0.02 * len(text) + 1 and bool(text)
    controls = sum(head.count(code) for code in (*range(9), 11, *range(14, 27), *range(28, 32), 127))
    if head.count(0) > 0.001 * len(head) or controls > 0.005 * len(head) + (len(head) > 100):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the head may end inside a character
    except UnicodeDecodeError as error:
        # Eight-bit text is mostly letters; compressed or numeric data is not.
        return error.start > 1000 or sum(1 for byte in head if 32 <= byte < 127 or byte >= 160) > 0.85 * len(head)
    return True


def _is_pdf(head: bytes) -> bool:
    at = head.find(b"%PDF-", 0, 1029)
    # A quote before the mark indicates source code that mentions PDFs.
    return at == 0 or (at > 0 and head[at + 5 : at + 6].isdigit() and head[at - 1 : at] not in (b'"', b"'", b"`", b"/"))


def _identify_zip(path: Path, name: str) -> Kind:
    try:
        with ZipFile(path) as archive:
            names = set(archive.namelist())
            types = archive.open("[Content_Types].xml").read(2**20) if "[Content_Types].xml" in names else b""
            mimetype = archive.open("mimetype").read(100).strip() if "mimetype" in names else b""
    except (BadZipFile, KeyError, NotImplementedError, RuntimeError, ValueError, OSError, EOFError) as error:
        raise Unreadable(f"{name} is a damaged ZIP file.", "Open it in its own program and save it again.") from error
    if b"ms-excel.sheet.binary" in types:
        raise Unsupported(f"{name} is a binary Excel workbook, which is not supported.", "Save it as .xlsx.")
    found: list[tuple[bool, Kind]] = [
        (
            b"wordprocessingml" in types or b"ms-word.document" in types or "word/document.xml" in names,
            "docx",
        ),
        (b"presentationml" in types or b"ms-powerpoint" in types or "ppt/presentation.xml" in names, "pptx"),
        (b"spreadsheetml" in types or b"ms-excel" in types or "xl/workbook.xml" in names, "xlsx"),
        (mimetype == b"application/epub+zip" or "META-INF/container.xml" in names, "epub"),
    ]
    if mimetype.startswith(_OPEN_DOCUMENT):
        for word, open_kind in _OPEN_KINDS.items():
            if mimetype.startswith(_OPEN_DOCUMENT + word):
                return open_kind
        raise Unsupported(f"{name} is an OpenDocument drawing or formula.", "Save it as .odt, .ods, .odp or PDF.")
    # A presentation or workbook may be embedded: if the types name several, the container's own folder decides.
    kinds = [kind for yes, kind in found if yes]
    folders = {"docx": "word/", "pptx": "ppt/", "xlsx": "xl/", "epub": "META-INF/"}
    for kind in kinds:
        if any(member.startswith(folders[kind]) for member in names):
            return kind
    if kinds:
        return kinds[0]
    raise Unsupported(f"{name} is a ZIP archive, which is not supported.", "Unpack it and add the folder.")


def _identify_text(text: str, name: str, *, whole: bool) -> Kind:
    text = text.removeprefix("\ufeff")
    base = PurePath(name.lower()).name
    ending = base.rpartition(".")[2] if "." in base else ""
    opening = _BEFORE_HTML.match(text)
    after = text[opening.end() if opening else 0 :]
    if _HTML.match(after) or (ending in PAGES and _ANY_TAG.search(text)):
        return "html"
    if _is_mail(text, strict=ending in {"txt", "text", "log"} | MARKDOWN | CODE):
        return "email"
    if ending not in CODE | MARKDOWN | TABLES:
        if is_json(text, whole=whole):
            return "notebook" if _is_notebook(text) else "json"
        if ending in JSON:
            return "code"  # JSON with comments, or broken JSON: its lines are still readable
    if ending in MARKDOWN:
        return "markdown"
    if ending in TABLES:
        return "csv"
    if ending in CODE or base in CODE_NAMES or text.startswith("#!"):
        return "code"
    if ending not in {"txt", "text", "rst", "tex", "log"}:
        if text.lstrip().startswith("<?xml"):
            return "code"
        if _FRAGMENT.match(after):
            return "html"
    return "text"


def _is_notebook(text: str) -> bool:
    """Return whether JSON is a notebook: it has a list of cells, or names the format."""
    cells = _CELLS.search(text)
    return bool(cells and '"cell_type"' in text[cells.end() :]) or _NOTEBOOK_FORMAT.search(text) is not None


def _is_mail(text: str, *, strict: bool) -> bool:
    lines = text[:20_000].lstrip("\n").splitlines()
    if lines and lines[0].startswith("From "):
        lines = lines[1:]
    fields: list[str] = []
    for line in lines:
        if not line.strip():
            break
        if line[0] in " \t" and fields:
            continue
        header = _HEADER.match(line)
        if not header:
            return False
        fields.append(header[1].lower())
    known = {field for field in fields if field in _MAIL}
    return (
        len(known) >= 2
        and bool(known & {"from", "received", "return-path"})
        and bool(not strict or known & _MACHINE_MADE)
    )


def is_json(text: str, *, whole: bool = True) -> bool:
    """Return whether the text, or the beginning of a longer one, is an object or array (or lines of them)."""
    if not _JSON_START.match(text):
        return False
    position, depth, values = 0, 0, 0
    while position < len(text):
        token = _JSON_TOKEN.match(text, position)
        if not token:
            return not whole and (text[position] == '"' or len(text) - position < 30)
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
            values += depth == 0
        elif depth == 0 and not token[0].isspace():
            return False
        if depth < 0:
            return False
        position = token.end()
    return depth == 0 or not whole
