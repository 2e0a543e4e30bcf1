"""Send the original file of a document, whole or in ranges, so that no script in it can run."""

import re
from mimetypes import guess_type
from typing import Any

from starlette.responses import Response

from pincite.library import Library
from pincite.server.stored_file_response import RangeFileResponse, StoredFileResponse
from pincite.store.documents import StoredDocument
from pincite.store.files import FolderFiles, make_missing_error
from pincite.types import Kind

_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
_TYPES: dict[Kind, str] = {
    "pdf": "application/pdf",
    "docx": f"{_OFFICE}.wordprocessingml.document",
    "pptx": f"{_OFFICE}.presentationml.presentation",
    "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    "html": "text/html",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
    "epub": "application/epub+zip",
    "email": "message/rfc822",
    "rtf": "application/rtf",
    "odt": f"{_OPEN}.text",
    "notebook": "application/x-ipynb+json",
}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/tiff", "image/bmp")
# A stored web page gets its own origin; it can neither run scripts nor load anything.
_SANDBOX = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action 'none'"
)
# Browsers do not display a PDF in a sandbox; the PDF viewer itself isolates scripts. Pictures have none.
_UNFRAMED = "frame-ancestors 'none'"


def make_file_response(library: Library, stored: StoredDocument, known: str | None = None) -> Response:
    """Return a document's file for display in the browser, or 304 if the client has it already (`known` is its tag)."""
    kind = _choose_type(stored)
    tag = f'"{stored.sha256}-{stored.kind}"'
    policy = _UNFRAMED if stored.kind in ("pdf", "image") else _SANDBOX
    # The next person in this browser asks again: `Vary` ends what the browser keeps with its cookie.
    headers = {"Cache-Control": "private, no-cache", "Content-Security-Policy": policy, "ETag": tag, "Vary": "Cookie"}
    if known == tag:
        return Response(status_code=304, headers=headers)
    given: dict[str, Any] = {
        "media_type": kind,
        "filename": stored.name,
        "headers": headers,
        "content_disposition_type": "inline",
    }
    files = library.files
    if not isinstance(files, FolderFiles):
        return StoredFileResponse(files, stored, **given)
    if not files.has(stored.sha256):
        raise make_missing_error()
    return RangeFileResponse(files.path(stored.sha256), **given)


def _choose_type(stored: StoredDocument) -> str:
    if stored.kind == "image":
        guessed = guess_type(stored.name)[0] or ""
        return guessed if guessed in _PICTURES else "application/octet-stream"
    if stored.name.lower().endswith((".ods", ".odp")) and stored.kind in ("xlsx", "pptx"):
        return f"{_OPEN}.{'spreadsheet' if stored.kind == 'xlsx' else 'presentation'}"
    # Unread files, text and code are sent as plain text.
    return _TYPES.get(stored.kind, "text/plain")


def make_export_response(content: str | bytes, media_type: str, name: str) -> Response:
    """Return an exported file to save under a name. Nothing in it may run, and nothing is loaded by it."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    }
    return Response(content, media_type=media_type, headers=headers)


def make_file_name(title: str, otherwise: str) -> str:
    """Return a title as a file name that is valid on every system."""
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or otherwise
