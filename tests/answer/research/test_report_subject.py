"""A report without a model is about its subject: documents about something else give it no section."""

from typing import Any

from pincite.answer.research.report_subject import split_by_subject
from pincite.types import Hit, Span

NO_CONTEXT: Any = None  # a question without a name looks nothing up


def hit(document: str, score: float, dense: float = 0.8, chosen: bool = False) -> Hit:
    return Hit(Span(document, 0, 9), document, "text", "words", score, dense=dense, chosen=chosen)


def keep(*hits: Hit) -> list[str]:
    return [each.title for each in split_by_subject(NO_CONTEXT, "rules for bathing", hits)[0]]


def test_a_document_stays_with_all_its_passages_if_its_best_one_fits() -> None:
    assert keep(hit("dam", 0.8), hit("report", 0.45), hit("lease", 0.3), hit("dam", 0.2)) == ["dam", "report", "dam"]


def test_the_best_document_stays_even_if_it_fits_badly() -> None:
    assert keep(hit("dam", 0.3), hit("lease", 0.2)) == ["dam"]


def test_scores_of_words_alone_and_of_a_reranker_drop_nothing() -> None:
    assert keep(hit("dam", 0.8), hit("lease", 0.1, dense=0.0)) == ["dam", "lease"]
    assert keep(hit("dam", 0.8, chosen=True), hit("lease", 0.1, chosen=True)) == ["dam", "lease"]


def test_nothing_found_is_nothing_kept() -> None:
    assert keep() == []
