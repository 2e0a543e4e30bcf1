"""About Me reaches the writer alone and never a tool, regardless of the calls that a model makes."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall

from pincite import events
from pincite.answer.question import AskedQuestion
from pincite.types import Exchange
from tests.turns import Piece, Script, ask, final, of_type, open_test_services, searching, told

PROFILE = "I am Ada Quillfeather, a cardiologist in Perpignan. My number is 06 12 34 56 78. I like short answers."


def watched(script: Script, seen: list[tuple[bool, str]]) -> Script:
    """The same model, noting whether it had tools and everything it was told."""

    async def watching(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        said = [repr(message.parts) for message in messages]
        seen.append((bool(info.function_tools), " ".join([info.instructions or "", *said])))
        async for piece in script(messages, info):
            yield piece

    return watching


def test_a_model_with_tools_never_sees_about_me_and_the_writer_does(tmp_path: Path) -> None:
    seen: list[tuple[bool, str]] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if info.function_tools:
            async for piece in searching("dam", "I have gathered it.")(messages, info):
                yield piece
        else:
            yield "The dam is 33 m high [1]."

    services = open_test_services(tmp_path, script=watched(script, seen))
    said = ask(services, "How high is the dam?", profile=PROFILE)
    assert [has_tools for has_tools, _ in seen] == [True, True, False]
    assert all("Quillfeather" not in told for has_tools, told in seen if has_tools)
    assert "Quillfeather" in seen[-1][1]
    assert final(said).used_personalization
    assert final(said).answer == "The dam is 33 m high. [1]"
    assert [thought.text for thought in of_type(said, events.Thought)] == ["I have gathered it."]


@pytest.mark.parametrize("tools", [True, False])
def test_a_model_is_shown_the_conversation_once(tmp_path: Path, tools: bool) -> None:
    seen: list[tuple[bool, str]] = []
    script = watched(searching("dam", "The dam is 33 m high [1]."), seen)
    past = (Exchange("Who owns the dam?", "The province of Murcia owns it."),)
    ask(open_test_services(tmp_path, script=script, tools=tools), "How high is the dam?", history=past)
    assert all(told.count("province of Murcia") == 1 for _, told in seen)


def test_the_persona_reaches_every_model(tmp_path: Path) -> None:
    seen: list[tuple[bool, str]] = []
    services = open_test_services(tmp_path, script=watched(searching("dam", "The dam is 33 m high [1]."), seen))
    ask(services, "How high is the dam?", persona="You speak like a sailor.")
    assert all("You speak like a sailor." in told for _, told in seen)


def test_the_instructions_of_the_workspace_reach_every_model_beside_the_persona(tmp_path: Path) -> None:
    seen: list[tuple[bool, str]] = []
    services = open_test_services(tmp_path, script=watched(searching("dam", "The dam is 33 m high [1]."), seen))
    ask(services, "How high is the dam?", persona="Be merry.", workspace_instructions="Write for engineers.")
    assert all("Write for engineers." in told and "Be merry." in told for _, told in seen)


def test_the_place_may_guide_a_search_and_the_answer_says_so(tmp_path: Path) -> None:
    seen: list[tuple[bool, str]] = []
    services = open_test_services(
        tmp_path, script=watched(searching("dams near Limoges", "It is 33 m high [1]."), seen)
    )
    said = ask(services, "Which dams are near me?", location="Limoges")
    assert "Limoges" in seen[0][1]
    assert not of_type(said, events.ToolCallError)
    assert final(said).used_location
    assert not final(ask(services, "Which dams are near me?")).used_location


@pytest.mark.parametrize(
    "query",
    [
        "dams for Ada Quillfeather",
        "QUILLFEATHER dam",
        "quill feather dam",
        "dam cardiologist",
        "dam Perpignan",
        "dam 0612345678",
        "dam 06.12.34.56.78",
    ],
)
def test_a_call_that_carries_about_me_is_held_back(tmp_path: Path, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a model came to know it: the check stands where every call passes."""
    searched: list[str] = []
    services = open_test_services(tmp_path, script=searching(query, "I found nothing in the sources."))
    real = services.search.search

    def noting(question: str, *rest: Any) -> Any:
        searched.append(question)
        return real(question, *rest)

    monkeypatch.setattr(services.search, "search", noting)
    said = ask(services, "How high is the dam?", profile=PROFILE)
    (error,) = of_type(said, events.ToolCallError)
    assert "Personal details" in error.error
    assert not searched


def test_words_that_the_question_has_itself_may_be_looked_for(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("cardiologist dam", "I found nothing in the sources."))
    said = ask(services, "Is there a cardiologist at the dam?", profile=PROFILE)
    assert not of_type(said, events.ToolCallError)


def test_about_me_is_not_repeated_word_for_word(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if info.function_tools:
            if len(messages) == 1:
                yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id="call_0")}
            else:
                yield "Done."
        else:
            yield "The dam is 33 m high [1]. You are Ada Quillfeather, a cardiologist in Perpignan."

    services = open_test_services(tmp_path, script=script)
    said = ask(services, "How high is the dam?", profile=PROFILE)
    assert final(said).answer == "The dam is 33 m high. [1]"
    assert all("Quillfeather" not in data.model_dump_json() for data in said)


def test_the_thoughts_of_the_writer_are_neither_sent_nor_stored(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if info.function_tools:
            async for piece in searching("dam", "Done.")(messages, info):
                yield piece
        else:
            yield {0: DeltaThinkingPart(content="This is Ada Quillfeather.")}
            yield "The dam is 33 m high [1]."

    said = ask(open_test_services(tmp_path, script=script), "How high is the dam?", profile=PROFILE)
    assert all("Quillfeather" not in data.model_dump_json() for data in said)


def test_a_detail_of_about_me_in_an_earlier_answer_does_not_leave_with_the_next_search(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam Quillfeather", "I found nothing in the sources."))
    past = (Exchange("How high is it?", "Dear Quillfeather, it is 33 m high."),)
    said = ask(services, "How high is the dam?", profile=PROFILE, history=past)
    assert of_type(said, events.ToolCallError)


def test_all_that_works_on_a_question_shares_its_budget(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "It is 33 m high [1]."), models={"requests": 2})
    context = services.open_context(AskedQuestion(question="How high is the dam?"))
    context.meter.spend(events.Usage(requests=1))  # as for a question that was rewritten
    said = asyncio.run(told(context))
    assert context.meter.usage.requests == 2
    (fault,) = of_type(said, events.Fault)
    assert "models.requests" in fault.hint
