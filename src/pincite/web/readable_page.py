"""Open a page: fetch it, and render it in a browser if it has no content without scripts."""

from dataclasses import dataclass
from pathlib import Path

from pincite.errors import Forbidden, TooLarge, WebError
from pincite.web.browser_rendering import Renderer
from pincite.web.content_type import HTML
from pincite.web.fetch import Fetched, Unchanged, Validators
from pincite.web.polite_client import PoliteClient
from pincite.web.web_parser import Emptiness


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """An opened page, the reason if it has no content, and the reason if no browser could render it."""

    fetched: Fetched
    emptiness: Emptiness = ""
    is_rendered: bool = False
    problem: str = ""


async def open_page(
    url: str,
    into: Path,
    visitor: PoliteClient,
    renderer: Renderer,
    *,
    asked_for: bool = False,
    known: Validators | None = None,
) -> OpenedPage | Unchanged:
    """Write the page at an address into a file; render a page without content in a browser."""
    found = await visitor.visit(url, into, asked_for=asked_for, known=known)
    if isinstance(found, Unchanged) or found.content_type not in HTML:
        return found if isinstance(found, Unchanged) else OpenedPage(found)
    emptiness = await visitor.find_emptiness(into)
    if not emptiness:
        return OpenedPage(found)
    made = into.with_name(f"{into.name}.rendered")
    try:
        rendered = await renderer.render(found.url, made)
        left = await visitor.find_emptiness(made, is_rendered=True)
        if left:
            return OpenedPage(found, emptiness)
        made.replace(into)
    except (WebError, TooLarge) as error:
        return OpenedPage(found, emptiness, problem=error.message if not isinstance(error, Forbidden) else "")
    finally:
        made.unlink(missing_ok=True)
    return OpenedPage(
        Fetched(into, found.name, rendered.url, "text/html", rendered.status, fetched=rendered.fetched),
        is_rendered=True,
    )
