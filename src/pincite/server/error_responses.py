"""Turn errors into HTTP responses with one form: a status, a code, a message and a hint."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match

from pincite.accounts.rate_limits import make_refusal_headers
from pincite.errors import (
    PASSWORD_NEEDED,
    PASSWORD_WRONG,
    Answering,
    DatabaseAway,
    Denied,
    DiskFull,
    Encrypted,
    FilesAway,
    Forbidden,
    IssuerError,
    Measuring,
    Misuse,
    ModelError,
    Moved,
    NotFound,
    NotReady,
    NotSignedIn,
    Params,
    PinciteError,
    QueueFull,
    QuotaReached,
    RateLimited,
    Settled,
    Taken,
    TooLarge,
    TooManyAttempts,
    Unavailable,
    Unreadable,
    WebError,
    is_full_disk,
)
from pincite.events.stream import ErrorParams, ErrorReason
from pincite.projects.change_set import EditRefused
from pincite.server.route_access import ROUTE_ACCESS
from pincite.server.ui_files import is_page_request
from pincite.telemetry.metrics import ERRORS
from pincite.text.storable import clean_text

# The status of the first class that matches. Other errors are the server's fault, not the client's.
_STATUSES: tuple[tuple[type[PinciteError], int], ...] = (
    (NotFound, 404),
    (EditRefused, 409),
    (NotReady, 409),
    (Taken, 409),
    (Settled, 409),
    (Answering, 409),
    (Measuring, 409),
    (NotSignedIn, 401),
    (Denied, 403),
    (TooManyAttempts, 429),
    (RateLimited, 429),
    (QuotaReached, 429),
    (QueueFull, 429),
    (Misuse, 400),
    (TooLarge, 413),
    (Unreadable, 422),
    (Forbidden, 403),
    (Unavailable, 501),
    (WebError, 502),
    (IssuerError, 502),
    (ModelError, 400),  # the named model is not available; a model that fails later reports it in the answer
    (PinciteError, 503),
)

_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")

_PASSWORD = "Send it as `password`, or save a copy without one."
# Hints by code and reason, where the error's own hint names a command of the terminal.
_HINTS = {
    (Encrypted.code, PASSWORD_NEEDED): _PASSWORD,
    (Encrypted.code, PASSWORD_WRONG): _PASSWORD,
    (NotFound.code, "document"): "Check the id.",
    (NotFound.code, "conversation"): "Check its id, or leave it out to begin a new one.",
    (NotFound.code, "library"): "Check its name: `GET /api/libraries` lists them. Adding a document to it makes it.",
    (NotReady.code, "waiting"): "Ask again when it is searchable.",
}


class Trouble(BaseModel):
    """An error: a code for programs, a message for people, and a hint what to do next."""

    code: str
    message: str
    hint: str
    reason: ErrorReason = ""
    params: ErrorParams = {}


class Problem(BaseModel):
    """The response body of every error."""

    error: Trouble


ERROR_RESPONSES = {
    "4XX": "The request cannot be done; the message says why.",
    "5XX": "The server cannot do it; the message says why.",
}


def make_problem(
    status: int,
    code: str,
    message: str,
    hint: str = "",
    headers: Mapping[str, str] | None = None,
    *,
    reason: str = "",
    params: Params | None = None,
) -> JSONResponse:
    """Return the response that reports an error, and count it."""
    ERRORS.add(code)
    trouble = Trouble(
        code=code, message=clean_text(message), hint=clean_text(hint), reason=reason, params=dict(params or {})
    )
    return JSONResponse({"error": trouble.model_dump()}, status, headers)


def describe_trouble(error: PinciteError) -> Trouble:
    """Return an error as clients of the HTTP interface read it."""
    if isinstance(error, Moved):
        error = Moved()
    hint = _HINTS.get((error.code, error.reason), error.hint)
    return Trouble(code=error.code, message=error.message, hint=hint, reason=error.reason, params=dict(error.params))


def make_error_response(error: PinciteError) -> JSONResponse:
    """Return the response that reports an error of ours, with its status and headers."""
    status = next(status for kind, status in _STATUSES if isinstance(error, kind))
    told = describe_trouble(error)
    headers = _make_headers(error)
    return make_problem(status, told.code, told.message, told.hint, headers, reason=told.reason, params=told.params)


def _make_headers(error: PinciteError) -> dict[str, str]:
    if isinstance(error, RateLimited):
        return make_refusal_headers(error)
    if isinstance(error, TooManyAttempts | DatabaseAway | FilesAway | QueueFull):
        return {"Retry-After": str(error.seconds)}
    return {}


def _list_methods(request: Request) -> list[str]:
    """Return the HTTP methods that any route accepts for a path."""
    path, routes = request.url.path, cast("list[BaseRoute]", request.app.routes)
    # A path without parameters has its own routes: in /api/people/usage, "usage" is no person's id.
    own = {method for method, template in ROUTE_ACCESS if template == path}

    def answers(method: str) -> bool:
        if own and method not in own | {"HEAD"}:
            return False
        return any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)

    return [method for method in _METHODS if answers(method)]


def describe_field_errors(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return the errors of fields in words, each with its place."""
    return "; ".join(
        f"{'.'.join(str(part) for part in error['loc'])}: {_describe_field_error(error)}" for error in errors
    )


