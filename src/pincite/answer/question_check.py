"""Refuse a question that cannot be asked: an empty one, a very long one, or one to the web without a search engine."""

from typing import TYPE_CHECKING

from pincite.answer.question import AskedQuestion
from pincite.errors import NO_SEARCH_ENGINE, Misuse
from pincite.web.addresses import find_addresses

if TYPE_CHECKING:
    from pincite.answer.services import Services

_LONGEST_QUESTION = 100_000  # characters


def check_question(asked: AskedQuestion, services: "Services") -> None:
    """Raise `Misuse` when a question cannot be asked."""
    if not asked.question.strip():
        raise Misuse("The question is empty.", "Ask something.", "empty_question")
    if len(asked.question) > _LONGEST_QUESTION:
        raise Misuse(
            f"The question has {len(asked.question):,} characters, more than {_LONGEST_QUESTION:,}.",
            "Add long texts as documents, and ask about them.",
            "long_question",
            {"characters": len(asked.question), "most": _LONGEST_QUESTION},
        )
    if asked.focus == "web" and not find_addresses(asked.question) and services.find_engine(asked.scope.owner) is None:
        raise Misuse(
            "There is no search engine, so the web cannot be searched.",
            "Set web.search_url, or give the address of a SearXNG among the settings of the page; "
            "or ask with the focus `documents`.",
            NO_SEARCH_ENGINE,
        )
