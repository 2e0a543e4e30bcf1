"""Every error over HTTP has one shape and the right status: a code, a message, a hint."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match

from pincite.errors import (
    Answering,
    DiskFull,
    Forbidden,
    Measuring,
    Misuse,
    ModelError,
    NotFound,
    NotReady,
    PinciteError,
    Settled,
    Taken,
    TooLarge,
    Unavailable,
    Unreadable,
    WebError,
    is_full_disk,
)
from pincite.reading.finish import clean

# The first that an error is one of; what is not here is the house's trouble, not the asker's.
_STATUSES: tuple[tuple[type[PinciteError], int], ...] = (
    (NotFound, 404),
    (NotReady, 409),
    (Taken, 409),
    (Settled, 409),
    (Answering, 409),
    (Measuring, 409),
    (Misuse, 400),
    (TooLarge, 413),
    (Unreadable, 422),
    (Forbidden, 403),
    (Unavailable, 501),
    (WebError, 502),
    (ModelError, 400),  # one that is named and cannot be had; one that fails says so in its answer
    (PinciteError, 503),
)

_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")

# Errors from below speak to the terminal; what they advise, said to whoever asks over HTTP.
_ADVICE = (
    ("Give it with --password", "Send it as `password`"),
    ("`pincite documents` lists them.", "Check the id."),
    ("; `pincite worker` reads what waits", ""),
)


class Trouble(BaseModel):
    """What went wrong: a word for programs, a sentence for people, and what to do next."""

    code: str
    message: str
    hint: str


class Problem(BaseModel):
    """The one shape of every error."""

    error: Trouble


RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "The request cannot be done; the message says why."},
    "5XX": {"model": Problem, "description": "The server cannot do it; the message says why."},
}


def problem(
    status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An error as it is sent."""
    return JSONResponse({"error": {"code": code, "message": clean(message), "hint": clean(hint)}}, status, headers)


def _methods(request: Request) -> list[str]:
    """What a path answers to, whichever route it is that does."""
    routes: list[BaseRoute] = request.app.routes

    def answers(method: str) -> bool:
        return any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)

    return [method for method in _METHODS if answers(method)]


def _wrong(error: Mapping[str, Any]) -> str:
    """What is wrong with one field."""
    if error["type"] in ("string_too_short", "too_short") and not error.get("input", True):
        return "it is empty"
    return str(error["msg"]).removeprefix("Value error, ")


def answer_errors(app: FastAPI) -> None:
    """Give every error that leaves a route its shape."""

    @app.exception_handler(PinciteError)
    async def ours(_: Request, error: PinciteError) -> JSONResponse:
        status = next(status for kind, status in _STATUSES if isinstance(error, kind))
        hint = error.hint
        for terminal, here in _ADVICE:
            hint = hint.replace(terminal, here)
        return problem(status, error.code, error.message, hint)

    @app.exception_handler(OSError)
    async def full(request: Request, error: OSError) -> JSONResponse:
        if not is_full_disk(error):
            raise error
        return await ours(request, DiskFull())

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        path, hint = request.url.path, "/docs lists the routes."
        if error.status_code == 404:
            return problem(404, "not_found", f"There is nothing at {path}.", hint)
        if error.status_code == 405:
            message = f"{path} does not answer to {request.method}."
            return problem(405, "method_not_allowed", message, hint, {"Allow": ", ".join(_methods(request))})
        if error.status_code == 413:
            return problem(413, TooLarge.code, str(error.detail), "Send less.")
        return problem(error.status_code, "http", str(error.detail), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        wrong = "; ".join(f"{'.'.join(str(part) for part in e['loc'])}: {_wrong(e)}" for e in error.errors())
        return problem(422, "invalid", f"The request is not right: {wrong}.", "/docs says what it takes.")

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> JSONResponse:
        return problem(500, "fault", "The server met a fault of ours.", "Please report it with the server's log.")
