"""A refusal is known however a model words it, and an answer is not taken for one."""

import pytest

from pincite.agent.refusal import is_refusal, refusal


@pytest.mark.parametrize(
    "sentence",
    [
        refusal("en"),
        refusal("fr"),
        "I did not find it in the sources.",
        "I couldn't find anything about the budget in your documents.",
        "The sources do not say who approved the budget.",
        "The provided documents don't mention a deadline.",
        "This is not answered by the sources.",
        "Je n’ai pas trouvé cette information dans les documents.",
        "Les sources ne précisent pas la date.",
        "Aucune source ne répond à cette question.",
    ],
)
def test_it_is_known_in_both_languages(sentence: str) -> None:
    assert is_refusal(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The dam is 33 m high.",
        "The auditors found nothing unusual.",
        "The board did not approve the budget.",
        "La commission n'a pas trouvé d'accord.",
        "Les documents doivent être conservés dix ans.",
        "Aucun document n'est requis pour l'inscription des résidents.",
        "Aucune information personnelle n'est transmise à des tiers.",
        "I could not find the exact date, but the firm was founded by John Smith.",
        "The sources do not say who signed, only that 4 billion were paid.",
        "",
    ],
)
def test_an_answer_is_none(sentence: str) -> None:
    assert not is_refusal(sentence)
