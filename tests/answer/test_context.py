"""A turn over a real PDF: citations have the rectangles of their characters, and commands show only what is there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fpdf import FPDF
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall

from pincite import events
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.errors import Misuse
from pincite.types import Scope
from tests import pdfs
from tests.turns import Piece, Scripted, ask, final, keep, of_type, open_test_services, saying, searching
from tests.work import Fake


@pytest.fixture
def services(tmp_path: Path) -> Services:
    """A library with one PDF of two pages."""

    def draw(pdf: FPDF) -> None:
        for page, text in enumerate(("The dam is 33 m high and holds much water.", "Swimming is allowed in June."), 1):
            pdf.add_page()
            pdfs.paragraph(pdf, f"Page {page} of the report on the dam.")
            pdfs.paragraph(pdf, text)

    made = open_test_services(tmp_path, {})
    keep(made.library, pdfs.make(tmp_path / "dam.pdf", draw))
    return made


def said_by(services: Services, *pieces: str, **given: object) -> list[events.Data]:
    services.models = Scripted(services.settings, searching("dam swimming June", *pieces))
    return ask(services, "What is allowed?", **given)


def test_a_citation_has_the_boxes_of_exactly_its_characters(services: Services) -> None:
    (citation,) = final(said_by(services, "Swimming is allowed in June [1].")).citations
    assert citation.quote == "Swimming is allowed in June."
    (boxes,) = citation.boxes
    assert (boxes.page, citation.page) == (2, 2)
    (rect,) = boxes.rects
    assert 0 < rect[0] < rect[2] < boxes.width
    assert 0 < rect[1] < rect[3] < boxes.height


def test_a_highlight_that_names_evidence_gets_real_boxes(services: Services) -> None:
    said = said_by(services, "HIGHLIGHT: [1.2] low\nSwimming is allowed in June [1].\nHIGHLIGHT: [1.2] low\n")
    (lit,) = of_type(said, events.Highlight)
    assert (lit.evidence, lit.importance) == (1, "low")
    assert lit.boxes[0].rects
    assert "HIGHLIGHT" not in final(said).answer


def test_a_page_is_opened_once_and_only_if_it_is_there(services: Services) -> None:
    said = said_by(services, "NAVIGATE: 2\n", "NAVIGATE: page 2\nNAVIGATE: 3\nSwimming is allowed in June [1].")
    assert [data.page for data in of_type(said, events.Navigate)] == [2]
    assert any("no page 3" in thought.text for thought in of_type(said, events.Thought))


@pytest.mark.parametrize("line", ["HIGHLIGHT: 1,100,200", "NAVIGATE: two", "HIGHLIGHT: the second sentence matters"])
def test_a_malformed_command_is_reported_in_the_steps_and_never_shown(services: Services, line: str) -> None:
    said = said_by(services, f"Swimming is allowed in June [1].\n{line[:7]}", f"{line[7:]}\n{line}\n")
    assert final(said).answer.strip() == "Swimming is allowed in June. [1]"
    (thought,) = [each for each in of_type(said, events.Thought) if "malformed" in each.text]
    assert line in thought.text
    assert thought.error
    assert (thought.error.reason, thought.error.params) == ("command_malformed", {"line": line})
    assert not of_type(said, events.Highlight)


def test_a_page_number_means_the_document_that_is_open_or_the_only_one_with_pages(
    services: Services, tmp_path: Path
) -> None:
    def draw(pdf: FPDF) -> None:
        for _ in range(3):
            pdf.add_page()
            pdfs.paragraph(pdf, "Another report on the dam: swimming in June is dangerous.")

    other = keep(services.library, pdfs.make(tmp_path / "other.pdf", draw))
    said = said_by(services, "NAVIGATE: 2\nSwimming is allowed in June [1].")
    assert not of_type(said, events.Navigate)
    assert any("may be of 2 documents" in thought.text for thought in of_type(said, events.Thought))
    said = said_by(services, "NAVIGATE: 3\nSwimming is allowed in June [1].", open_document=other)
    assert [(data.document, data.page) for data in of_type(said, events.Navigate)] == [(other, 3)]
    said = said_by(services, "NAVIGATE: 2\nSwimming is allowed in June [1].", scope=Scope(documents=(other,)))
    assert [data.document for data in of_type(said, events.Navigate)] == [other]
    said = said_by(services, "NAVIGATE: 9\nSwimming is allowed in June [1].", open_document=other)
    assert not of_type(said, events.Navigate)
    assert any("no page 9" in thought.text for thought in of_type(said, events.Thought))


@pytest.mark.parametrize("rect", ["500,200,100,250", "100,250,500,200", "0,0,9000,10"])
def test_a_rectangle_that_is_none_is_reported_and_not_lit(services: Services, rect: str) -> None:
    said = said_by(services, f"HIGHLIGHT: 1,{rect}\nSwimming is allowed in June [1].")
    assert not of_type(said, events.Highlight)
    assert any("no such rectangle" in thought.text for thought in of_type(said, events.Thought))


def test_a_rectangle_on_a_page_is_lit(services: Services) -> None:
    (lit,) = of_type(said_by(services, "HIGHLIGHT: 1,100,200,300,250\nSwimming [1]."), events.Highlight)
    assert lit.boxes[0].rects == [(100, 200, 300, 250)]
    assert lit.document


def test_the_viewer_is_driven_by_tools_too(services: Services) -> None:
    async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        calls = {
            1: ("search_documents", '{"query": "swimming"}'),
            3: ("highlight", '{"evidence": 1, "sentence": 4, "importance": "medium"}'),
            5: ("navigate", '{"evidence": 1}'),
            7: ("navigate", '{"evidence": 9}'),
        }
        if len(messages) in calls:
            name, given = calls[len(messages)]
            yield {0: DeltaToolCall(name, given, tool_call_id=f"call_{len(messages)}")}
        else:
            yield "Swimming is allowed in June [1]."

    services.models = Scripted(services.settings, script)
    said = ask(services, "What is allowed?")
    (lit,), (opened,) = of_type(said, events.Highlight), of_type(said, events.Navigate)
    assert (lit.importance, lit.boxes[0].page, opened.page) == ("medium", 2, 1)
    assert [e.error for e in of_type(said, events.ToolCallError)] == ["There is no evidence 9. There are 1."]


def test_a_question_that_cannot_be_asked_is_refused_with_what_to_do(services: Services) -> None:
    for asked, message in (
        (AskedQuestion(question="  "), "empty"),
        (AskedQuestion(question="a" * 200_000), "characters"),
        (AskedQuestion(question="news?", focus="web"), "web"),
    ):
        with pytest.raises(Misuse, match=message) as error:
            services.open_context(asked)
        assert error.value.hint


def test_a_turn_looks_only_where_it_may(tmp_path: Path) -> None:
    texts = {"a.md": "# Alpha\n\nThe dam is 33 m high.", "b.md": "# Beta\n\nThe dam is 44 m high."}
    services = open_test_services(tmp_path, texts, searching("dam", "The dam is 44 m high.", limit=20))
    other = ask(services, "How high?", scope=Scope(owner="somebody else"))
    assert not of_type(other, events.EvidenceFound)
    both = {found.title: found.document for found in of_type(ask(services, "How high?"), events.EvidenceFound)}
    assert set(both) == {"Alpha", "Beta"}
    narrow = ask(services, "How high?", scope=Scope(documents=(both["Alpha"],)))
    assert {found.title for found in of_type(narrow, events.EvidenceFound)} == {"Alpha"}


def test_the_profile_is_in_no_representation_of_a_turn(services: Services) -> None:
    services.models = Scripted(services.settings, saying("x"))
    assert "Quillfeather" not in repr(
        services.open_context(AskedQuestion(question="?", profile="I am Ada Quillfeather."))
    )


def test_questions_embed_a_sentence_once(services: Services) -> None:
    embedder = Fake()
    opened = Services(services.library, services.search, embedder, services.models)
    first = opened.embed_texts(["a source", "a sentence"])
    assert (opened.embed_texts(["another", "a source"])[1] == first[0]).all()
    assert embedder.embedded == ["a source", "a sentence", "another"]