def find_wrong_field(errors: Sequence[Mapping[str, Any]]) -> tuple[str, Params]:
    """Return the reason of the first field's error, and the name of that field, so that a page can name it its way."""
    first = errors[0] if errors else {"type": "", "loc": ()}
    kind = str(first["type"])
    names = [part for part in first["loc"][1:] if isinstance(part, str)]
    if kind == "missing" or (kind.endswith("too_short") and not first.get("input", True)):
        reason = "empty"
    else:
        reason = "too_long" if kind.endswith("too_long") else "field"
    return (reason, {"field": names[-1]}) if names else ("", {})


def _describe_field_error(error: Mapping[str, Any]) -> str:
    if error["type"] in ("string_too_short", "too_short") and not error.get("input", True):
        return "it is empty"
    return str(error["msg"]).removeprefix("Value error, ")


def register_error_handlers(app: FastAPI, missing_page: Callable[[Request], Response] | None = None) -> None:
    """Register handlers that turn every error of a route into an error response.

    `missing_page` makes the response for a person who opens an address of the page that does not exist.
    """

    @app.exception_handler(PinciteError)
    async def report_error(_: Request, error: PinciteError) -> JSONResponse:
        return make_error_response(error)

    @app.exception_handler(OSError)
    async def report_full_disk(request: Request, error: OSError) -> JSONResponse:
        if not is_full_disk(error):
            raise error
        return await report_error(request, DiskFull())

    @app.exception_handler(HTTPException)
    async def report_http_error(request: Request, error: HTTPException) -> Response:
        path, hint = request.url.path, "/docs lists the routes."
        if error.status_code == 404:
            if missing_page and is_page_request(request):
                ERRORS.add("not_found")
                return missing_page(request)
            return make_problem(404, "not_found", f"There is nothing at {path}.", hint)
        if error.status_code == 405:
            message = f"{path} does not answer to {request.method}."
            return make_problem(405, "method_not_allowed", message, hint, {"Allow": ", ".join(_list_methods(request))})
        if error.status_code == 413:
            return make_problem(413, TooLarge.code, str(error.detail), "Send less.")
        return make_problem(error.status_code, "http", str(error.detail), headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def report_invalid_request(_: Request, error: RequestValidationError) -> JSONResponse:
        wrong = describe_field_errors(error.errors())
        reason, params = find_wrong_field(error.errors())
        message, hint = f"The request is not right: {wrong}.", "/docs says what it takes."
        return make_problem(422, "invalid", message, hint, reason=reason, params=params)

    @app.exception_handler(Exception)
    async def report_fault(_: Request, error: Exception) -> JSONResponse:
        return make_problem(500, "fault", "The server met a fault of ours.", "Please report it with the server's log.")
