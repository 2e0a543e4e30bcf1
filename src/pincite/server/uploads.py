"""Read request bodies, as JSON or as a form with a file, and the body of `POST /api/locate`."""

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio.to_thread
import httpx2
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message

from pincite.errors import Forbidden, TooLarge
from pincite.settings import Settings
from pincite.store.scratch import make_scratch
from pincite.text.storable import clean_text
from pincite.web.fetch import fetch

_WORDS = 8_000_000  # bytes that a request may have besides the file
_SCHEMES = ("http", "https")
_EXAMPLE = "https://example.org/report.pdf"

M = TypeVar("M", bound=BaseModel)


def _parse_pages(given: object) -> object:
    """Return pages as a list. Forms send them as "3,4", "[3, 4]" or "3"."""
    if not isinstance(given, str):
        return [given] if isinstance(given, int) else given
    try:
        return json.loads(given if given.lstrip().startswith("[") else f"[{given}]")
    except (ValueError, RecursionError):
        return given


def _check_page(given: object) -> object:
    if isinstance(given, bool):
        raise ValueError("true and false are not page numbers")
    return given


def _check_address(given: str) -> str:
    """Return the address if its syntax is valid. Whether it may be fetched is checked later."""
    try:
        url = httpx2.URL(given)
    except httpx2.InvalidURL as error:
        raise ValueError(f"it is not an address ({error}); give one such as {_EXAMPLE}") from None
    # A percent sign in the host means that it contained characters no host name has.
    if not url.scheme or (url.scheme in _SCHEMES and (not url.host or "%" in url.host)):
        raise ValueError(f"it is not a complete address; give one such as {_EXAMPLE}")
    return given


Page = Annotated[int, Field(ge=1), BeforeValidator(_check_page)]
Pages = Annotated[list[Page], BeforeValidator(_parse_pages), Field(max_length=10_000)]
Address = Annotated[str, AfterValidator(_check_address)]


class PassageToLocate(BaseModel):
    """A passage to find. Send one of `document`, `pdf_url` or a file, and one of `text` or `chunk_context`."""

    model_config = ConfigDict(extra="forbid")

    document: Annotated[
        str | None, Field(min_length=1, description="Id of a document in the library, or its first characters.")
    ] = None
    pdf_url: Annotated[Address | None, Field(description="Address of a file in any supported format.")] = None
    text: Annotated[str | None, Field(description="The passage.")] = None
    chunk_context: Annotated[str | None, Field(description="Another name for `text`.")] = None
    pages: Annotated[Pages | None, Field(description="Pages to search first, from 1; then the others.")] = None
    page_numbers: Annotated[Pages | None, Field(description="Another name for `pages`.")] = None
    password: Annotated[str | None, Field(description="Password of a protected file that is sent or fetched.")] = None

    @model_validator(mode="after")
    def _one_of_each(self, info: ValidationInfo) -> "PassageToLocate":
        has_file = bool(info.context and info.context["file"])
        if (self.document is not None) + (self.pdf_url is not None) + has_file != 1:
            raise ValueError("give one of document, pdf_url and a file")
        if (self.text is None) == (self.chunk_context is None):
            raise ValueError("give one of text and chunk_context")
        if self.pages is not None and self.page_numbers is not None:
            raise ValueError("give one of pages and page_numbers")
        return self


@dataclass(frozen=True, slots=True)
class LocateRequest:
    """A passage and its pages, and the stored document or file to search."""

    text: str
    pages: list[int]
    document: str = ""
    file: Path | None = None
    name: str = ""
    password: str | None = None


