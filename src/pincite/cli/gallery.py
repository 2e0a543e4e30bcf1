"""The pictures and videos under an answer, as a terminal can show them: their titles, and where they are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.cli.sources import line, linked

if TYPE_CHECKING:
    from rich.text import Text

    from pincite.events import Answer, Medium


def gallery(answer: "Answer") -> "Iterator[Text]":
    """A numbered line for each, and under it the page it is on; nothing where there is none."""
    from rich.text import Text

    if answer.media:
        yield Text()
        yield line(_heading(answer.media))
    for medium in answer.media:
        length = f" ({medium.length})" if medium.length else ""
        yield line(f"{medium.n:>3}. ", linked(medium.title or medium.url, medium.url, "bold"), (length, "dim"))
        yield line("     ", linked(medium.url, medium.url, "dim"))


def _heading(media: "list[Medium]") -> str:
    kinds = {medium.kind for medium in media}
    return "Pictures and videos" if len(kinds) > 1 else "Videos" if "video" in kinds else "Pictures"
