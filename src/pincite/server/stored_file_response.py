"""Send a file from where the files are: from the disk, or in pieces from a storage, whole or in ranges."""

import os
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, MalformedRangeHeader, RangeNotSatisfiable
from starlette.types import Message, Receive, Scope, Send

from pincite.store.documents import StoredDocument
from pincite.store.files import FileStore


class RangeFileResponse(FileResponse):
    """A file response that reports an invalid range like every other error."""

    @classmethod
    def _parse_range_header(cls, http_range: str, file_size: int) -> list[tuple[int, int]]:
        try:
            return super()._parse_range_header(http_range, file_size)
        except MalformedRangeHeader:
            return []  # ignore a malformed range and send the whole file
        except RangeNotSatisfiable:
            size = {"Content-Range": f"bytes */{file_size}"}
            raise HTTPException(416, f"The range is outside the file, which has {file_size} bytes.", size) from None


class StoredFileResponse(RangeFileResponse):
    """A file response that reads from a storage. An error before the first byte is an ordinary error response."""

    def __init__(self, files: FileStore, stored: StoredDocument, **given: Any) -> None:
        # The size and the date are in the row: no request to the storage is needed for them.
        described = os.stat_result((stat.S_IFREG | 0o600, 0, 0, 1, 0, 0, stored.bytes, 0, int(stored.created), 0))
        super().__init__(stored.sha256, stat_result=described, **given)
        self._files = files
        self._sha256 = stored.sha256
        self._ends: dict[int, int] = {}  # where the range with this start ends

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        held: list[Message] = []

        async def send_late(message: Message) -> None:
            if message["type"] == "http.response.start":
                held.append(message)
                return
            while held:
                await send(held.pop())
            await send(message)

        if scope["method"].upper() == "HEAD":
            await anyio.to_thread.run_sync(self._files.size, self._sha256)  # it raises if there is none
        await super().__call__(scope, receive, send_late)

    async def _handle_single_range(
        self, send: Send, start: int, end: int, file_size: int, send_header_only: bool
    ) -> None:
        self._ends = {start: end}
        await super()._handle_single_range(send, start, end, file_size, send_header_only)

    async def _handle_multiple_ranges(
        self, send: Send, ranges: list[tuple[int, int]], file_size: int, send_header_only: bool
    ) -> None:
        self._ends = dict(ranges)
        await super()._handle_multiple_ranges(send, ranges, file_size, send_header_only)

    @asynccontextmanager
    async def _open_file(self) -> AsyncIterator[Any]:
        reader = _PieceReader(self._files, self._sha256, self._ends)
        try:
            yield reader
        finally:
            with anyio.CancelScope(shield=True):
                await reader.close()


class _PieceReader:
    """Reads pieces of a stored file as from an open file: only what the response needs."""

    def __init__(self, files: FileStore, sha256: str, ends: dict[int, int]) -> None:
        self._files = files
        self._sha256 = sha256
        self._ends = ends
        self._pieces: Iterator[bytes] | None = None
        self._left = b""

    async def seek(self, start: int) -> None:
        await self.close()
        self._pieces = self._files.read(self._sha256, start, self._ends.get(start))

    async def read(self, size: int) -> bytes:
        if self._pieces is None:
            self._pieces = self._files.read(self._sha256)
        while len(self._left) < size:
            piece = await anyio.to_thread.run_sync(next, self._pieces, b"")
            if not piece:
                break
            self._left += piece
        taken, self._left = self._left[:size], self._left[size:]
        return taken

    async def close(self) -> None:
        """End the request to the storage, if there is one."""
        pieces, self._pieces, self._left = self._pieces, None, b""
        if pieces is not None:
            close = getattr(pieces, "close", None)
            if close:
                await anyio.to_thread.run_sync(close)
