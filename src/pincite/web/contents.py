"""What a server says it sends, judged before its body is read; and the name it goes by."""

import re
from email.message import Message
from mimetypes import guess_extension
from pathlib import PurePosixPath

import httpx2

from pincite.errors import Unsupported
from pincite.web.guard import host_of

HTML = frozenset(["text/html", "application/xhtml+xml"])
_LONGEST_NAME = 200
_UNKNOWN_MB = 20
# Types that say nothing: what is in them shows when it is read, unless it is so large that it is no document.
_UNKNOWN = frozenset(["application/octet-stream", "binary/octet-stream", "application/x-download", "application/zip"])
_MEDIA = ("video/", "audio/")
_FOREIGN_TYPES = """
    application/java-archive application/vnd.android.package-archive application/vnd.debian.binary-package
    application/wasm application/x-apple-diskimage application/x-bittorrent application/x-bzip2 application/x-executable
    application/x-iso9660-image application/x-mach-binary application/x-msdownload application/x-msi
    application/x-rar-compressed application/x-rpm application/x-shockwave-flash application/x-tar application/gzip
    application/x-7z-compressed application/x-gzip application/vnd.apple.mpegurl application/dash+xml
    application/x-mpegurl multipart/x-mixed-replace text/event-stream
"""
_FOREIGN = frozenset(_FOREIGN_TYPES.split())
_DOCUMENT = re.compile(
    r"\.(?:pdf|docx|pptx|xlsx|odt|rtf|ipynb|epub|html?|md|txt|csv|json|eml|png|jpe?g|tiff?|webp)", re.IGNORECASE
)

_WORDS = "Give the address of a page about it, or of its transcript."
_PAGE = "Give the address of a page or of a document."


def type_of(response: httpx2.Response) -> str:
    """What a response is said to be, without what follows the type; "" when nothing is said."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def size_of(response: httpx2.Response) -> int | None:
    """How many bytes a response says it has."""
    announced = response.headers.get("content-length", "")
    return int(announced) if announced.isdecimal() and len(announced) < 20 else None


def check(response: httpx2.Response) -> None:
    """Refuse what can be no document, while nothing but its headers has come."""
    said, size = type_of(response), size_of(response) or 0
    if said.startswith(_MEDIA):
        kind = "a video" if said.startswith("video/") else "sound"
        raise Unsupported(f"At {response.url.host} is {kind}, not a page.", _WORDS)
    if said in _FOREIGN or said.startswith(("font/", "model/")):
        raise Unsupported(f"At {response.url.host} is a file of the type {said}, which is not read.", _PAGE)
    is_named = bool(_DOCUMENT.fullmatch(PurePosixPath(name_of(response)).suffix))
    if said in _UNKNOWN and size > _UNKNOWN_MB * 1_000_000 and not is_named:
        raise Unsupported(f"At {response.url.host} is a large file that does not say what it is.", _PAGE)


def name_of(response: httpx2.Response) -> str:
    """A name for what came, as the server or its address gives it: a hint to whoever reads it, never a path."""
    header = Message()
    header["Content-Disposition"] = response.headers.get("content-disposition", "")
    given = header.get_filename() or response.url.path
    name = PurePosixPath(given.replace("\\", "/")).name
    name = re.sub(r"[^\w .,()+=@&'~-]", "", name).strip(" .")[-_LONGEST_NAME:]
    if PurePosixPath(name).suffix:
        return name
    return (name or host_of(response.url)) + (guess_extension(type_of(response)) or "")
