"""Receive the body of `POST /api/documents`: save an upload, or fetch an address, as a temporary file."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated

import anyio.to_thread
from fastapi import Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from pincite.library import DEFAULT
from pincite.library.site import MOST, SiteVisit
from pincite.server.dependencies import clean_value
from pincite.server.uploads import Address, check_scheme, read_body, read_content_type
from pincite.settings import Settings
from pincite.store.document_sources import make_upload_location
from pincite.store.scratch import make_scratch
from pincite.text.file_names import shorten_file_name
from pincite.text.storable import clean_text
from pincite.web.fetch import fetch

_LONGEST_NAME = 200
_LONGEST_FOLDER = 1000
_KINDS = ("application/json", "multipart/form-data")


def _check_folder(given: str) -> str:
    """Return a relative folder with forward slashes. Raise `ValueError` for an absolute path or `..`."""
    parts = given.replace("\\", "/").removesuffix("/").split("/") if given else []
    if any(part.strip() in ("", ".", "..") for part in parts) or given[1:2] == ":":
        raise ValueError("it is not a relative folder such as reports/2024")
    return "/".join(parts)


Folder = Annotated[str, BeforeValidator(clean_value), Field(max_length=_LONGEST_FOLDER), AfterValidator(_check_folder)]


class Addition(BaseModel):
    """A document to add: an address, or a file in a form."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[Address | None, Field(description="Address of a web page or file in a supported format.")] = None
    library: Annotated[
        str,
        Field(
            min_length=1,
            max_length=310,
            description="The `key` of the library to add to; a name that is new makes a library.",
        ),
    ] = DEFAULT
    folder: Annotated[Folder, Field(description="Folder of the uploaded file, such as `reports/2024`.")] = ""
    password: Annotated[
        str | None, Field(max_length=1000, description="Of a protected file. Removed after reading.")
    ] = None
    depth: Annotated[
        int,
        Field(ge=0, le=10, description="Follow links from the page at `url`, this many steps deep, same host only."),
    ] = 0
    most: Annotated[int, Field(ge=1, le=10_000, description="Maximum number of pages with a depth.")] = MOST

    @model_validator(mode="after")
    def _one_of_each(self, info: ValidationInfo) -> "Addition":
        if (self.url is not None) == bool(info.context and info.context["file"]):
            raise ValueError("give either url or a file")
        if self.url is not None and self.folder:
            raise ValueError("a folder is only allowed with a file")
        if self.depth and self.url is None:
            raise ValueError("a depth is only allowed with url")
        return self


@dataclass(frozen=True, slots=True)
class ReceivedDocument:
    """A received file, its name, its origin and the library to add it to."""

    file: Path
    name: str
    place: str
    library: str
    password: str | None
    visit: SiteVisit | None = None  # set if linked pages are to be added too
    is_bulk: bool = False  # whether it is one of the files of a folder


@asynccontextmanager
async def receive_document(request: Request, person: str, settings: Settings) -> AsyncIterator[ReceivedDocument]:
    """Yield the file that a request uploads or names by address. The file is deleted when the block ends."""
    if read_content_type(request) not in _KINDS:
        # Browsers let a page of another site send other content types without a preflight request.
        raise HTTPException(415, f"The content type must be one of {', '.join(_KINDS)}.")
    with make_scratch(settings.data) as folder:
        file = folder / "file"
        try:
            addition, name = await read_body(request, Addition, settings.reading.max_file_mb, file)
        except ClientDisconnect:
            raise HTTPException(400, "The request was interrupted.") from None
        if addition.url is not None:
            check_scheme(addition.url)
            fetched = await fetch(addition.url, settings, file, request.app.state.library.web_parser)
            name, place = fetched.name, fetched.url
        else:
            name = _clean_name(name)
            place = make_upload_location(await anyio.to_thread.run_sync(_hash_file, file), addition.folder, name)
        visit = None
        if addition.depth and addition.url is not None:
            visit = SiteVisit(person, addition.url, addition.depth, addition.most, addition.library, addition.password)
        is_bulk = bool(addition.folder)
        yield ReceivedDocument(file, name, place, addition.library, addition.password, visit, is_bulk)


def _clean_name(name: str) -> str:
    """Return the name of an uploaded file without folders and unprintable characters."""
    whole = clean_text(PurePosixPath(name.replace("\\", "/")).name).strip()
    return shorten_file_name(whole, _LONGEST_NAME) or "file"


def _hash_file(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
