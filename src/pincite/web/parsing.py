"""What is found out about a page or a picture by parsing its bytes.

Bytes of the web are parsed in a process of their own (`isolation.web`), which calls `DirectParser`. The rest of `web`
knows the protocol alone.
"""

from pathlib import Path
from typing import Literal, Protocol

# Why a page has no content: it needs a script, asks for consent first, or takes us for a machine.
Emptiness = Literal["", "script", "consent", "blocked"]

_HEAD = 65_536  # bytes in which a page says that one should go elsewhere


class WebParser(Protocol):
    """Parses what came from the web. Each call blocks, and raises `Unreadable` for what cannot be parsed in time."""

    def find_refresh(self, path: Path, url: str) -> str | None:
        """Where a page that came from an address sends its reader by itself."""

    def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        """Why a page holds nothing to read, as it came or as a browser left it."""

    def list_links(self, path: Path, url: str) -> list[str]:
        """The addresses that a page links to."""

    def make_thumbnail(self, data: bytes) -> bytes:
        """A picture as a small JPEG; `Unsupported` or `TooLarge` for what cannot be shown."""


class DirectParser:
    """Parses in the process that calls it: in the isolated one, and in tests."""

    def find_refresh(self, path: Path, url: str) -> str | None:
        from pincite.reading.html import text_of
        from pincite.web.page import refresh_of

        with path.open("rb") as file:
            return refresh_of(text_of(file.read(_HEAD)), url)

    def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        from pincite.reading.html import text_of
        from pincite.web.page import looks_empty

        return looks_empty(text_of(path.read_bytes()), is_rendered=is_rendered)

    def list_links(self, path: Path, url: str) -> list[str]:
        from pincite.reading.html import text_of
        from pincite.web.links import list_links

        return list(list_links(text_of(path.read_bytes()), url))

    def make_thumbnail(self, data: bytes) -> bytes:
        from pincite.web.thumbnails import make_thumbnail

        return make_thumbnail(data)


def may_refresh(path: Path) -> bool:
    """Whether a page may send its reader elsewhere, without parsing it; in UTF-16 every other byte is zero."""
    with path.open("rb") as file:
        return b"refresh" in file.read(_HEAD).replace(b"\0", b"").lower()
