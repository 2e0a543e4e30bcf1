"""Tool calls in words: what is being done, what was done, and what came of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.events import ToolCallStarted

# What a tool does while it runs, and what it has done.
_DOING = {
    "search_documents": ("Searching", "searched"),
    "file_search": ("Searching the documents for", "searched the documents for"),
    "outline_document": ("Looking through", "looked through"),
    "read_document": ("Reading", "read"),
    "list_documents": ("Listing the documents", "listed the documents"),
    "calculate": ("Computing", "computed"),
    "navigate": ("Opening", "opened"),
    "highlight": ("Marking", "marked"),
    "firefoxAI": ("Reading the page", "was given the page"),
    "web_search": ("Searching the web for", "searched the web for"),
    "scrape_web_page": ("Reading", "read"),
    "url_summarization": ("Summing up", "summed up"),
    "pdf_loader": ("Reading the PDF", "read the PDF"),
    "image_search": ("Looking for pictures of", "looked for pictures of"),
    "video_search": ("Looking for videos of", "looked for videos of"),
    "youtube_transcript": ("Reading what is said in", "read what is said in"),
}
_LONGEST_ADDRESS = 60  # characters


def named(call: "ToolCallStarted", tense: int) -> str:
    """What a tool call does (0), or did (1), and with what."""
    given = call.attributes
    said = _DOING.get(call.name, (f"Running {call.name}", f"ran {call.name}"))[tense]
    words = given.get("query") or given.get("words") or ""
    quoted = f"“{words}”" if words else ""
    if url := given.get("url"):
        return " ".join(filter(None, (said, _address(url), f"for {quoted}" if quoted else "")))
    document, page = given.get("document", ""), given.get("page", "")
    parts = [said, quoted, f"{'in ' if words else ''}{document}" if document else ""]
    parts += [f"page {page}" if page and call.name != "web_search" else ""]
    parts += [f"source {given['evidence']}" if "evidence" in given else ""]
    return " ".join(part for part in parts if part)


def found(call: "ToolCallStarted | None", extra: Mapping[str, str]) -> str:
    """What came of a tool call, as far as it tells."""
    parts = [f"{extra['found']} found" if "found" in extra else ""]
    if call and call.name == "web_search":
        pages = extra.get("pages", "")
        parts[0] += f" on {pages} {'page' if pages == '1' else 'pages'}" if parts[0] and pages else ""
        parts.append(f"{extra['failed']} not readable" if "failed" in extra else "")
    parts.append(f"also for “{extra['subject']}”" if extra.get("subject") else "")
    parts.append(f"no answer from {extra['unresponsive']}" if "unresponsive" in extra else "")
    return ", ".join(part for part in parts if part)


def _address(url: str) -> str:
    """An address as short as people say it."""
    bare = url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    return bare if len(bare) <= _LONGEST_ADDRESS else bare[: _LONGEST_ADDRESS - 1] + "…"
