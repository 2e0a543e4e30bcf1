"""Conversations of two or three questions over documents made here: the second question finds what it means."""

from pathlib import Path
from typing import Any

import pytest

from pincite import events
from pincite.answer.services import Services
from pincite.types import Exchange
from tests.turns import ask, final, of_type, open_test_services, saying

TEXTS = {
    "rot.md": "# Dry rot\n\nDry rot is a fungus that eats the timber of old houses.\n\n## Effects\n\nDry rot is "
    "harmful: floors weaken within two years.\n\n## Treatment\n\nDry rot is treated with boron after the timber is "
    "removed.\n",
    "asbestos.md": "# Asbestos\n\nAsbestos is a mineral that was used for roofs.\n\n## Effects\n\nAsbestos is harmful: "
    "its fibres reach the lungs.\n\n## Treatment\n\nAsbestos is treated by licensed firms alone.\n",
    "budget.md": "# Council minutes\n\nThe finance committee approved the budget in March. It is chaired by Ines "
    "Morvan.\n\nThe research programme has a duration of four years.\n",
    "passeport.md": "# Le passeport\n\nLa demande de passeport se fait en mairie. Le passeport coûte 86 euros.\n\nLe "
    "passeport est délivré en trois semaines.\n",
    "permis.md": "# Le permis de conduire\n\nLa demande de permis se fait en ligne. Le permis coûte 25 euros.\n\nLe "
    "permis est délivré en six semaines.\n",
}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    made = open_test_services(tmp_path_factory.mktemp("conversations"), TEXTS)
    return Services(made.library, made.search, None)


def after(services: Services, *asked: str) -> tuple[events.Answer, list[events.Data]]:
    """The answer to the last of these questions, asked one after the other, and all that was said to it."""
    past: tuple[Exchange, ...] = ()
    said: list[events.Data] = []
    for question in asked:
        said = ask(services, question, history=past, chat_model="extractive")
        past = (*past, Exchange(question, final(said).answer, final(said).question))
    return final(said), said


@pytest.mark.parametrize(
    ("asked", "title", "words"),
    [
        (("What is dry rot?", "Is it harmful?"), "Dry rot", "floors weaken"),
        (("What is asbestos?", "Is it harmful?"), "Asbestos", "fibres reach the lungs"),
        (("What is dry rot?", "Is it harmful?", "How is it treated?"), "Dry rot", "boron"),
        (("What is asbestos?", "How is it treated?"), "Asbestos", "licensed firms"),
        (("Comment demander un passeport ?", "Combien ça coûte ?"), "Le passeport", "86 euros"),
        (("Comment demander un permis ?", "Combien ça coûte ?"), "Le permis de conduire", "25 euros"),
        (("Comment demander un passeport ?", "En combien de temps ?"), "Le passeport", "trois semaines"),
        (("Comment demander un permis ?", "En combien de temps ?"), "Le permis de conduire", "six semaines"),
        (("Comment demander un permis ?", "Combien ça coûte ?", "En combien de temps ?"), "Le permis", "six semaines"),
        (("Bonjour, comment demander un permis ?", "Merci. Combien ça coûte ?"), "Le permis", "25 euros"),
    ],
)
def test_a_follow_up_finds_what_the_last_question_was_about(
    services: Services, asked: tuple[str, ...], title: str, words: str
) -> None:
    _, said = after(services, *asked)
    found = of_type(said, events.EvidenceFound)
    assert found[0].title.startswith(title)
    assert any(words in each.text for each in found if each.title.startswith(title))


@pytest.mark.parametrize(
    "asked",
    [
        ("What is dry rot?", "Which committee approved the budget and who chairs it?"),
        ("What is dry rot?", "What is the research programme and what is its duration?"),
        ("Which committee approved the budget?", "What is asbestos?"),
        ("What is dry rot?", "Is asbestos harmful?"),
        ("Comment demander un passeport ?", "Où se fait la demande de permis ?"),
    ],
)
def test_a_question_that_stands_alone_is_never_rewritten(services: Services, asked: tuple[str, ...]) -> None:
    alone = of_type(ask(services, asked[-1], chat_model="extractive"), events.EvidenceFound)[0]
    answer, said = after(services, *asked)
    assert answer.question == asked[-1]
    assert [(each.question, each.rewritten) for each in of_type(said, events.Question)] == [(asked[-1], False)]
    assert of_type(said, events.EvidenceFound)[0].text == alone.text


def test_the_question_event_says_what_was_looked_for(services: Services) -> None:
    answer, said = after(services, "Comment demander un passeport ?", "Combien ça coûte ?")
    (question,) = of_type(said, events.Question)
    assert question.rewritten
    assert question.question == answer.question == "Combien ça coûte ? (demander passeport)"


def test_a_search_says_which_subject_it_looked_for_besides(services: Services) -> None:
    _, said = after(services, "What is dry rot?", "Is asbestos harmful?")
    assert of_type(said, events.ToolCallSuccess)[0].extra["subject"] == "dry rot"
    _, first = after(services, "Is asbestos harmful?")
    assert "subject" not in of_type(first, events.ToolCallSuccess)[0].extra


def test_a_first_question_has_no_subject_to_add(services: Services) -> None:
    answer, _ = after(services, "Is it harmful?")
    assert answer.question == "Is it harmful?"


def test_a_misspelt_word_is_corrected_and_said(services: Services) -> None:
    answer, said = after(services, "What is asbetos?")
    assert answer.question == "What is Asbestos?"
    assert [(each.written, each.read) for each in answer.corrected] == [("asbetos", "Asbestos")]
    assert of_type(said, events.EvidenceFound)[0].title == "Asbestos"
    assert after(services, "What is asbestos?")[0].corrected == []


def test_a_model_that_words_its_searches_itself_is_not_corrected(tmp_path: Path) -> None:
    given: dict[str, Any] = {"texts": {"rot.md": TEXTS["rot.md"]}, "script": saying("Nothing.")}
    answer = final(ask(open_test_services(tmp_path, **given), "What is dry rott timbber?"))
    assert answer.corrected == []
    plain = final(ask(open_test_services(tmp_path / "plain", tools=False, **given), "What is dry timbber?"))
    assert [each.read for each in plain.corrected] == ["timber"]
