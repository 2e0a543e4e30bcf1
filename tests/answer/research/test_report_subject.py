"""A report without a model is about its subject: documents about something else give it no section."""

from types import SimpleNamespace
from typing import Any

from pincite.answer.question import UnderstoodQuestion
from pincite.answer.research.report_subject import keep_named, list_names, list_section_names, split_by_subject
from pincite.types import Evidence, Hit, Span


def hit(document: str, score: float, lexical: float = 0.0, dense: float = 0.8, chosen: bool = False) -> Hit:
    return Hit(Span(document, 0, 9), document, "text", "words", score, lexical=lexical, dense=dense, chosen=chosen)


def keep(*hits: Hit, subject: str = "") -> list[str]:
    # A question without a name looks nothing up.
    context: Any = SimpleNamespace(understood=UnderstoodQuestion(question="rules for bathing", subject=subject))
    return [each.title for each in split_by_subject(context, [], hits)[0]]


def test_a_document_stays_with_all_its_passages_if_its_best_one_fits() -> None:
    found = hit("dam", 0.8, 3.0), hit("report", 0.45), hit("lease", 0.3, 1.0), hit("dam", 0.2)
    assert keep(*found) == ["dam", "report", "dam"]


def test_a_document_with_nearly_as_many_of_the_words_stays_however_low_its_rank() -> None:
    assert keep(hit("dam", 0.73, 3.1), hit("pool", 0.27, 3.0)) == ["dam", "pool"]


def test_a_follow_up_that_was_searched_for_twice_drops_nothing() -> None:
    assert keep(hit("dam", 0.8, 3.0), hit("lease", 0.3, 1.0), subject="the dam") == ["dam", "lease"]


def test_scores_of_words_alone_and_of_a_reranker_drop_nothing() -> None:
    assert keep(hit("dam", 0.8), hit("lease", 0.1, dense=0.0)) == ["dam", "lease"]
    assert keep(hit("dam", 0.8, chosen=True), hit("lease", 0.1, chosen=True)) == ["dam", "lease"]


def test_nothing_found_is_nothing_kept() -> None:
    assert keep() == []


def test_a_section_is_about_the_names_in_its_heading_and_one_without_about_those_of_its_question() -> None:
    question = "How does GFS keep chunks, and what does Kubernetes do?"
    assert list_section_names(question, "What does Kubernetes do", "What does Kubernetes do? (GFS chunks)") == [
        "Kubernetes"
    ]
    assert list_section_names(question, "What does it do", "What does it do? (GFS chunks)") == ["GFS"]


def test_the_word_that_asks_for_a_comparison_is_no_part_of_a_name() -> None:
    assert list_names("Compare Kubernetes and Nomad") == ["Kubernetes", "Nomad"]
    assert list_section_names("Compare Kubernetes and Nomad", "Kubernetes", "Kubernetes") == ["Kubernetes"]


def test_of_several_named_subjects_each_keeps_its_own_passages() -> None:
    texts = ("Corvane and Lumex grow.", "Corvane has a pump.", "Kestrel is late.", "In 2023 it rained.")
    found = [Evidence(at, Span(str(at), 0, len(text)), "", "text", text) for at, text in enumerate(texts)]
    kept = keep_named(["Corvane", "Lumex", "Kestrel", "2023"], found)
    assert [each.text for each in kept] == ["Corvane and Lumex grow.", "Kestrel is late."]
