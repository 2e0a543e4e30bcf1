"""A document's own file over HTTP: whole or in ranges, and never as something that runs."""

from mimetypes import guess_type

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, MalformedRangeHeader, RangeNotSatisfiable, Response

from pincite.errors import NotFound
from pincite.library import Library
from pincite.store.documents import StoredDocument
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
# A page of a stranger's has an origin of its own, runs nothing and loads nothing.
_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class _Ranged(FileResponse):
    """A file whose wrong ranges are answered like every other error."""

    @classmethod
    def _parse_range_header(cls, http_range: str, file_size: int) -> list[tuple[int, int]]:
        try:
            return super()._parse_range_header(http_range, file_size)
        except MalformedRangeHeader:
            return []  # one that cannot be understood is as if it were not there
        except RangeNotSatisfiable:
            size = {"Content-Range": f"bytes */{file_size}"}
            raise HTTPException(416, f"The file has {file_size} bytes; there are none in this range.", size) from None


def file_of(library: Library, stored: StoredDocument, known: str | None = None) -> Response:
    """A document's file, to be shown in place; nothing when the client knows it already by its tag."""
    path = library.file(stored)
    if not path.is_file():
        raise NotFound("The file of this document is not there.", "Add it again.")
    kind = _type(stored)
    tag = f'"{stored.sha256}-{stored.kind}"'
    if known == tag:
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache", "ETag": tag}
    if stored.kind not in ("pdf", "image"):
        # Browsers do not show a PDF in a sandbox; it runs nothing outside its viewer.
        headers["Content-Security-Policy"] = _SANDBOX
    return _Ranged(path, media_type=kind, filename=stored.name, headers=headers, content_disposition_type="inline")


def _type(stored: StoredDocument) -> str:
    if stored.kind == "image":
        guessed = guess_type(stored.name)[0] or ""
        return guessed if guessed in _PICTURES else "application/octet-stream"
    if stored.name.lower().endswith((".ods", ".odp")) and stored.kind in ("xlsx", "pptx"):
        return f"{_OPEN}.{'spreadsheet' if stored.kind == 'xlsx' else 'presentation'}"
    # What is not read yet, text and code: as text, whatever is in it.
    return _TYPES.get(stored.kind, "text/plain")
