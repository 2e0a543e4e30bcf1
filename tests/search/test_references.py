import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.references import has_few_words, needs_history
from pincite.text.language import detect_conversation_language
from pincite.types import Exchange

TALKED = (Exchange("Quel est le taux de TVA sur les livres ?", "5,5 %."),)
SPOKEN = (Exchange("What is a commercial lease?", "A contract."),)


@pytest.mark.parametrize(
    "question",
    [
        # Strong, however long the question is.
        "Quel est le montant exact de celle qui a été versée par le locataire en 2023 ?",
        "Et celui de la presse quotidienne, est-il différent dans les départements d'outre-mer ?",
        "Quels sont ceux qui en bénéficient encore après la réforme de cette année ?",
        "Celles des salariés aussi ?",
        # Medium, in fewer than eight words.
        "Combien ça coûte ?",
        "Cela dépend de quoi ?",
        "Ce taux est-il réduit ?",
        "Depuis quand cette règle existe ?",
        "Qui applique ces règles ?",
        # Pronouns as the first word.
        "Il est valable combien de temps ?",
        "Elle s'applique aux entreprises de moins de cinquante salariés dans toutes les régions ?",
        "Ils paient quoi ?",
        "Elles sont publiées où ?",
        "Y a-t-on droit à temps partiel ?",
        "En parle-t-on dans le contrat de travail ?",
        "En combien de temps ?",
        # Openings.
        "Et celle de la presse ?",
        "Et celui-ci ?",
        "Et ça ?",
        # Nothing of its own.
        "Pourquoi ?",
    ],
)
def test_a_french_question_refers_back_by_the_rules(question: str) -> None:
    assert needs_history(question, TALKED)
    assert needs_history(question, TALKED, "fr")
    assert not needs_history(question, ())


@pytest.mark.parametrize(
    "question",
    [
        # Articles are not references.
        "Quelle est la procédure de remboursement ?",
        "Où sont les formulaires ?",
        "Quels sont les risques ?",
        # Medium signs in eight words or more.
        "Quel est le délai légal pour contester cette décision devant le tribunal ?",
        "Combien de temps ça prend pour obtenir un passeport en urgence ?",
        # Pronouns that are not the first word, and words that are not pronouns.
        "L'employeur peut-il refuser le télétravail ?",
        "Qu'est-ce que la TVA ?",
        "Est-ce que le bail est renouvelable ?",
        "L'employeur doit-il motiver sa décision ?",
        "Et les taxes ?",
    ],
)
def test_a_french_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert not needs_history(question, TALKED)
    assert not needs_history(question, TALKED, "fr")


@pytest.mark.parametrize("question", ["Why?", "How many?", "And then?"])
def test_a_question_without_a_word_of_its_own_refers_back(question: str) -> None:
    assert needs_history(question, SPOKEN)
    assert not needs_history(question, ())


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Peru?",
        "Which committee approved the budget and who chairs it?",
        "What is the research programme and what is its duration?",
        "Who was Ada Lovelace, and when did she die?",
        "How long does it last?",  # no rule says so: the ranking decides
    ],
)
def test_no_rule_says_that_an_english_question_with_words_of_its_own_refers_back(question: str) -> None:
    assert not needs_history(question, SPOKEN)


def test_a_question_says_little_with_one_word_of_its_own() -> None:
    assert has_few_words("Is it harmful?", "en")
    assert has_few_words("Pourquoi ça ?", "fr")
    assert has_few_words("Combien a-t-elle coûté ?", "fr")
    assert not has_few_words("Is dry rot harmful?", "en")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is the notice period?", "en"),
        ("Quel est le délai de préavis ?", "fr"),
        ("Who wrote Les Misérables?", "en"),
        ("Qui a écrit Wuthering Heights ?", "fr"),
        ("Combien ?", "fr"),
        ("Why?", "en"),
    ],
)
def test_the_language_is_told_from_a_few_words(question: str, language: str) -> None:
    assert detect_conversation_language(question) == language


def test_a_question_that_does_not_tell_its_language_has_that_of_the_conversation() -> None:
    assert detect_conversation_language("TVA 2024 ?", TALKED) == "fr"
    assert detect_conversation_language("TVA 2024 ?", SPOKEN) == "en"
    assert detect_conversation_language("TVA 2024 ?") == "en"
    assert detect_conversation_language("What is this?", SPOKEN, "fr-FR") == "fr"


def test_a_page_that_is_pasted_says_enough_itself() -> None:
    page = "It says that the tenant may keep them. " * 3000
    assert not needs_history(page, SPOKEN)
    assert needs_history("Does it?", (Exchange(page, page, page),))


@given(st.text(max_size=200))
def test_any_text_is_judged(question: str) -> None:
    assert not needs_history(question, ())
    assert needs_history(question, SPOKEN) in (True, False)
    assert needs_history(question, SPOKEN, "fr") in (True, False)
