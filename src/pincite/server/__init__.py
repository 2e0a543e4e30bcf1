"""The HTTP door: `create_app` builds everything from the settings and passes it on."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from pincite import __version__
from pincite.errors import Forbidden, Misuse, NotFound, NotReady, PinciteError, TooLarge, Unreadable, WebError
from pincite.library import Library, open_library
from pincite.reading.finish import clean
from pincite.server import locating, pages
from pincite.settings import Settings
from pincite.store import documents, jobs

# The first that an error is one of; what is not here is the house's trouble, not the asker's.
_STATUSES: tuple[tuple[type[PinciteError], int], ...] = (
    (NotFound, 404),
    (NotReady, 409),
    (Misuse, 400),
    (TooLarge, 413),
    (Unreadable, 422),
    (Forbidden, 403),
    (WebError, 502),
    (PinciteError, 503),
)

# Errors from below speak to the terminal; what they advise, said to whoever asks over HTTP.
_ADVICE = (
    ("Give it with --password", "Send it as `password`"),
    ("`pincite documents` lists them.", "Check the id."),
    ("; `pincite worker` reads what waits", ""),
)


def create_app(settings: Settings) -> FastAPI:
    """The application over one library."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.library = open_library(settings)
        yield
        app.state.library.close()

    # The docs page that comes with FastAPI loads its scripts from outside; ours needs no network.
    app = FastAPI(title="Pincite", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    _answer_errors(app)
    app.include_router(locating.router(settings))

    @app.head("/", include_in_schema=False)
    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    def home(request: Request) -> str:
        """The page people see until the browser interface is here."""
        library: Library = request.app.state.library
        with library.database.reading() as connection:
            stored = documents.find(connection, settings.owner)
        return pages.home(len(stored), sum(document.pages for document in stored))

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def docs() -> str:
        return pages.docs(app.openapi())

    @app.head("/health", include_in_schema=False)
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok", "version": __version__}

    @app.get("/ready", tags=["operations"])
    def ready(request: Request) -> dict[str, str | int]:
        """The database answers; how much work waits."""
        library: Library = request.app.state.library
        with library.database.reading() as connection:
            return {"status": "ready", "waiting": jobs.pending(connection).total}

    return app


def _answer_errors(app: FastAPI) -> None:
    """Every error has one shape: a code, a message, a hint."""

    def answer(
        status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> JSONResponse:
        return JSONResponse({"error": {"code": code, "message": clean(message), "hint": hint}}, status, headers)

    @app.exception_handler(PinciteError)
    async def ours(_: Request, error: PinciteError) -> JSONResponse:
        status = next(status for kind, status in _STATUSES if isinstance(error, kind))
        hint = error.hint
        for terminal, here in _ADVICE:
            hint = hint.replace(terminal, here)
        return answer(status, error.code, error.message, hint)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        path, hint = request.url.path, "/docs lists the routes."
        if error.status_code == 404:
            return answer(404, "not_found", f"There is nothing at {path}.", hint)
        if error.status_code == 405:
            message = f"{path} does not answer to {request.method}."
            return answer(405, "method_not_allowed", message, hint, error.headers)
        return answer(error.status_code, "http", str(error.detail), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        told = [
            (".".join(str(part) for part in e["loc"]), e["msg"].removeprefix("Value error, ")) for e in error.errors()
        ]
        wrong = "; ".join(f"{where}: {what}" for where, what in told)
        return answer(422, "invalid", f"The request is not right: {wrong}.", "/docs says what it takes.")

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> JSONResponse:
        return answer(500, "fault", "The server met a fault of ours.", "Please report it with the server's log.")
