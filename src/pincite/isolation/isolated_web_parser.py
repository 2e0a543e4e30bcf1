"""Parse web pages and images in child processes that are ready to use.

They are separate from the processes that read documents, so that a page does not wait for a long document. They may
start no programs.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pincite.errors import TooLarge, Unreadable, Unsupported
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.process_pool import ProcessPool, lower_limits
from pincite.web.web_parser import Emptiness

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

PAGES_AT_ONCE = 2
_PICTURES_AT_ONCE = 1
_SECONDS = 10.0  # for one check of a page, or one image
_PAGE_SECONDS = 30.0  # for reading a page as a document
_MEMORY_MB = 1536
_TASKS_PER_CHILD = 250  # a page takes several tasks: checks, then reading
_JPEG = b"\xff\xd8\xff"


class IsolatedWebParser:
    """A `WebParser` that works in a few child processes. They are started when they are first needed."""

    def __init__(self, limits: "ReadingSettings") -> None:
        small = lower_limits(limits, _MEMORY_MB, _PAGE_SECONDS)
        self._pages = ProcessPool(small, PAGES_AT_ONCE, _TASKS_PER_CHILD)
        self._pictures = ProcessPool(small, _PICTURES_AT_ONCE, _TASKS_PER_CHILD)

    def find_refresh(self, path: Path, url: str) -> str | None:
        found = self._ask("find_refresh", path, url=url)
        return found if isinstance(found, str) else None

    def find_emptiness(self, path: Path, is_rendered: bool = False) -> Emptiness:
        found = self._ask("find_emptiness", path, is_rendered=is_rendered)
        return next((known for known in get_args(Emptiness) if known == found), "")

    def list_links(self, path: Path, url: str) -> list[str]:
        found = self._ask("list_links", path, url=url)
        return [link for link in found if isinstance(link, str)] if isinstance(found, list) else []

    def make_thumbnail(self, data: bytes) -> bytes:
        with tempfile.NamedTemporaryFile(prefix="pincite-picture-") as file, self._pictures.borrow() as child:
            file.write(data)
            file.flush()
            try:
                thumbnail = child.run("make_thumbnail", _SECONDS, Path(file.name))
            except (Unsupported, TooLarge):
                raise
            except Unreadable:  # it took too much time or memory, or the decoder crashed
                raise Unsupported("The picture cannot be drawn.", "Open the page it is on.") from None
        if not thumbnail.startswith(_JPEG):
            raise Unsupported("The picture is damaged.", "Open the page it is on.")
        return thumbnail

    @contextmanager
    def borrow_reader(self) -> Iterator[IsolatedProcess]:
        """Lend one of the processes while a page is read as a document."""
        with self._pages.borrow() as child:
            yield child

    def close(self) -> None:
        """Wait for running tasks, and end the processes."""
        self._pages.close()
        self._pictures.close()

    def _ask(self, task: str, path: Path, **given: object) -> Any:
        with self._pages.borrow() as child:
            answer = child.run(task, _SECONDS, path, **given)
        try:
            return json.loads(answer)
        except ValueError:
            raise Unreadable("The page cannot be parsed.", "Look for the same information on another page.") from None