@asynccontextmanager
async def receive_passage(request: Request, settings: Settings) -> AsyncIterator[LocateRequest]:
    """Yield the parsed request. Its uploaded or fetched file is deleted when the block ends."""
    with make_scratch(settings.data) as folder:
        file = folder / "file"
        try:
            passage, name = await read_body(request, PassageToLocate, settings.reading.max_file_mb, file)
        except ClientDisconnect:
            raise HTTPException(400, "The request was interrupted.") from None
        if passage.pdf_url is not None:
            check_scheme(passage.pdf_url)
            name = (await fetch(passage.pdf_url, settings, file, request.app.state.library.web_parser)).name
        text = passage.text if passage.text is not None else passage.chunk_context
        pages = passage.pages if passage.pages is not None else passage.page_numbers
        where = file if name else None
        yield LocateRequest(text or "", pages or [], passage.document or "", where, name, passage.password)


def describe_body(
    model: type[BaseModel] = PassageToLocate, says: str = "The file to search, instead of `document` and `pdf_url`."
) -> dict[str, Any]:
    """Return the OpenAPI request body of a route that accepts JSON, or a form with the same fields and a file."""
    schema = model.model_json_schema()
    file = {"type": "string", "format": "binary", "description": says}
    form = {"type": "object", "properties": {"file": file, **schema["properties"]}}
    content = {"application/json": {"schema": schema}, "multipart/form-data": {"schema": form}}
    return {"required": True, "content": content}


async def read_body(request: Request, model: type[M], file_mb: int, file: Path) -> tuple[M, str]:
    """Return the fields of a request and the name of its uploaded file, "" without one. Save the file to `file`."""
    kind = read_content_type(request)
    if kind != "multipart/form-data":
        return _validate_fields(model, await _read_json(_limit_size(request)), has_file=False), ""
    async with _limit_size(request, file_mb).form(max_files=1, max_fields=1000, max_part_size=_WORDS) as form:
        upload = form.get("file")
        given = {name: form.getlist(name) for name in form if name != "file"}
        fields = {name: values[0] if len(values) == 1 else values for name, values in given.items()}
        if not isinstance(upload, UploadFile):
            return _validate_fields(model, fields, has_file=False), ""
        valid = _validate_fields(model, fields, has_file=True)
        await anyio.to_thread.run_sync(_copy_upload, upload, file)
        return valid, upload.filename or "file"


def read_content_type(request: Request) -> str:
    """Return the content type of a request without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _read_json(request: Request) -> object:
    try:
        given: object = await request.json()
        return given
    except (ValueError, RecursionError):
        wrong = {"type": "value_error", "loc": ("body",), "msg": "it is neither JSON nor a form with a file"}
        raise RequestValidationError([wrong]) from None


def _validate_fields(model: type[M], given: object, has_file: bool) -> M:
    try:
        return model.model_validate(_clean_fields(given), context={"file": has_file})
    except ValidationError as error:
        wrong = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        for each in wrong:
            if each["type"] == "extra_forbidden":
                each["msg"] = "there is no such field"
        raise RequestValidationError(wrong) from None


def _clean_fields(given: object) -> object:
    """Return the fields of a request with lone surrogates and other invalid characters replaced."""
    if not isinstance(given, dict):
        return given
    return {clean_text(name): clean_text(value) if isinstance(value, str) else value for name, value in given.items()}


def check_scheme(address: str) -> None:
    """Raise `Forbidden` if the address does not begin with http: or https:."""
    scheme = httpx2.URL(address).scheme
    if scheme not in _SCHEMES:
        raise Forbidden(
            f"Addresses that begin with {scheme}: are not allowed.", "Use http or https, or upload the file."
        )


def _limit_size(request: Request, file_mb: int = 0) -> Request:
    """Return the request with a size limit. Reading it raises `TooLarge` when the limit is exceeded."""
    left = file_mb * 1_000_000 + _WORDS
    too_large = TooLarge(
        f"The file has more than {file_mb} MB." if file_mb else "The request is too large.",
        "Split it, or raise reading.max_file_mb in the settings." if file_mb else "Send a part of it.",
    )
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > left:
        raise too_large

    async def receive() -> Message:
        nonlocal left
        message = await request.receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise too_large
        return message

    return Request(request.scope, receive)


def _copy_upload(upload: UploadFile, file: Path) -> None:
    with file.open("wb") as target:
        shutil.copyfileobj(upload.file, target, 1 << 20)
