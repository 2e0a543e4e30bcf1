from pincite.retrieval.focus import coordinated, focus
from pincite.types import Exchange


def about(*asked: str | Exchange, language: str = "en") -> list[str]:
    history = [each if isinstance(each, Exchange) else Exchange(each) for each in asked]
    return [weighed.topic.words for weighed in focus(history, language)]


def test_what_was_introduced_last_comes_first() -> None:
    assert about("What is dry rot?", "Tell me about kidney stones.")[0] == "kidney stones"


def test_what_is_asked_about_in_passing_does_not_take_its_place() -> None:
    assert about("What is dry rot?", Exchange("Can it spread to the roof?", "", "Can dry rot spread …"))[0] == (
        "dry rot"
    )


def test_a_question_that_stands_alone_turns_the_conversation() -> None:
    history = (
        "What is a commercial lease?",
        Exchange("How long does it last?", "", "How long does commercial lease last?"),
    )
    assert about(*history, "How do I renew a passport?")[0] == "passport"


def test_what_the_last_answer_speaks_of_counts_for_more() -> None:
    asked = "How do landlords and tenants share repairs?"
    assert about(Exchange(asked, "Tenants pay small ones. Tenants tell of large ones."))[0] == "tenants"
    assert about(Exchange(asked, "Landlords pay."))[0] == "landlords"


def test_what_an_answer_names_again_and_again_joins() -> None:
    answer = "The deposit is held. The deposit is returned. The deposit bears interest."
    assert "deposit" in about(Exchange("What is a lease?", answer))


def test_a_name_that_answers_who_is_known_to_be_one() -> None:
    (named,) = [
        weighed.topic.words
        for weighed in focus([Exchange("Who wrote the novel?", "Victor Hugo wrote it in 1862.")], "en")
        if weighed.is_answer
    ]
    assert named == "Victor Hugo"


def test_two_things_named_together_stay_together() -> None:
    pair = coordinated([Exchange("Compare leases in Lyon and Paris."), Exchange("Thanks.")], "en")
    assert pair
    assert [topic.words for topic in pair] == ["Lyon", "Paris"]
    assert coordinated([Exchange("What is a lease?")], "en") is None


def test_of_a_long_conversation_the_first_question_and_the_last_ones_are_remembered() -> None:
    found = about("What is dry rot?", *(f"Tell me about Town{number}." for number in range(50)))
    assert found[0] == "Town49"
    assert "dry rot" in found
    assert "Town0" not in found


def test_nothing_was_said_about_nothing() -> None:
    assert about() == []
    assert about("Why?") == []


def test_french_conversations_are_followed_too() -> None:
    assert about("Quel est le taux de TVA sur les livres ?", language="fr")[0] == "TVA"
    assert about("Qu'est-ce que la TVA ?", "Comment demander un passeport ?", language="fr")[0] == "passeport"
