"""The page people live in, served as it was built: one document for every room, and files that never change."""

import mimetypes
import os.path
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

BUILT = Path(__file__).parent / "page"
_ROUTES = ("/", "/c/{id}", "/d/{id}", "/library", "/conversations", "/settings")
# Nothing comes from elsewhere and nothing runs but what was built. pdf.js decodes pictures in WebAssembly.
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# A browser that looks names up before a click would send what a link's host is made of.
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-DNS-Prefetch-Control": "off",
    "Vary": "Accept-Encoding",
}
_FOREVER = "public, max-age=31536000, immutable"  # a file's name changes with what is in it
_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml"}


def is_built(folder: Path) -> bool:
    """Whether there is a page in this folder."""
    return (folder / "index.html").is_file()


def router(folder: Path) -> APIRouter:
    """The routes of the page that was built into a folder."""
    routes = APIRouter(include_in_schema=False)

    def room(request: Request) -> Response:
        return _serve_file(
            folder / "index.html", request, {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
        )

    for path in _ROUTES:
        routes.add_api_route(path, room, methods=["GET", "HEAD"], response_class=Response)

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
    """A file of the page, packed where it was built packed and the browser takes it so."""
    # Not `Path.is_file`: before Python 3.14 a name that is too long for the disk is a fault there.
    if path.name.startswith(".") or ".." in path.parts or not os.path.isfile(path):
        raise HTTPException(404)
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = path.with_name(path.name + ".gz")
    if "gzip" in request.headers.get("accept-encoding", "") and packed.is_file():
        return FileResponse(packed, media_type=kind, headers={**_HEADERS, **headers, "Content-Encoding": "gzip"})
    return FileResponse(path, media_type=kind, headers={**_HEADERS, **headers})
