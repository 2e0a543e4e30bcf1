import pytest

from pincite.retrieval.naming import introduced, pronoun, stands_alone


@pytest.mark.parametrize(
    ("question", "language", "found"),
    [
        ("Is it renewable?", "en", "it"),
        ("Who signs them?", "en", "them"),
        ("Are there exceptions?", "en", None),
        ("Which rules that apply are new?", "en", "that"),
        ("Is it one of the rules?", "en", "it"),
        ("Who is one of the founders?", "en", None),
        ("What does it mean to rent it?", "en", "it"),
        ("That is clear. Who signs them?", "en", "them"),
        ("Quand est-il rendu ?", "fr", "il"),
        ("Faut-il signer le bail ?", "fr", None),
        ("Y a-t-il une exception ?", "fr", None),
    ],
)
def test_words_that_stand_for_something_are_told_from_those_that_do_not(
    question: str, language: str, found: str | None
) -> None:
    match = pronoun(question, language)
    assert (match[0] if match else None) == found


@pytest.mark.parametrize(
    ("question", "language", "alone"),
    [
        ("What is a lease, and how long does it last?", "en", True),
        ("How does frost change it?", "en", False),
        ("L'employeur peut-il refuser ?", "fr", True),
        ("Peut-il refuser le télétravail ?", "fr", False),
    ],
)
def test_a_pronoun_may_stand_for_what_the_question_names_itself(question: str, language: str, alone: bool) -> None:
    match = pronoun(question, language)
    assert match
    assert stands_alone(question, match, introduced(question, language), language) is alone


def test_some_questions_are_there_to_introduce_a_thing() -> None:
    assert [is_new for _, is_new in introduced("What is a commercial lease?", "en")] == [True]
    assert [is_new for _, is_new in introduced("What are the advantages of solar panels?", "en")] == [True]
    assert [is_new for _, is_new in introduced("Who pays the repairs?", "en")] == [False]
    assert [is_new for _, is_new in introduced("Qu'est-ce qu'un bail commercial ?", "fr")] == [True]
    assert [is_new for _, is_new in introduced("Qui paie les réparations ?", "fr")] == [False]
