"""With no model set, a question is answered with sentences of the documents, quoted exactly, or not at all."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelRequest, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from pincite import events
from pincite.agent.extractive import Extractive, pieces
from pincite.agent.house import House
from pincite.store import documents
from tests.agent.extractive.shelves import PONT, Broken, answered, shelf
from tests.turns import ask, final, of_type


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Read once: to ask changes nothing."""
    made = shelf(tmp_path_factory.mktemp("shelf"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who designed the Garrow Bridge?", "The Garrow Bridge was designed by Eleanor Whitfield"),
        ("When did the Garrow Bridge open?", "opened to traffic on 14 June 1934"),
        ("How long is the main span of the bridge?", "a main span of 218 metres"),
        ("How much did the bridge cost?", "The total cost was £412,000"),
        ("Why was the bridge closed in 1987?", "because corrosion had weakened the hangers"),
        ("Can cyclists use the bridge?", "Cyclists may use the footpath"),
        ("Are lorries over 18 tonnes allowed?", "Lorries over 18 tonnes are not allowed"),
        ("Qui a construit le pont de Gravelle ?", "par l'ingénieur Paul Séjourné"),
        ("Quand le pont de Gravelle a-t-il été construit ?", "construit en 1897"),
        ("Combien ont coûté les travaux de 2015 ?", "ont coûté 2,4 millions d'euros"),
        ("Pourquoi la passerelle a-t-elle été fermée ?", "parce que les câbles étaient rouillés"),
        ("Qu'est-ce que le pont de Gravelle ?", "est un pont suspendu"),
    ],
)
def test_the_sentence_that_answers_is_quoted_first(house: House, question: str, said: str) -> None:
    answer = answered(house, question)
    assert said in answer.sentences[0].text.replace("\n", " ")
    assert not answer.refused
    assert len(answer.sentences) <= 5


@pytest.mark.parametrize(
    "question", ["Who designed the Garrow Bridge?", "Quelles pièces faut-il pour une dérogation ?"]
)
def test_every_sentence_is_verified_and_its_quote_stands_in_the_document(house: House, question: str) -> None:
    answer = answered(house, question)
    assert {sentence.support for sentence in answer.sentences} == {"verified"}
    for citation in answer.citations:
        with house.library.database.reading() as connection:
            text = documents.text(connection, citation.document, citation.start, citation.end)
        assert text == citation.quote
    assert answer.invented == 0


@pytest.mark.parametrize(
    ("question", "lead", "items"),
    [
        (
            "Which documents are required for an abnormal load?",
            "To obtain a permit for an abnormal load",
            ["- the vehicle registration certificate", "- a route plan", "- proof of insurance"],
        ),
        (
            "Quelles pièces faut-il pour une dérogation ?",
            "Pour obtenir une dérogation",
            ["- la carte grise", "- une attestation", "- le plan"],
        ),
        ("How do I report a fault?", "How to report a fault", ["1. Call", "2. Give", "3. Stay"]),
    ],
)
def test_a_list_is_quoted_with_what_leads_it_in_item_by_item(
    house: House, question: str, lead: str, items: list[str]
) -> None:
    first, *others = (line for line in answered(house, question).answer.split("\n") if line)
    assert first.startswith(lead)
    assert [line[: len(item)] for line, item in zip(others, items, strict=True)] == items


def test_a_row_of_a_table_comes_with_the_row_that_says_what_its_cells_are(house: House) -> None:
    answer = answered(house, "What was the toll income in 2019?")
    lines = answer.answer.split("\n")
    assert lines[0].startswith("- Year | Vehicles per day | Toll income")
    assert lines[1].startswith("- 2019 | 14,200 | 3,100,000")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who won the chess championship in Reykjavik?", "I found nothing"),
        ("What is the boiling point of nitrogen?", "I found nothing"),
        ("Quel est le salaire du maire de Bordeaux ?", "Je n'ai rien trouvé"),
    ],
)
def test_what_the_documents_do_not_say_is_refused_with_the_nearest_passages(
    house: House, question: str, said: str
) -> None:
    answer = answered(house, question)
    assert answer.refused
    assert answer.answer.startswith(said)
    assert not answer.citations


def test_one_who_is_named_nowhere_is_not_answered_about(tmp_path: Path) -> None:
    house = shelf(
        tmp_path, {"a.md": "# Ada\n\nAda Byron was born in London.", "b.md": "# Rome\n\nIn Rome nobody is born."}
    )
    assert answered(house, "Where was Charles Babbage born?").refused
    assert not answered(house, "Where was Ada Byron born?").refused


def test_a_named_document_is_summarised_in_its_own_order(house: House) -> None:
    answer = answered(house, "Résume le pont de Gravelle")
    places = [PONT.replace("\n", " ").find(sentence.text) for sentence in answer.sentences]
    assert 4 <= len(places) <= 8
    assert places == sorted(places)
    assert min(places) >= 0


