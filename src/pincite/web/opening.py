"""An address to something that can be read: visited first, and in a browser when what came is only a shell."""

from dataclasses import dataclass
from pathlib import Path

from pincite.errors import Forbidden, TooLarge, WebError
from pincite.web.contents import HTML
from pincite.web.fetch import Fetched, Unchanged, Validators
from pincite.web.parsing import Emptiness
from pincite.web.rendering import Renderer
from pincite.web.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Opened:
    """What an address gave, why there may be nothing to read in it, and what a browser would have needed."""

    fetched: Fetched
    emptiness: Emptiness = ""
    is_rendered: bool = False
    problem: str = ""


async def opened(
    url: str,
    into: Path,
    visitor: Visitor,
    renderer: Renderer,
    *,
    asked_for: bool = False,
    known: Validators | None = None,
) -> Opened | Unchanged:
    """Write what an address gives into a file; a page that has nothing to read yet is tried in a browser too."""
    found = await visitor.visit(url, into, asked_for=asked_for, known=known)
    if isinstance(found, Unchanged) or found.content_type not in HTML:
        return found if isinstance(found, Unchanged) else Opened(found)
    emptiness = await visitor.find_emptiness(into)
    if not emptiness:
        return Opened(found)
    made = into.with_name(f"{into.name}.rendered")
    try:
        rendered = await renderer.render(found.url, made)
        left = await visitor.find_emptiness(made, is_rendered=True)
        if left:
            return Opened(found, emptiness)
        made.replace(into)
    except (WebError, TooLarge) as error:
        return Opened(found, emptiness, problem=error.message if not isinstance(error, Forbidden) else "")
    finally:
        made.unlink(missing_ok=True)
    return Opened(
        Fetched(into, found.name, rendered.url, "text/html", rendered.status, fetched=rendered.fetched),
        is_rendered=True,
    )
