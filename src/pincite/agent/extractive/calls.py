"""A tool call that the answerer makes, and what came of it."""

from dataclasses import dataclass

from pincite.store.documents import StoredDocument
from pincite.types import Evidence

SEARCH, OUTLINE, LIST = "search_documents", "outline_document", "list_documents"
FILES = "file_search"  # what stands for a search where a task has no other
WEB = "web_search"
IMAGES, VIDEOS = "image_search", "video_search"
PAGES = frozenset({"scrape_web_page", "youtube_transcript"})  # read for the question, before it came here


@dataclass(frozen=True, slots=True)
class Call:
    """A tool, by its name, and what it is given."""

    tool: str
    given: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """What a call gave: evidence, in its order, or documents, or pictures so many; or that it failed."""

    call: Call
    evidence: tuple[Evidence, ...] = ()
    documents: tuple[StoredDocument, ...] = ()
    media: int = 0
    failed: bool = False
