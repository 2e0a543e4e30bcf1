"""List the pictures and videos of an answer for a terminal: titles and addresses."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.cli.answer_wording import get_phrase
from pincite.cli.proof_output import make_line, style_link
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from rich.text import Text

    from pincite.events import Answer, Medium


def list_media(answer: "Answer") -> "Iterator[Text]":
    """Yield a numbered line for each picture or video and its address below it."""
    from rich.text import Text

    if answer.media:
        yield Text()
        language = detect_conversation_language(answer.question)
        yield make_line(get_phrase(language, _choose_heading(answer.media)))
    for medium in answer.media:
        length = f" ({medium.length})" if medium.length else ""
        yield make_line(f"{medium.n:>3}. ", style_link(medium.title or medium.url, medium.url, "bold"), (length, "dim"))
        yield make_line("     ", style_link(medium.url, medium.url, "dim"))


def _choose_heading(media: "list[Medium]") -> str:
    """Return the name of the phrase above the list."""
    kinds = {medium.kind for medium in media}
    return "pictures_and_videos" if len(kinds) > 1 else "videos" if "video" in kinds else "pictures"
