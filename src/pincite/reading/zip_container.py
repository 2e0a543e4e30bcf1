"""Open ZIP containers safely, without decompression bombs, and parse their XML parts without entities."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile

from pincite.errors import Locked, TooLarge, Unreadable
from pincite.reading.limits import DocumentLimits, describe_attribute_limit

MAX_MEMBERS = 20_000
MAX_MARKUP = 200 * 2**20  # bytes of XML and HTML to parse, in total
MAX_MEMBER = 2**30
MAX_RATIO = 300  # deflate itself ends at 1032; ordinary sheets stay under 100
MAX_MARKS = 4_000_000  # tags and attributes of one part
SUSPICIOUS = 8 * 2**20
MARKUP = (".xml", ".rels", ".html", ".htm", ".xhtml", ".opf", ".ncx", ".vml")


def open_zip(path: Path, name: str) -> ZipFile:
    """Open the ZIP container at a path, if its declared sizes are harmless."""
    try:
        archive = ZipFile(path)
    except (BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise Unreadable(f"{name} is a damaged file.", "Open it in its own program and save it again.") from error
    try:
        _check_sizes(archive, name)
    except BaseException:
        archive.close()
        raise
    return archive


def is_open_document(archive: ZipFile) -> bool:
    """Return whether a container declares that it is an OpenDocument file."""
    if "mimetype" not in archive.namelist():
        return False
    with archive.open("mimetype") as member:
        return member.read(100).startswith(b"application/vnd.oasis.opendocument")


def _check_sizes(archive: ZipFile, name: str) -> None:
    members = archive.infolist()
    if any(member.flag_bits & 1 for member in members):
        raise Locked(f"{name} is protected by a password.", "Save a copy without the password.")
    markup = sum(member.file_size for member in members if member.filename.lower().endswith(MARKUP))
    swollen = any(
        member.file_size > SUSPICIOUS and member.file_size > MAX_RATIO * max(member.compress_size, 1)
        for member in members
    )
    if len(members) > MAX_MEMBERS or markup > MAX_MARKUP or swollen:
        raise TooLarge(f"{name} unpacks to far more than its size.", "Split it into smaller files.")
    if any(member.file_size > MAX_MEMBER for member in members):
        raise TooLarge(f"{name} holds a part of over 1 GB.", "Remove the largest pictures or videos.")


@dataclass(frozen=True, slots=True)
class XmlPart:
    """The root of an XML part (None if there is none), and the problems with it."""

    root: Any
    problems: tuple[str, ...] = ()


def parse_xml(data: bytes, *, recover: bool = False) -> Any:
    """Parse an XML part; entities are not expanded and nothing is fetched.

    With `recover`, return everything before the first error. A part with more tags and attributes than fit in memory is
    rejected.
    """
    from lxml import etree

    if _count_marks(data) > MAX_MARKS:
        raise TooLarge(f"A part of the file has over {MAX_MARKS:,} tags and attributes.", "Split the file.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, recover=recover)
    return etree.fromstring(data, parser)


def read_limited_part(archive: ZipFile, name: str, limits: DocumentLimits) -> XmlPart:
    """Parse a part up to the limit of tags and attributes; the rest is left out."""
    try:
        data = archive.read(name)
    except KeyError:
        return XmlPart(None)
    if _count_marks(data) <= limits.attributes:
        return XmlPart(parse_xml(data))
    place = 0
    for number, match in enumerate(re.finditer(b"[<=]", data), 1):
        place = match.start() if match[0] == b"<" else place
        if number > limits.attributes:
            break
    return XmlPart(parse_xml(data[:place], recover=True), (describe_attribute_limit(limits.attributes),))


def _count_marks(data: bytes) -> int:
    return data.count(b"<") + data.count(b"=")


def read_part(archive: ZipFile, name: str) -> Any:
    """Return the root of a part by name, or None if there is none."""
    try:
        return parse_xml(archive.read(name))
    except KeyError:
        return None


def resolve_name(base: str, target: str) -> str:
    """Return the name of the member that a reference in the member `base` points to."""
    path = unquote(target.partition("#")[0])
    if path.startswith("/"):
        return posixpath.normpath(path).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path))


def read_relationships(archive: ZipFile, name: str) -> Mapping[str, tuple[str, str]]:
    """Map the relationship ids of an office part to (last word of the type, member); external targets are left out."""
    folder, base = posixpath.split(name)
    root = read_part(archive, posixpath.join(folder, "_rels", base + ".rels"))
    if root is None:
        return {}
    return {
        str(each.get("Id", "")): (
            str(each.get("Type", "")).rpartition("/")[2],
            resolve_name(name, str(each.get("Target", ""))),
        )
        for each in root
        if each.get("TargetMode") != "External"
    }
