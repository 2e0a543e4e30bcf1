"""What routes are sent, JSON or a form with a file; for `POST /api/locate`, as a passage and perhaps a file on disk."""

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
from pincite.reading.finish import clean
from pincite.settings import Settings
from pincite.store.scratch import make_scratch
from pincite.web.fetch import fetch

_WORDS = 8_000_000  # bytes a request may have beside the file
_SCHEMES = ("http", "https")
_EXAMPLE = "https://example.org/report.pdf"

M = TypeVar("M", bound=BaseModel)


def _listed(given: object) -> object:
    """Pages as forms give them, "3,4" or "[3, 4]" or "3", as a list."""
    if not isinstance(given, str):
        return [given] if isinstance(given, int) else given
    try:
        return json.loads(given if given.lstrip().startswith("[") else f"[{given}]")
    except (ValueError, RecursionError):
        return given


def _counted(given: object) -> object:
    if isinstance(given, bool):
        raise ValueError("true and false are no pages")
    return given


def _address(given: str) -> str:
    """An address that can be one; whether it may be reached is another question."""
    try:
        url = httpx2.URL(given)
    except httpx2.InvalidURL as error:
        raise ValueError(f"it is not an address ({error}); give one such as {_EXAMPLE}") from None
    # A host with a percent sign had something in it that no name of a server has.
    if not url.scheme or (url.scheme in _SCHEMES and (not url.host or "%" in url.host)):
        raise ValueError(f"it is not a whole address; give one such as {_EXAMPLE}")
    return given


Page = Annotated[int, Field(ge=1), BeforeValidator(_counted)]
Pages = Annotated[list[Page], BeforeValidator(_listed), Field(max_length=10_000)]
Address = Annotated[str, AfterValidator(_address)]


class Passage(BaseModel):
    """What is looked for, and where: one of `document` and `pdf_url` (or a file), one of `text` and `chunk_context`."""

    model_config = ConfigDict(extra="forbid")

    document: Annotated[
        str | None, Field(min_length=1, description="The id of a document in the library, or its first characters.")
    ] = None
    pdf_url: Annotated[Address | None, Field(description="Address of a file, of any kind that can be read.")] = None
    text: Annotated[str | None, Field(description="The passage.")] = None
    chunk_context: Annotated[str | None, Field(description="The passage, by its other name.")] = None
    pages: Annotated[Pages | None, Field(description="Pages to look at first, from 1; the others come after.")] = None
    page_numbers: Annotated[Pages | None, Field(description="The pages, by their other name.")] = None
    password: Annotated[str | None, Field(description="Password of a protected file that is sent or fetched.")] = None

    @model_validator(mode="after")
    def _one_of_each(self, info: ValidationInfo) -> "Passage":
        has_file = bool(info.context and info.context["file"])
        if (self.document is not None) + (self.pdf_url is not None) + has_file != 1:
            raise ValueError("give one of document, pdf_url and a file")
        if (self.text is None) == (self.chunk_context is None):
            raise ValueError("give one of text and chunk_context")
        if self.pages is not None and self.page_numbers is not None:
            raise ValueError("give one of pages and page_numbers")
        return self


@dataclass(frozen=True, slots=True)
class Received:
    """A passage and its pages, and the stored document or the file it is looked for in."""

    text: str
    pages: list[int]
    document: str = ""
    file: Path | None = None
    name: str = ""
    password: str | None = None


@asynccontextmanager
async def received(request: Request, settings: Settings) -> AsyncIterator[Received]:
    """A request understood; the file it sent, or that its address gives, is there until the block ends."""
    with make_scratch(settings.data) as folder:
        file = folder / "file"
        try:
            passage, name = await sent(request, Passage, settings.reading.max_file_mb, file)
        except ClientDisconnect:
            raise HTTPException(400, "The request broke off.") from None
        if passage.pdf_url is not None:
            check_scheme(passage.pdf_url)
            name = (await fetch(passage.pdf_url, settings, file, request.app.state.library.web_parser)).name
        text = passage.text if passage.text is not None else passage.chunk_context
        pages = passage.pages if passage.pages is not None else passage.page_numbers
        where = file if name else None
        yield Received(text or "", pages or [], passage.document or "", where, name, passage.password)


def request_body(
    model: type[BaseModel] = Passage, says: str = "A file to look in, instead of the other two."
) -> dict[str, Any]:
    """What a route takes, for OpenAPI: JSON, or a form with the same fields and a file."""
    schema = model.model_json_schema()
    file = {"type": "string", "format": "binary", "description": says}
    form = {"type": "object", "properties": {"file": file, **schema["properties"]}}
    content = {"application/json": {"schema": schema}, "multipart/form-data": {"schema": form}}
    return {"required": True, "content": content}


async def sent(request: Request, model: type[M], file_mb: int, file: Path) -> tuple[M, str]:
    """The fields of a request, and the name of the file that came with it and is now on disk, "" without one."""
    kind = kind_of(request)
    if kind != "multipart/form-data":
        return _valid(model, await _json(_limited(request)), has_file=False), ""
    async with _limited(request, file_mb).form(max_files=1, max_fields=1000, max_part_size=_WORDS) as form:
        upload = form.get("file")
        given = {name: form.getlist(name) for name in form if name != "file"}
        fields = {name: values[0] if len(values) == 1 else values for name, values in given.items()}
        if not isinstance(upload, UploadFile):
            return _valid(model, fields, has_file=False), ""
        valid = _valid(model, fields, has_file=True)
        await anyio.to_thread.run_sync(_copy, upload, file)
        return valid, upload.filename or "file"


def kind_of(request: Request) -> str:
    """What a request says it sends, without what follows the kind."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _json(request: Request) -> object:
    try:
        given: object = await request.json()
        return given
    except (ValueError, RecursionError):
        wrong = {"type": "value_error", "loc": ("body",), "msg": "it is not JSON, and not a form with a file"}
        raise RequestValidationError([wrong]) from None


def _valid(model: type[M], given: object, has_file: bool) -> M:
    try:
        return model.model_validate(_whole(given), context={"file": has_file})
    except ValidationError as error:
        wrong = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        for each in wrong:
            if each["type"] == "extra_forbidden":
                each["msg"] = "there is no such field"
        raise RequestValidationError(wrong) from None


def _whole(given: object) -> object:
    """The fields of a request with a mark for each character that is none: scripts send halves of them."""
    if not isinstance(given, dict):
        return given
    return {clean(name): clean(value) if isinstance(value, str) else value for name, value in given.items()}


def check_scheme(address: str) -> None:
    scheme = httpx2.URL(address).scheme
    if scheme not in _SCHEMES:
        raise Forbidden(f"Addresses that begin with {scheme}: are not read.", "Use http or https, or send the file.")


def _limited(request: Request, file_mb: int = 0) -> Request:
    """The same request, which ends in `TooLarge` as soon as more arrives than a file and some words."""
    left = file_mb * 1_000_000 + _WORDS
    too_large = TooLarge(
        f"The file has more than {file_mb} MB." if file_mb else "What was sent is too long.",
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


def _copy(upload: UploadFile, file: Path) -> None:
    with file.open("wb") as target:
        shutil.copyfileobj(upload.file, target, 1 << 20)
