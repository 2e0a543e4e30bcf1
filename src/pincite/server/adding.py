"""What `POST /api/documents` is sent, an upload or an address, as a file on disk that goes when it was taken in."""

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
from pincite.library.site import MOST, Visit
from pincite.reading.finish import clean
from pincite.server.doors import whole
from pincite.server.receiving import Address, check_scheme, kind_of, sent
from pincite.settings import Settings
from pincite.store.scratch import make_scratch
from pincite.store.sources import upload
from pincite.web.fetch import fetch

_LONGEST_NAME = 200
_LONGEST_FOLDER = 1000
_KINDS = ("application/json", "multipart/form-data")


def _relative(given: str) -> str:
    """A folder as parts with slashes between them; one that leads elsewhere is none."""
    parts = given.replace("\\", "/").removesuffix("/").split("/") if given else []
    if any(part.strip() in ("", ".", "..") for part in parts) or given[1:2] == ":":
        raise ValueError("it is not a folder such as reports/2024; leave out what leads out of it")
    return "/".join(parts)


Folder = Annotated[str, BeforeValidator(whole), Field(max_length=_LONGEST_FOLDER), AfterValidator(_relative)]


class Addition(BaseModel):
    """A document to add: the address of one, or a file in a form, and the library it goes to."""

    model_config = ConfigDict(extra="forbid")

    url: Annotated[Address | None, Field(description="Address of a file or page, of any kind that is read.")] = None
    library: Annotated[str, Field(min_length=1, max_length=200, description="A named set of documents.")] = DEFAULT
    folder: Annotated[Folder, Field(description="The folder a file that is sent was in, as `reports/2024`.")] = ""
    password: Annotated[str | None, Field(max_length=1000, description="Of a protected file. Not stored.")] = None
    depth: Annotated[
        int, Field(ge=0, le=10, description="How many links deep to follow the page at `url`, on its own host.")
    ] = 0
    most: Annotated[int, Field(ge=1, le=10_000, description="Most pages with a depth.")] = MOST

    @model_validator(mode="after")
    def _one_of_each(self, info: ValidationInfo) -> "Addition":
        if (self.url is not None) == bool(info.context and info.context["file"]):
            raise ValueError("give one of url and a file")
        if self.url is not None and self.folder:
            raise ValueError("give a folder with a file alone")
        if self.depth and self.url is None:
            raise ValueError("give a depth with url alone")
        return self


@dataclass(frozen=True, slots=True)
class Arrived:
    """A file that came, what it is called and where it is from."""

    file: Path
    name: str
    place: str
    library: str
    password: str | None
    visit: Visit | None = None  # to the pages that it links to


@asynccontextmanager
async def arrived(request: Request, settings: Settings) -> AsyncIterator[Arrived]:
    """The file that a request sends or names; it is there until the block ends."""
    if kind_of(request) not in _KINDS:
        # A page of another site can send anything else without the browser asking here first.
        raise HTTPException(415, f"What is added is sent as one of {', '.join(_KINDS)}.")
    with make_scratch(settings.data) as folder:
        file = folder / "file"
        try:
            addition, name = await sent(request, Addition, settings.reading.max_file_mb, file)
        except ClientDisconnect:
            raise HTTPException(400, "The request broke off.") from None
        if addition.url is not None:
            check_scheme(addition.url)
            fetched = await fetch(addition.url, settings, file, request.app.state.library.web_parser)
            name, place = fetched.name, fetched.url
        else:
            name = _safe(name)
            place = upload(await anyio.to_thread.run_sync(_digest, file), addition.folder, name)
        visit = None
        if addition.depth and addition.url is not None:
            visit = Visit(addition.url, addition.depth, addition.most, addition.library, addition.password)
        yield Arrived(file, name, place, addition.library, addition.password, visit)


def _safe(name: str) -> str:
    """A file's name as it was on the sender's machine: no folders, nothing that cannot be shown."""
    return clean(PurePosixPath(name.replace("\\", "/")).name).strip()[-_LONGEST_NAME:] or "file"


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
