"""What is said in a video to a document that is kept, so that it can be cited like a page."""

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.isolation.process import Isolated
from pincite.library.archive import archive
from pincite.reading.source import Source
from pincite.web.youtube import Segment, Transcript

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.store.documents import StoredDocument

_ENOUGH, _LONGEST = 250, 450  # characters of a paragraph that may end with its sentence, and that must end


def paragraphs(segments: Sequence[Segment]) -> Iterator[str]:
    """What is said, in paragraphs of a few sentences: a machine that listens writes no full stops."""
    said = ""
    for segment in segments:
        said = f"{said} {segment.text}".strip()
        if len(said) >= _LONGEST or (len(said) >= _ENOUGH and said[-1] in ".!?…"):
            yield said
            said = ""
    if said:
        yield said


def keep_transcript(library: "Library", found: Transcript) -> "StoredDocument":
    """The document of a transcript, kept in the library of web pages."""
    with tempfile.TemporaryDirectory(prefix="pincite-video-") as folder:
        path = Path(folder) / f"{found.video}.txt"
        path.write_text("\n\n".join(paragraphs(found.segments)) + "\n", encoding="utf-8")
        told = {"url": found.url, "fetched": datetime.now(UTC).isoformat(timespec="seconds"), "video": found.video}
        language = found.language.partition("-")[0].lower()
        with Isolated(library.settings.reading) as reader:
            source = Source(path, path.name)
            return archive(library, reader, source, found.url, told, found.title or "", language)
