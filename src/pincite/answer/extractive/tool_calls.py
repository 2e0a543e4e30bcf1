"""The tool calls of the extractive answerer, and their results."""

from dataclasses import dataclass

from pincite.store.documents import StoredDocument
from pincite.types import Evidence

SEARCH, OUTLINE, LIST = "search_documents", "outline_document", "list_documents"
FILES = "file_search"  # replaces a search where a task has no other
WEB = "web_search"
PROJECT = "search_project"
IMAGES, VIDEOS = "image_search", "video_search"
NOTEBOOK = "read_notebook"
# Pages and the notebook that the question is about, which are read before the answerer runs.
PAGES = frozenset({"scrape_web_page", "youtube_transcript", NOTEBOOK})


@dataclass(frozen=True, slots=True)
class Call:
    """The name of a tool and its arguments."""

    tool: str
    given: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a call: evidence in order, documents, or a number of pictures; or a failure."""

    call: Call
    evidence: tuple[Evidence, ...] = ()
    documents: tuple[StoredDocument, ...] = ()
    media: int = 0
    failed: bool = False
