"""One log line for each question: the sources that were retrieved for it."""

import logging
from collections.abc import Sequence

from pincite.types import Evidence

LOGGER = "pincite.sources"
_LONGEST_TITLE = 80  # characters

_log = logging.getLogger(LOGGER)


def log_sources(question_id: str, sources: Sequence[Evidence]) -> None:
    """Log the number, title, page and score of every source of a question, in one line."""
    if _log.isEnabledFor(logging.INFO):
        listed = "; ".join(map(_describe, sources)) or "none"
        of = f" for question {question_id}" if question_id else ""
        _log.info("Sources retrieved%s: %s", of, listed)


def _describe(source: Evidence) -> str:
    title = " ".join((source.title or source.name or source.span.document).split())
    page = f", p. {source.page}" if source.page else ""
    return f"[{source.number}] {title[:_LONGEST_TITLE]}{page} ({source.score:.2f})"
