import pytest

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.holding import looks


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        (
            "How many pupils attend?",
            "In all, 840 pupils attend.",
            "In 1901 a larger house was bought at the edge of the town, for the pupils.",
        ),
        ("How many pupils attend?", "The school opened in 1901.", "The school is old."),
        ("Combien de livres peut-on emprunter ?", "Dix livres au plus.", "Les livres sont rangés."),
        ("What is the total of net sales?", "Net sales | 1,234", "Cost of sales | 980"),
        ("When was it built?", "It was built in 1950.", "It was built of stone."),
        ("Who led the team?", "The team was led by Maria Lindqvist.", "It was led with care."),
        ("Peut-on fumer ?", "Non, c'est interdit.", "Il est interdit de fumer."),
        ("What is a weir?", "A weir is a low dam.", "The mill has a weir."),
        ("Qu'est-ce qu'un prêt sur gage ?", "Le prêt sur gage est un prêt garanti.", "On parle du prêt sur gage ici."),
        ("Why did it close?", "It closed because of rust.", "It closed in May."),
    ],
)
def test_a_sentence_that_holds_what_is_asked_for_looks_more_like_an_answer(
    question: str, better: str, worse: str
) -> None:
    look = looks(understand(question))
    assert 1 >= look(better) > look(worse) >= 0


def test_a_term_of_brackets_alone_is_no_trouble() -> None:
    assert looks(understand("What is (x)?"))("(x) is a letter.") >= 0
