"""Store the transcript of a video as a document, so that it can be cited like a page."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pincite.isolation.child_process import IsolatedProcess
from pincite.library.web_snapshots import archive_page
from pincite.reading.source import Source
from pincite.store.scratch import make_scratch
from pincite.web.youtube import TranscriptSegment, VideoTranscript

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.store.documents import StoredDocument

_ENOUGH, _LONGEST = 250, 450  # characters after which a paragraph ends with its sentence, and at once


def split_paragraphs(segments: Sequence[TranscriptSegment]) -> Iterator[str]:
    """Yield the transcript in paragraphs of a few sentences. Generated transcripts have no full stops."""
    paragraph = ""
    for segment in segments:
        paragraph = f"{paragraph} {segment.text}".strip()
        if len(paragraph) >= _LONGEST or (len(paragraph) >= _ENOUGH and paragraph[-1] in ".!?…"):
            yield paragraph
            paragraph = ""
    if paragraph:
        yield paragraph


def store_transcript(library: "Library", owner: str, found: VideoTranscript) -> "StoredDocument":
    """Store a transcript in the owner's library of web pages, and return its document."""
    with make_scratch(library.settings.data) as folder:
        path = folder / f"{found.video}.txt"
        path.write_text("\n\n".join(split_paragraphs(found.segments)) + "\n", encoding="utf-8")
        metadata = {"url": found.url, "fetched": datetime.now(UTC).isoformat(timespec="seconds"), "video": found.video}
        language = found.language.partition("-")[0].lower()
        with IsolatedProcess(library.settings.reading) as reader:
            source = Source(path, path.name)
            return archive_page(library, owner, reader, source, found.url, metadata, found.title or "", language)
