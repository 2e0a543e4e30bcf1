"""A source of an answer as a page to look at: the cited page drawn, or the text around, with the quote marked."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import door
from pincite.errors import Misuse, StorageError, Unreadable

if TYPE_CHECKING:
    from pincite.agent.house import House
    from pincite.events import Answer, Citation

_AROUND = 1_200  # characters shown before and after a quote
_DPI = 110
_DRAWN = ("pdf", "image")
_KEPT = 50  # pages that were shown


def open_source(house: "House", answer: "Answer", number: int) -> None:
    """Write the page of a source, open it where there is a screen, and say where it is."""
    import webbrowser

    citation = next((each for each in answer.citations if each.n == number), None)
    if citation is None:
        count = len(answer.citations)
        hint = f"It has {count}, from 1 to {count}." if count else "It has none."
        raise Misuse(f"The answer has no source {number}.", hint)
    path = _written(house, answer, citation)
    if _has_screen():
        webbrowser.open(path.as_uri() + "#quote")
    door.console(stderr=True).print(f"Source {number} is shown in {path}")


def _written(house: "House", answer: "Answer", citation: "Citation") -> Path:
    from pincite.agent.given import list_days
    from pincite.evidence.quoted import Quoted, page
    from pincite.store import documents
    from pincite.text.display import join_broken_words
    from pincite.web.fragments import link

    with house.library.database.reading() as connection:
        first, last = max(citation.start - _AROUND, 0), citation.end + _AROUND
        around = documents.text(connection, citation.document, first, last)
    # Of a passage that is shown as an answer, the part that answers best is marked.
    lit = citation.lit or [(citation.start, citation.end)]
    start, end = lit[0][0] - first, lit[-1][1] - first
    pictures, missing = _pictures(house, citation)
    made = page(
        Quoted(
            citation=citation,
            sentences=[sentence for sentence in answer.sentences if citation.n in sentence.citations],
            before=join_broken_words(around[:start]),
            quote=join_broken_words(around[start:end] or citation.quote),
            after=join_broken_words(around[end:]),
            pictures=pictures,
            missing=missing,
            day=list_days(house.library.database, house.settings.owner, answer).get(citation.document, ""),
            live=link(citation.url, citation.quote) if citation.url else "",
        )
    )
    folder = house.settings.data / "shown"
    path = folder / f"{citation.document[:8]}-{citation.start}-{citation.end}.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8", errors="replace")
        for old in sorted(folder.glob("*.html"), key=lambda each: each.stat().st_mtime)[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.", "Check the data folder.") from None
    return path.absolute()


def _pictures(house: "House", citation: "Citation") -> tuple[dict[int, bytes], list[str]]:
    """The cited pages as pictures by their numbers, and why some have none."""
    from pincite.isolation.process import Isolated
    from pincite.reading.source import Source
    from pincite.store import documents

    pictures, missing = dict[int, bytes](), list[str]()
    if citation.kind not in _DRAWN or not citation.boxes:
        return pictures, missing
    with house.library.database.reading() as connection:
        stored = documents.get(connection, citation.document)
    with door.console(stderr=True).status("Drawing the page…"), Isolated(house.settings.reading) as reader:
        source = Source(house.library.file(stored), stored.name)
        for boxes in citation.boxes:
            try:
                pictures[boxes.page] = reader.picture(source, boxes.page, _DPI)
            except Unreadable as error:
                missing.append(f"There is no picture of page {boxes.page}: {error.message} {error.hint}".strip())
    return pictures, missing


def _has_screen() -> bool:
    """Whether a browser can show something here; one that runs inside the terminal would take it over."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
