"""Define the parser for pages and pictures from the web.

These bytes are parsed in a separate process (`isolation.web`), which calls `DirectParser`. The rest of `web` knows only
the protocol.
"""

from pathlib import Path
from typing import Literal, Protocol

# Why a page has no content: it needs scripts, asks for consent first, or blocks robots.
Emptiness = Literal["", "script", "consent", "blocked"]

_HEAD = 65_536  # bytes at the start of a page that are searched for a redirect


class WebParser(Protocol):
    """Parse content from the web. Each call blocks, and raises `Unreadable` if parsing fails or takes too long."""

    def find_refresh(self, path: Path, url: str) -> str | None:
        """Return the address that a page redirects to by itself."""

    def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        """Return why a page, as it came or as a browser rendered it, has no content."""

    def list_links(self, path: Path, url: str) -> list[str]:
        """Return the addresses that a page links to."""

    def make_thumbnail(self, data: bytes) -> bytes:
        """Return a picture as a small JPEG; raise `Unsupported` or `TooLarge` if that is not possible."""


class DirectParser:
    """Parse in the calling process: the isolated process, or a test."""

    def find_refresh(self, path: Path, url: str) -> str | None:
        from pincite.reading.html import decode_page
        from pincite.web.page_redirects import find_refresh

        with path.open("rb") as file:
            return find_refresh(decode_page(file.read(_HEAD)), url)

    def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        from pincite.reading.html import decode_page
        from pincite.web.page_redirects import find_emptiness

        return find_emptiness(decode_page(path.read_bytes()), is_rendered=is_rendered)

    def list_links(self, path: Path, url: str) -> list[str]:
        from pincite.reading.html import decode_page
        from pincite.web.html_links import list_links

        return list(list_links(decode_page(path.read_bytes()), url))

    def make_thumbnail(self, data: bytes) -> bytes:
        from pincite.web.thumbnails import make_thumbnail

        return make_thumbnail(data)


def may_refresh(path: Path) -> bool:
    """Return, without parsing, whether a page may redirect; in UTF-16 every other byte is zero."""
    with path.open("rb") as file:
        return b"refresh" in file.read(_HEAD).replace(b"\0", b"").lower()
