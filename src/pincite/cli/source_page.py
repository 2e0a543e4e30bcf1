"""Show a source of an answer as an HTML page: the drawn page or the surrounding text, with the quote marked."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import options
from pincite.errors import Misuse, NotFound, StorageError, Unreadable

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.events import Answer, Citation

_AROUND = 1_200  # characters shown before and after a quote
_DPI = 110
_DRAWN = ("pdf", "image")
_KEPT = 50  # HTML pages that stay in the folder


def open_source(services: "Services", answer: "Answer", number: int) -> None:
    """Write the HTML page of a source, open it in a browser if there is a screen, and print its path."""
    import webbrowser

    citation = next((each for each in answer.citations if each.n == number), None)
    if citation is None:
        count = len(answer.citations)
        hint = f"It has {count}, from 1 to {count}." if count else "It has none."
        raise Misuse(f"The answer has no source {number}.", hint)
    path = _write_page(services, answer, citation)
    if _has_screen():
        webbrowser.open(path.as_uri() + "#quote")
    options.make_console(stderr=True).print(f"Source {number} is shown in {path}")


def _write_page(services: "Services", answer: "Answer", citation: "Citation") -> Path:
    from pincite.answer.question_options import list_fetch_days
    from pincite.locate.quote_page import CitationPage, render_citation_page
    from pincite.store import document_text, documents
    from pincite.text.display import join_broken_words
    from pincite.web.text_fragments import make_fragment_link

    with services.library.database.reading() as connection:
        first, last = max(citation.start - _AROUND, 0), citation.end + _AROUND
        is_seen = documents.get_many(connection, services.settings.owner, [citation.document])
        around = document_text.read_text(connection, citation.document, first, last) if is_seen else ""
    # In a passage that is shown as an answer, mark the highlighted part.
    lit = citation.lit or [(citation.start, citation.end)]
    start, end = lit[0][0] - first, lit[-1][1] - first
    pictures, missing = _draw_pages(services, citation)
    made = render_citation_page(
        CitationPage(
            citation=citation,
            sentences=[sentence for sentence in answer.sentences if citation.n in sentence.citations],
            before=join_broken_words(around[:start]),
            quote=join_broken_words(around[start:end] or citation.quote),
            after=join_broken_words(around[end:]),
            pictures=pictures,
            missing=missing,
            day=list_fetch_days(services.library.database, services.settings.owner, answer).get(citation.document, ""),
            live=make_fragment_link(citation.url, citation.quote) if citation.url else "",
        )
    )
    folder = services.settings.data / "shown"
    path = folder / f"{citation.document[:8]}-{citation.start}-{citation.end}.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8", errors="replace")
        for old in sorted(folder.glob("*.html"), key=lambda each: each.stat().st_mtime)[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.", "Check the data folder.") from None
    return path.absolute()


def _draw_pages(services: "Services", citation: "Citation") -> tuple[dict[int, bytes], list[str]]:
    """Return the pictures of the cited pages by number, and a sentence for each missing picture."""
    from pincite.isolation.child_process import IsolatedProcess
    from pincite.store import documents

    pictures, missing = dict[int, bytes](), list[str]()
    if citation.kind not in _DRAWN or not citation.boxes:
        return pictures, missing
    with services.library.database.reading() as connection:
        stored = documents.get_visible(connection, services.settings.owner, citation.document)
    with ExitStack() as stack:
        stack.enter_context(options.make_console(stderr=True).status("Drawing the page…"))
        try:
            source = stack.enter_context(services.library.open_source(stored))
        except NotFound as error:
            return pictures, [f"There is no picture of the page: {error.message} {error.hint}"]
        reader = stack.enter_context(IsolatedProcess(services.settings.reading))
        for boxes in citation.boxes:
            try:
                pictures[boxes.page] = reader.picture(source, boxes.page, _DPI)
            except Unreadable as error:
                missing.append(f"There is no picture of page {boxes.page}: {error.message} {error.hint}".strip())
    return pictures, missing


def _has_screen() -> bool:
    """Return whether a graphical browser is available. A browser in the terminal would replace the output."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
