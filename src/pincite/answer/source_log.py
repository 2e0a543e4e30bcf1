"""Log two lines for each question: the sources that were retrieved, and the requests that left this machine."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.events import Sent

LOGGER = "pincite.sources"
_LONGEST_TITLE = 80  # characters

_log = logging.getLogger(LOGGER)


def log_sources(question_id: str, sources: Sequence[Evidence], sent: "Sequence[Sent]" = ()) -> None:
    """Log the number, title, page and score of every source of a question, in one line.

    When addresses or searches left this machine, a second line lists them.
    """
    # Nobody asked the question with which a server warms up: it has no id.
    if not question_id or not _log.isEnabledFor(logging.INFO):
        return
    _log.info("Sources retrieved for question %s: %s", question_id, "; ".join(map(_describe_source, sources)) or "none")
    if sent:
        _log.info("Left this machine for question %s: %s", question_id, "; ".join(map(describe_sent, sent)))


def describe_sent(sent: "Sent") -> str:
    """Describe a sent request on one line."""
    value = " ".join(sent.value.split())
    return f"search “{value}”" if sent.kind == "search" else value


def _describe_source(source: Evidence) -> str:
    title = " ".join((source.title or source.name or source.span.document).split())
    page = f", p. {source.page}" if source.page else ""
    return f"[{source.number}] {title[:_LONGEST_TITLE]}{page} ({source.score:.2f})"
