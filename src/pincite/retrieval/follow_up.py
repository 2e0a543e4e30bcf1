"""A question asked after another: searched as it is and with the last question's subject, and the ranking chooses."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.retrieval.references import says_little
from pincite.retrieval.reformulate import add_subject
from pincite.types import Hit, Scope, Span

if TYPE_CHECKING:
    from pincite.retrieval.search import Search

_DEPTH = 60  # passages of the search with the question as asked
_KEPT = 3  # of them stay among the found, whatever the subject


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The passages found, best first, and how the subject changed them.

    `is_other` says that the first passage is another than without the subject; `is_elsewhere` that the first passage
    without the subject is not even among those found with it.
    """

    hits: tuple[Hit, ...]
    is_other: bool
    is_elsewhere: bool


def needs_subject(question: str, found: FollowUp, language: str) -> bool:
    """Whether the ranking says that the subject belongs to the question.

    Its best passage is lost with the subject, or it says little by itself and another passage is best. A question that
    stands alone has words enough to be found beside any subject.
    """
    return found.is_elsewhere or (says_little(question, language) and (found.is_other or not found.hits))


def search_follow_up(
    search: "Search", question: str, subject: str, scope: Scope, limit: int, keep_first: bool = False
) -> FollowUp:
    """The best passages for a question after one on some subject.

    The search with the subject finds them, and both searches order them: of the passages on the subject, the one that
    answers the question itself comes first, not the one that answered the last question. The best passages for the
    question as asked are always among them, and with `keep_first` the very best stays first, for a question that stands
    alone.
    """
    own = search.search(question, scope, max(_DEPTH, limit))
    beside = search.search(add_subject(question, subject), scope, limit)
    asked: dict[Span, float] = {hit.span: hit.score for hit in own}
    found = {hit.span: hit for hit in (*own[:_KEPT], *beside)}
    meant = {hit.span: hit.score for hit in beside}
    ranked = sorted(
        (replace(hit, score=(asked.get(span, 0.0) + meant.get(span, 0.0)) / 2) for span, hit in found.items()),
        key=lambda hit: -hit.score,
    )[:limit]
    best = own[0].span if own else None
    if keep_first and best is not None:
        top = ranked[0].score
        ranked.sort(key=lambda hit: hit.span != best)
        ranked[0] = replace(ranked[0], score=top)
    return FollowUp(tuple(ranked), bool(ranked) and ranked[0].span != best, bool(beside) and best not in meant)
