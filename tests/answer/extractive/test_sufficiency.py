"""A passage answers when it has the question's words or stands out above the other passages of the library."""

from dataclasses import replace

from pincite.answer.extractive.passage_ranking import RatedSection
from pincite.answer.extractive.passage_units import divide_evidence
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.sufficiency import is_answered
from pincite.types import Evidence, Span

QUESTION = "How long is the notice period of a furnished flat?"
RELATED = "Tenants who leave must tell the owner one month before the day on which they go."
MANY = [0.83] * 200


def rated(text: str, cosine: float) -> list[RatedSection]:
    """A passage that was found with this cosine; 0 for one that was found by its words alone."""
    source = Evidence(1, Span("d", 0, len(text)), "", "text", text, sentences=((0, len(text)),), dense=cosine)
    return [RatedSection(section, 0, 1.0, cosine=cosine) for section in divide_evidence(source)]


def test_a_passage_answers_in_other_words_when_it_stands_out_above_the_others() -> None:
    asking = parse_question(QUESTION)
    assert is_answered(asking, rated(RELATED, 0.90), MANY)
    assert not is_answered(asking, rated(RELATED, 0.85), MANY)


def test_how_near_it_must_be_depends_on_the_library() -> None:
    asking = parse_question(QUESTION)
    assert is_answered(asking, rated(RELATED, 0.87), [0.79] * 200)
    assert not is_answered(asking, rated(RELATED, 0.87), [0.86] * 200)


def test_among_many_passages_the_best_must_be_nearer_than_among_few() -> None:
    asking = parse_question(QUESTION)
    few, many = [0.80] * 50, [0.80] * 200
    nearest = next(
        cosine / 1000 for cosine in range(800, 900) if is_answered(asking, rated(RELATED, cosine / 1000), few)
    )
    assert not is_answered(asking, rated(RELATED, nearest), many)
    assert is_answered(asking, rated(RELATED, nearest + 0.01), many)


def test_a_page_that_was_not_searched_for_needs_no_more_in_a_large_library() -> None:
    asking = parse_question(QUESTION)
    for cosine in (0.82, 0.85, 0.88):
        page = [
            replace(one, section=replace(one.section, evidence=replace(one.section.evidence, dense=0.0)))
            for one in rated(RELATED, cosine)
        ]
        assert is_answered(asking, page, MANY) == is_answered(asking, page)


def test_with_its_words_a_passage_need_not_stand_out() -> None:
    text = "The notice period of a furnished flat is one month long."
    assert is_answered(parse_question(QUESTION), rated(text, 0.84), MANY)


def test_a_library_of_one_passage_is_compared_with_any_texts() -> None:
    asking = parse_question(QUESTION)
    assert is_answered(asking, rated(RELATED, 0.88), [0.88])
    assert not is_answered(asking, rated(RELATED, 0.80), [0.80])


def test_between_two_languages_words_need_not_be_the_same() -> None:
    french = "Le locataire doit prévenir le propriétaire un mois avant de quitter le logement, et pas plus tard."
    asking = parse_question(QUESTION)
    assert is_answered(asking, rated(french, 0.88), MANY)
    assert not is_answered(asking, rated(french, 0.84), MANY)


def test_without_an_embedder_the_words_tell() -> None:
    asking = parse_question(QUESTION)
    assert is_answered(asking, rated("The notice period of the flat is a month.", 0))
    assert not is_answered(asking, rated("Penguins live in the south.", 0))


def test_nothing_answers_where_nothing_was_found() -> None:
    assert not is_answered(parse_question(QUESTION), [])


def test_a_word_that_both_languages_have_counts() -> None:
    french = "Le kilométrage de V03 est de 41 200 et celui des autres véhicules est dans la table de la page suivante."
    assert is_answered(parse_question("What is V03?"), rated(french, 0.82), MANY)


def test_the_words_of_one_passage_and_the_nearness_of_another_are_no_answer() -> None:
    asking = parse_question(QUESTION)
    worded, near = rated("A furnished flat was let for a long period.", 0.80), rated(RELATED, 0.87)
    assert not is_answered(asking, worded, MANY)
    assert not is_answered(asking, near, MANY)
    assert not is_answered(asking, [*worded, *near], MANY)
    both = rated("A furnished flat was let for a long period.", 0.87)
    assert is_answered(asking, [*near, *both], MANY)
