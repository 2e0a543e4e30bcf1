"""Read EPUB books: the chapters of the spine in order, with the headings of the table of contents."""

import re
from typing import Any
from zipfile import ZipFile

from pincite.errors import Locked, Unreadable
from pincite.reading import html_blocks, zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.epub_contents import ContentsEntry, apply_contents, read_contents
from pincite.reading.html import decode_page
from pincite.reading.source import Source
from pincite.types import Document

_DC = "{http://purl.org/dc/elements/1.1/}"
_FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read(source: Source) -> Document:
    """Read a book; a chapter that cannot be read is left out and reported."""
    with zip_container.open_zip(source.path, source.name) as book:
        _refuse_locked(book, source.name)
        package_name = _find_package_name(book)
        package = zip_container.read_part(book, package_name) if package_name else None
        if package is None:
            raise Unreadable(f"{source.name} is an EPUB without a list of its parts.", "Convert or download it again.")
        draft = Draft(source.limits)
        chapters = _list_chapters(package, package_name)
        contents = read_contents(book, package, package_name)
        deepest = max((entry.level for entry in contents), default=0)
        entries: dict[str, list[ContentsEntry]] = {}
        for entry in contents:
            entries.setdefault(entry.member, []).append(entry)
        for number, chapter in enumerate(chapters, 1):
            source.progress(number, len(chapters))
            try:
                parsed = html_blocks.parse_limited_html(decode_page(book.read(chapter)), source.limits)
            except (KeyError, OSError, ValueError) as error:
                draft.problem(f"Chapter {number} ({chapter}) cannot be read: {type(error).__name__}.")
                continue
            root = parsed.root
            for problem in parsed.problems:
                draft.problem(f"Chapter {number} ({chapter}): {problem}")
            if root is not None:
                body = root.find("body")
                body = root if body is None else body
                if contents:
                    apply_contents(body, entries.get(chapter, []), deepest)
                html_blocks.write_blocks(body, draft)
        about = _read_properties(package)
    return draft.document("epub", about.pop("title", ""), about)


def _refuse_locked(book: ZipFile, name: str) -> None:
    data = book.read("META-INF/encryption.xml") if "META-INF/encryption.xml" in book.namelist() else b""
    root = zip_container.parse_xml(data, recover=True) if data else None
    for element in () if root is None else root.iter("*"):
        # A prefix that the file does not declare is left in the name.
        is_method = re.split("[}:]", element.tag)[-1] == "EncryptionMethod"
        if is_method and element.get("Algorithm", _FONTS_ONLY[0]) not in _FONTS_ONLY:
            raise Locked(f"{name} is protected against copying (DRM).", "Only books without DRM can be read.")


def _find_package_name(book: ZipFile) -> str:
    container = zip_container.read_part(book, "META-INF/container.xml")
    if container is not None:
        for element in container.iter("{*}rootfile"):
            return zip_container.resolve_name("", str(element.get("full-path", "")))
    return next((name for name in book.namelist() if name.endswith(".opf")), "")


def _list_chapters(package: Any, package_name: str) -> list[str]:
    items = {
        str(item.get("id")): zip_container.resolve_name(package_name, str(item.get("href", "")))
        for item in package.iter("{*}item")
        if "html" in str(item.get("media-type", "")) and "nav" not in str(item.get("properties", "")).split()
    }
    spine = [items[ref] for itemref in package.iter("{*}itemref") if (ref := str(itemref.get("idref"))) in items]
    return list(dict.fromkeys(spine or items.values()))


def _read_properties(package: Any) -> dict[str, str]:
    def first(name: str) -> str:
        return next(("".join(element.itertext()).strip() for element in package.iter(_DC + name)), "")

    day = re.match(r"\d{4}-\d{2}-\d{2}", first("date"))
    creators = ["".join(element.itertext()).strip() for element in package.iter(_DC + "creator")]
    fields = {
        "title": first("title"),
        "author": ", ".join(filter(None, creators)),
        "date": day[0] if day else "",
        "publisher": first("publisher"),
        "identifier": first("identifier"),
    }
    return {key: value for key, value in fields.items() if value}
