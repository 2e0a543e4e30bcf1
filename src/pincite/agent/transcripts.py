"""What is said in a video to a document that is kept, so that it can be cited like a page."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.agent.turn import Turn
from pincite.library.archive import archive
from pincite.reading import text
from pincite.reading.source import Source
from pincite.retrieval.references import language_of
from pincite.web.youtube import Segment, Transcript, transcript

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.store.documents import StoredDocument

_ENOUGH, _LONGEST = 250, 450  # characters of a paragraph that may end with its sentence, and that must end


async def transcribed(turn: Turn, url: str, language: str = "") -> "tuple[Transcript, StoredDocument]":
    """What is said in a video, in a language or in that of the question, and the document that is kept of it."""
    own = language_of(turn.asked.question, turn.asked.history)
    languages = list(dict.fromkeys(filter(None, (language, own, "en"))))
    found = await transcript(url, languages, turn.house.settings)
    return found, await asyncio.to_thread(_kept, turn.house.library, found)


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


def _kept(library: "Library", found: Transcript) -> "StoredDocument":
    with tempfile.TemporaryDirectory(prefix="pincite-video-") as folder:
        path = Path(folder) / f"{found.video}.txt"
        path.write_text("\n\n".join(paragraphs(found.segments)) + "\n", encoding="utf-8")
        told = {"url": found.url, "fetched": datetime.now(UTC).isoformat(timespec="seconds"), "video": found.video}
        language = found.language.partition("-")[0].lower()
        document = replace(
            text.read(Source(path, path.name)), title=found.title or found.url, language=language, metadata=told
        )
        return archive(library, path, document, found.url)