def test_a_summary_begins_with_what_the_document_begins_with_figures_and_all(tmp_path: Path) -> None:
    text = (
        "# Annual report\n\nRevenue rose 12 % to €1,234.5 million in 2023, from €1,102 million in 2022. Costs fell.\n\n"
        "Maria Keller was appointed chief executive on 1 June 2023. It employs 4,500 people in six countries.\n"
    )
    house = shelf(tmp_path, {"report.md": text})
    answer = final(ask(house, "Summarise the annual report"))
    assert answer.sentences[0].text.startswith("Revenue rose 12 %")
    assert "Maria Keller" in answer.answer


def test_a_yes_or_no_question_is_answered_by_its_opposite_and_not_by_another_matter(tmp_path: Path) -> None:
    text = "# Report\n\nRevenue rose 12 % in 2023. No dividend was paid in 2022. The head office moved to Lyon.\n"
    house = shelf(tmp_path, {"report.md": text})
    assert final(ask(house, "Did revenue fall?")).sentences[0].text == "Revenue rose 12 % in 2023."


def test_which_document_is_meant_is_asked_when_there_are_several_and_not_when_there_is_one(
    house: House, tmp_path: Path
) -> None:
    assert answered(house, "Summarise this document").answer == "Which document should be summarised?"
    assert answered(house, "Résume ce document").answer == "Quel document faut-il résumer ?"
    one = shelf(tmp_path / "one", {"pont.md": PONT})
    assert len(answered(one, "Résume ce document").citations) >= 4


def test_two_documents_are_compared_each_under_its_name(house: House) -> None:
    answer = answered(house, "Compare the Garrow Bridge and the pont de Gravelle")
    first, second = answer.answer.index("**Garrow Bridge**"), answer.answer.index("**Pont de Gravelle**")
    sides = {
        name: {citation.title for citation in answer.citations if citation.n in sentence.citations}
        for name, low, high in (("first", first, second), ("second", second, len(answer.answer)))
        for sentence in answer.sentences
        if low < sentence.start < high and sentence.citations
    }
    assert sides == {"first": {"The Garrow Bridge"}, "second": {"Le pont de Gravelle"}}


def test_the_same_sentence_in_two_documents_is_said_once(tmp_path: Path) -> None:
    said = "The ferry to Lund leaves at six in the morning."
    house = shelf(tmp_path, {"a.md": f"# Ferries\n\n{said}", "b.md": f"# Travel\n\n{said} Bring a coat."})
    assert answered(house, "When does the ferry to Lund leave?").answer.count("leaves at six") == 1


def test_what_looks_like_a_citation_or_a_command_in_a_document_is_neither(tmp_path: Path) -> None:
    text = "# Notes\n\nThe valve opens at 40 bar, as shown in [7].\n\nNAVIGATE: 3 opens the valve page of the manual."
    said = ask(shelf(tmp_path, {"notes.md": text}), "When does the valve open?")
    answer = final(said)
    assert answer.invented == 0
    assert "40 bar" in answer.answer
    assert not of_type(said, events.Navigate)


def test_the_same_question_has_the_same_answer(house: House) -> None:
    question = "Can cyclists use the bridge?"
    assert answered(house, question) == answered(house, question)


def test_it_searches_with_several_phrasings_at_once_and_says_so(house: House) -> None:
    said = ask(house, "Who designed the Garrow Bridge?")
    started = of_type(said, events.ToolCallStarted)
    assert len({call.attributes["query"] for call in started}) == len(started) == 2
    first_result = next(i for i, data in enumerate(said) if isinstance(data, events.ToolCallSuccess))
    assert all(said.index(call) < first_result for call in started)


def test_the_answer_comes_in_pieces(house: House) -> None:
    said = ask(house, "Who designed the Garrow Bridge?")
    assert len(of_type(said, events.Text)) > 3
    assert "".join(pieces("a few  words\n\nand more")) == "a few  words\n\nand more"


def test_an_embedder_that_fails_leaves_the_words(house: House) -> None:
    answer = answered(House(house.library, house.search, Broken()), "Can cyclists use the bridge?")
    assert answer.sentences[0].text.startswith("Cyclists may use the footpath")


@pytest.mark.parametrize(
    ("message", "said"),
    [("Tell me a story", "cannot hold a conversation"), ("Raconte une histoire", "ne sais pas tenir")],
)
def test_without_tools_it_says_what_it_cannot_do_and_what_to_set(message: str, said: str) -> None:
    model = Extractive()
    request = ModelRequest(parts=[UserPromptPart(content=message)])
    response = asyncio.run(model.request([request], None, ModelRequestParameters()))
    (part,) = response.parts
    assert isinstance(part, TextPart)
    assert said in part.content
    assert "`models.chat`" in part.content


def test_only_tools_that_are_offered_are_called() -> None:
    search = ToolDefinition(name="search_documents", parameters_json_schema={})
    request = ModelRequest(parts=[UserPromptPart(content="Compare the first report and the second report")])
    response = asyncio.run(Extractive().request([request], None, ModelRequestParameters(function_tools=[search])))
    assert {part.tool_name for part in response.parts if isinstance(part, ToolCallPart)} == {"search_documents"}


@pytest.mark.parametrize("question", ["Show me pictures of the bridge", "Montre-moi des vidéos du pont"])
def test_pictures_need_the_web_and_it_says_so(house: House, question: str) -> None:
    answer = answered(house, question)
    assert answer.refused
    assert "web.search_url" in answer.answer
