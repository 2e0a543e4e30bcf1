"""Serve the files of the built page: one HTML document for all its views, and files that never change."""

import mimetypes
import os.path
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response

BUILT = Path(__file__).parent / "page"
# The views of the page. All are the same document; it asks the API for what it shows.
VIEWS = (
    "/",
    "/c/{id}",
    "/d/{id}",
    "/library",
    "/conversations",
    "/notebooks",
    "/notebooks/{id}",
    "/settings",
    "/sign-in",
    "/join",
    "/reset",
    "/account",
    "/people",
    "/shared",
)
# Paths that programs call, and files. An unknown one is reported to a program, even one that accepts HTML.
_NO_VIEWS = ("/api/", "/ws", "/assets/", "/pdfjs/")
FILES = ("/icon.svg", "/assets/{name}", "/pdfjs/{kind}/{name}")
# Nothing comes from elsewhere and nothing runs but what was built. pdf.js decodes pictures in WebAssembly.
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A worker obeys the policy of its own file. A browser that looks names up before a click would send what a link's host
# is made of.
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Vary": "Accept-Encoding",
}
_WITH_ACCOUNTS = '<html data-accounts="team"'
_FOREVER = "public, max-age=31536000, immutable"  # a file's name changes with what is in it
_TYPES = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def is_built(folder: Path) -> bool:
    """Return whether there is a built page in this folder."""
    return (folder / "index.html").is_file()


def is_page_request(request: Request) -> bool:
    """Return whether a browser opens this address as a page, so that a person reads the response."""
    accepts_html = "text/html" in request.headers.get("accept", "")
    return accepts_html and request.method in ("GET", "HEAD") and not request.url.path.startswith(_NO_VIEWS)


def serve_document(folder: Path, request: Request, has_accounts: bool = False, status: int = 200) -> Response:
    """Return the HTML document of the page. Without a view at the address, the document itself says so."""
    headers = {"Cache-Control": "no-cache"}
    if has_accounts:
        marked = (folder / "index.html").read_text(encoding="utf-8").replace("<html", _WITH_ACCOUNTS, 1)
        return HTMLResponse(marked, status, headers={**_HEADERS, **headers})
    response = _serve_file(folder / "index.html", request, headers)
    response.status_code = status
    return response


def router(folder: Path, has_accounts: bool = False) -> APIRouter:
    """Return the routes of the page that was built into a folder.

    With accounts the document says so, and the page shows nothing before it knows who is signed in.
    """
    routes = APIRouter(include_in_schema=False)

    def view(request: Request) -> Response:
        return serve_document(folder, request, has_accounts)

    for path in VIEWS:
        routes.add_api_route(path, view, methods=["GET", "HEAD"], response_class=Response)

    @routes.api_route("/icon.svg", methods=["GET", "HEAD"])
    def icon(request: Request) -> Response:
        return _serve_file(folder / "icon.svg", request, {"Cache-Control": "no-cache"})

    @routes.api_route("/assets/{name}", methods=["GET", "HEAD"])
    def asset(name: str, request: Request) -> Response:
        return _serve_file(folder / "assets" / name, request, {"Cache-Control": _FOREVER})

    @routes.api_route("/pdfjs/{kind}/{name}", methods=["GET", "HEAD"])
    def decoder(kind: str, name: str, request: Request) -> Response:
        return _serve_file(folder / "pdfjs" / kind / name, request, {"Cache-Control": "no-cache"})

    return routes


def _serve_file(path: Path, request: Request, headers: dict[str, str]) -> Response:
    """Return a file of the page, compressed if it was built so and the browser accepts it."""
    # Not `Path.is_file`: before Python 3.14 a name that is too long for the disk is a fault there.
    if path.name.startswith(".") or ".." in path.parts or not os.path.isfile(path):
        raise HTTPException(404)
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = path.with_name(path.name + ".gz")
    if "gzip" in request.headers.get("accept-encoding", "") and packed.is_file():
        return FileResponse(packed, media_type=kind, headers={**_HEADERS, **headers, "Content-Encoding": "gzip"})
    return FileResponse(path, media_type=kind, headers={**_HEADERS, **headers})
