"""Search for a follow-up question as it is and with the last question's subject, and let the ranking choose."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.index.terms import list_terms
from pincite.search.question_subject import add_subject
from pincite.search.references import has_few_words
from pincite.text.dictionary import is_dictionary_word
from pincite.text.names import find_names, is_code
from pincite.text.words import LETTERS
from pincite.types import Hit, Scope, Span

if TYPE_CHECKING:
    from pincite.search.search import PassageSearch

_DEPTH = 60  # passages of the search with the question as asked
_KEPT = 3  # of them are always among the results, if there is room for twice as many


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The passages found, best first, and the effect of the subject on them.

    `changes_best` says that the best passage differs when the subject is added. `loses_best` says that the search with
    the subject does not find the best passage of the search without it, which is `best`.
    """

    hits: tuple[Hit, ...]
    changes_best: bool
    loses_best: bool
    best: Hit | None = None


def needs_subject(question: str, found: FollowUp, language: str) -> bool:
    """Whether the ranking shows that the subject belongs to the question.

    It does if the question's best passage is lost with the subject, or if the question has few words and another
    passage is best. A question that stands alone has enough words to be found beside any subject; or it has a name, or
    one passage has all of its words. Without any passage of its own and any known word it asks nothing.
    """
    words = LETTERS.findall(question)
    if found.best is None and words and not any(map(is_dictionary_word, words)):
        return False
    if has_few_words(question, language):
        return found.loses_best or found.changes_best or not found.hits
    has_name = any(" " in name or not is_code(name) for name in find_names(question))  # a year or "CEO" is no subject
    stands_alone = has_name or _has_all_words(found.best, question, language)
    return found.loses_best and not stands_alone


def _has_all_words(hit: Hit | None, question: str, language: str) -> bool:
    """Whether a passage, with its title and headings, has all words of a question."""
    if hit is None:
        return False
    text = " ".join((hit.title, *hit.headings, hit.text))
    return set(list_terms(question, language)) <= set(list_terms(text, language))


def search_follow_up(
    search: "PassageSearch", question: str, subject: str, scope: Scope, limit: int, keep_first: bool = False
) -> FollowUp:
    """Return the best passages for a question that follows one on some subject.

    The search with the subject finds them, and both searches order them: among the passages on the subject, the one
    that answers this question comes first, not the one that answered the last. The best passages for the question
    as asked are always included, up to half of all; with `keep_first` the very best stays first, for a question that
    stands alone. Such a question that finds nothing finds nothing with the subject either.
    """
    own = search.search(question, scope, max(_DEPTH, limit))
    if keep_first and not own:
        return FollowUp((), changes_best=False, loses_best=False)
    beside = search.search(add_subject(question, subject), scope, limit)
    asked: dict[Span, float] = {hit.span: hit.score for hit in own}
    meant = {hit.span: hit.score for hit in beside}
    kept = {hit.span for hit in own[: max(min(_KEPT, limit // 2), keep_first)]}
    found = {hit.span: hit for hit in (*own[:_KEPT], *beside)}
    ranked = sorted(
        (replace(hit, score=(asked.get(span, 0.0) + meant.get(span, 0.0)) / 2) for span, hit in found.items()),
        key=lambda hit: -hit.score,
    )
    others = [hit for hit in ranked if hit.span not in kept][: limit - len(kept)]
    ranked = [hit for hit in ranked if hit.span in kept or hit in others]
    best = own[0].span if own else None
    if keep_first and best is not None:
        top = ranked[0].score
        ranked.sort(key=lambda hit: hit.span != best)
        ranked[0] = replace(ranked[0], score=top)
    first = own[0] if own else None
    return FollowUp(tuple(ranked), bool(ranked) and ranked[0].span != best, bool(beside) and best not in meant, first)
