"""Judge a response by its headers before its body is read, and choose a file name for it."""

import re
from email.message import Message
from mimetypes import guess_extension
from pathlib import PurePosixPath

import httpx2

from pincite.errors import Unsupported
from pincite.text.file_names import shorten_file_name
from pincite.web.guard import normalise_host

HTML = frozenset(["text/html", "application/xhtml+xml"])
_LONGEST_NAME = 200
_UNKNOWN_MB = 20
# Types that carry no information. The content is recognised when it is read, unless it is too large to be a document.
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


def read_content_type(response: httpx2.Response) -> str:
    """Return the content type of a response without its parameters; "" if there is none."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def read_size(response: httpx2.Response) -> int | None:
    """Return the announced size of a response in bytes."""
    announced = response.headers.get("content-length", "")
    return int(announced) if announced.isdecimal() and len(announced) < 20 else None


def check_response(response: httpx2.Response) -> None:
    """Reject a response that cannot be a document, by its headers alone."""
    said, size = read_content_type(response), read_size(response) or 0
    if said.startswith(_MEDIA):
        kind, reason = ("a video", "video") if said.startswith("video/") else ("sound", "audio")
        raise Unsupported(f"At {response.url.host} is {kind}, not a page.", _WORDS, reason)
    if said in _FOREIGN or said.startswith(("font/", "model/")):
        raise Unsupported(f"{response.url.host} returned a file of the unsupported type {said}.", _PAGE)
    is_named = bool(_DOCUMENT.fullmatch(PurePosixPath(choose_file_name(response)).suffix))
    if said in _UNKNOWN and size > _UNKNOWN_MB * 1_000_000 and not is_named:
        raise Unsupported(f"{response.url.host} returned a large file of unknown type.", _PAGE)


def choose_file_name(response: httpx2.Response) -> str:
    """Return a file name from the headers or the address: a hint for the reader, never a path."""
    header = Message()
    header["Content-Disposition"] = response.headers.get("content-disposition", "")
    given = header.get_filename() or response.url.path
    name = PurePosixPath(given.replace("\\", "/")).name
    name = shorten_file_name(re.sub(r"[^\w .,()+=@&'~-]", "", name).strip(" ."), _LONGEST_NAME)
    if PurePosixPath(name).suffix:
        return name
    return (name or normalise_host(response.url)) + (guess_extension(read_content_type(response)) or "")
