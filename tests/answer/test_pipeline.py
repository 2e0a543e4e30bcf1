"""A question in, events out: what a person, a page and a script can rely on, whatever the model does."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from tests.clock import PATIENCE
from tests.turns import DAM, Piece, ask, final, keep, of_type, open_test_services, saying, searching, told


def shown(said: list[events.Data]) -> str:
    """The answer as a page shows it: its pieces put together, without what was taken back."""
    text = ""
    for data in said:
        if isinstance(data, events.Text):
            text += data.delta
        elif isinstance(data, events.Thought) and data.retracted:
            text = text[: -data.retracted]
    return text


def calling(*queries: str, say: str, first: str = "") -> Any:
    """A model that makes these calls at once and then speaks."""

    async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        if len(messages) == 1:
            if first:
                yield first
            yield {
                n: DeltaToolCall("search_documents", f'{{"query": "{query}"}}', tool_call_id=f"call_{n}")
                for n, query in enumerate(queries)
            }
        else:
            yield say

    return script


def test_an_answer_tells_what_it_does_and_ends_with_the_whole_of_it(tmp_path: Path) -> None:
    script = searching("height of the dam", "The dam ", "is 33 m hi", "gh [1", ".3]. It was bui", "lt in 1950 [1].")
    said = ask(open_test_services(tmp_path, script=script), "How high is the dam?")
    kinds = [events.find_event_type(data) for data in said]
    assert kinds[:5] == ["message_started", "question", "tool_call_started", "evidence", "tool_call_success"]
    assert kinds[-2:] == ["usage", "message_completed"]
    whole = final(said)
    assert whole.answer == shown(said) == "The dam is 33 m high. [1] It was built in 1950. [2]"
    assert [(s.text, s.support) for s in whole.sentences] == [
        ("The dam is 33 m high.", "unchecked"),
        ("It was built in 1950.", "unchecked"),
    ]
    assert all(whole.answer[s.start : s.end] == s.text for s in whole.sentences)
    assert not whole.refused


def test_a_citation_quotes_exactly_the_characters_it_names(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The dam is 33 m high [1.3]."))
    (citation,) = final(ask(services, "How high is the dam?")).citations
    assert DAM[citation.start : citation.end] == citation.quote
    assert citation.quote.startswith("It is 33 m high")


def test_each_sentence_is_judged_before_the_next_is_shown(tmp_path: Path) -> None:
    services = open_test_services(
        tmp_path, script=searching("dam", "The dam is 33 m high [1]. It was built in 1950 [1].")
    )
    said = ask(services, "How high is the dam?")
    order = [events.find_event_type(data) for data in said if isinstance(data, events.Text | events.Cited)]
    assert order.index("citation") < len(order) - 1 - order[::-1].index("citation")
    first = said.index(next(data for data in said if isinstance(data, events.Cited)))
    assert "built" not in shown(said[:first])


def test_words_before_a_tool_call_are_a_thought(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=calling("dam", say="It is 33 m high [1].", first="Let me look."))
    said = ask(services, "How high is the dam?")
    assert [thought.text for thought in of_type(said, events.Thought)] == ["Let me look."]
    assert final(said).answer == shown(said) == "It is 33 m high. [1]"


def test_words_between_two_searches_are_taken_back(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        if len(messages) < 4:
            if len(messages) == 3:
                yield "The dam was built in 1950 [1]. Let me look "
                yield "once more."
            yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id=f"call_{len(messages)}")}
        else:
            yield "It is 33 m high [1]."

    said = ask(open_test_services(tmp_path, script=script), "How high is the dam?")
    assert final(said).answer == shown(said) == "It is 33 m high. [1]"
    assert len(final(said).citations) == 1
    assert "Let me look once more." in of_type(said, events.Thought)[-1].text


def test_thinking_is_told_apart_from_the_answer(tmp_path: Path) -> None:
    async def script(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield {0: DeltaThinkingPart(content="A greeting.")}
        yield "Hello."

    said = ask(open_test_services(tmp_path, script=script), "Hello!")
    assert [thought.text for thought in of_type(said, events.Thought)] == ["A greeting."]
    assert final(said).answer == "Hello."


def test_tools_run_side_by_side_and_keep_their_own_ids(tmp_path: Path) -> None:
    texts = {"a.md": "# Alps\n\nMont Blanc is 4,806 m high.", "b.md": "# Jura\n\nThe Crêt de la Neige is 1,720 m high."}
    script = calling(
        "Mont Blanc",
        "Crêt de la Neige",
        say="Mont Blanc is 4,806 m high [1]. The Crêt de la Neige is 1,720 m high [2].",
    )
    said = ask(open_test_services(tmp_path, texts, script), "Which is higher?")
    started = {data.toolCallId: data.attributes["query"] for data in of_type(said, events.ToolCallStarted)}
    assert set(started.values()) == {"Mont Blanc", "Crêt de la Neige"}
    assert {data.toolCallId for data in of_type(said, events.ToolCallSuccess)} == set(started)
    assert [s.support for s in final(said).sentences] == ["verified", "verified"]


def test_a_tool_that_fails_is_told_and_the_turn_goes_on(tmp_path: Path) -> None:
    script = searching("height", "I found nothing in the sources.", document="no such document")
    said = ask(open_test_services(tmp_path, script=script), "How high is the dam?")
    (error,) = of_type(said, events.ToolCallError)
    assert "There is no document no such document." in error.error
    assert not of_type(said, events.Fault)
    assert final(said).refused


def test_a_fault_inside_a_tool_is_logged_under_an_id_and_told_without_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    services = open_test_services(tmp_path, script=searching("height", "I found nothing in the sources."))

    def broken(*_: object) -> None:
        raise ValueError("the secret of the house")

    monkeypatch.setattr(services.search, "search", broken)
    said = ask(services, "How high is the dam?")
    (error,) = of_type(said, events.ToolCallError)
    assert "secret" not in error.error
    id = error.error.partition("fault ")[2][:8]
    assert id in caplog.text
    assert final(said).refused


def test_an_invented_citation_is_taken_out_and_counted(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The dam is 33 m high [1][7]. It sings [9.2]."))
    whole = final(ask(services, "How high is the dam?"))
    assert whole.invented == 2
    assert "[7]" not in whole.answer
    assert [s.support for s in whole.sentences] == ["unchecked", "unsupported"]


def test_a_reference_of_the_source_itself_stays_as_written(tmp_path: Path) -> None:
    script = searching("dam", "As the survey says [17, 21], the dam is 33 m high [1]. It sings [18, 22].")
    services = open_test_services(tmp_path, script=script)
    with_references = "# Survey\n\nThe survey of the dam [17, 21] says that the dam is 33 m high.\n"
    (tmp_path / "survey.md").write_text(with_references, encoding="utf-8")
    keep(services.library, tmp_path / "survey.md")
    whole = final(ask(services, "How high is the dam?"))
    assert "As the survey says [17, 21], the dam is 33 m high." in whole.answer
    assert "[18" not in whole.answer
    assert whole.invented > 0


def test_a_sentence_without_a_mark_is_cited_where_a_source_has_its_words(tmp_path: Path) -> None:
    services = open_test_services(
        tmp_path, script=searching("dam", "The lake covers 9.76 km². Trout are caught there.")
    )
    whole = final(ask(services, "How large is the lake?"))
    assert whole.answer == "The lake covers 9.76 km². [1] Trout are caught there."
    assert [(each.support, each.basis) for each in whole.sentences] == [("verified", "quote"), ("unsupported", None)]
    assert whole.citations[0].quote == "The lake covers 9.76 km²."


def test_a_source_is_found_for_a_sentence_whose_mark_names_no_source(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The lake covers 9.76 km² [7]."))
    whole = final(ask(services, "How large is the lake?"))
    assert [(each.support, each.citations) for each in whole.sentences] == [("verified", [1])]
    assert whole.invented == 1


def test_a_changed_number_is_not_verified(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The dam is 34 m high [1]."))
    (sentence,) = final(ask(services, "How high is the dam?")).sentences
    assert sentence.support != "verified"
    assert any("34" in reason for reason in sentence.reasons)


def test_reasons_are_in_the_language_of_the_question(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The dam is 34 m high [1]."))
    (sentence,) = final(ask(services, "Quelle est la hauteur du barrage ?")).sentences
    assert any("la source" in reason for reason in sentence.reasons)


def test_strict_leaves_out_what_no_source_supports(tmp_path: Path) -> None:
    script = searching("dam", "The dam is 33 m high [1]. Elvis Presley performed there in 1967.")
    services = open_test_services(tmp_path, script=script)
    marked, strict = (ask(services, "How high is the dam?", strict=how) for how in (False, True))
    assert "Elvis" in final(marked).answer
    assert final(strict).answer == shown(strict) == "The dam is 33 m high. [1]"


def test_a_strict_answer_with_nothing_left_is_a_refusal_that_says_what_was_looked_for(tmp_path: Path) -> None:
    services = open_test_services(
        tmp_path, script=searching("concerts at the dam", "Elvis Presley performed there in 1967.")
    )
    said = ask(services, "Who performed there?", strict=True)
    whole = final(said)
    assert whole.refused
    assert whole.answer == shown(said)
    assert "concerts at the dam" in whole.answer
    assert "Elvis" not in whole.answer
    assert whole.nearest[0].title == "The dam at Vassivière"


@pytest.mark.parametrize(
    "claim",
    [
        "**The owner was convicted of fraud in 2019.**",
        "## Revenue fell 40 % to 3 million",
        "I could not find the date, but the firm was founded by John Smith.",
        "Yes.",
    ],
)
def test_strict_lets_no_claim_through_in_another_dress(tmp_path: Path, claim: str) -> None:
    services = open_test_services(tmp_path, script=searching("dam", f"The dam is 33 m high [1].\n\n{claim}\n"))
    assert final(ask(services, "How high is the dam?", strict=True)).answer == "The dam is 33 m high. [1]"


def test_a_source_that_says_there_is_none_is_an_answer(tmp_path: Path) -> None:
    text = "# Inscription\n\nAucun document n'est requis pour l'inscription des résidents."
    script = searching("inscription", "Aucun document n'est requis pour l'inscription des résidents [1].")
    whole = final(ask(open_test_services(tmp_path, {"a.md": text}, script), "Quels documents sont requis ?"))
    assert not whole.refused
    assert whole.sentences[0].support == "verified"


def test_without_documents_the_answer_says_so(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, {}, searching("anything", "I found nothing in the sources."))
    whole = final(ask(services, "What is in my files?"))
    assert whole.refused
    assert "no documents" in whole.answer


def test_a_model_without_tools_is_given_the_evidence_and_tells_the_same(tmp_path: Path) -> None:
    words = "The dam is 33 m high [1]. It was built in 1950 [1]."
    services = open_test_services(tmp_path, script=saying(words), tools=False)
    said = ask(services, "How high is the dam?")
    services.close()
    with_tools = open_test_services(tmp_path / "other", script=searching("How high is the dam?", words))
    same = ask(with_tools, "How high is the dam?")
    assert [events.find_event_type(data) for data in said] == [events.find_event_type(data) for data in same]
    assert [s.model_dump() for s in final(said).sentences] == [s.model_dump() for s in final(same).sentences]


@pytest.mark.parametrize("tools", [True, False])
def test_the_rules_stand_after_the_question_too_for_a_model_that_gets_its_evidence(tmp_path: Path, tools: bool) -> None:
    asked: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        asked.extend(str(part.content) for part in messages[0].parts if isinstance(part, UserPromptPart))
        async for piece in (
            searching("dam", "The dam is 33 m high [1].")(messages, info)
            if tools
            else saying("33 m [1].")(messages, info)
        ):
            yield piece

    final(ask(open_test_services(tmp_path, script=script, tools=tools), "How high is the dam?"))
    assert asked[0].startswith("How high is the dam?")
    assert ("in the language of this question" in asked[0]) == (not tools)


def test_a_stream_that_is_cut_keeps_what_was_said_and_says_why(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam", "The dam is 33 m high [1]. It was bui")(messages, info):
            yield piece
        if len(messages) > 1:
            raise ModelHTTPError(502, "test", "bad gateway")

    said = ask(open_test_services(tmp_path, script=script), "How high is the dam?")
    (fault,) = of_type(said, events.Fault)
    assert fault.code == "model"
    assert fault.hint
    whole = final(said)
    assert whole.answer == shown(said) == "The dam is 33 m high. [1] It was bui"
    assert whole.sentences[-1].support is None
    assert not whole.refused


def test_a_fault_of_ours_ends_the_answer_and_not_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "The dam is 33 m high [1]."))

    def broken(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("pincite.proof.verdict.check_sentence", broken)
    said = ask(services, "How high is the dam?")
    (fault,) = of_type(said, events.Fault)
    assert fault.code == "fault"
    assert "inside" not in fault.message
    assert "inside" in caplog.text
    final(said)


def test_a_model_that_never_stops_calling_tools_meets_its_limit(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id=f"call_{len(messages)}")}

    services = open_test_services(tmp_path, script=script, models={"requests": 3})
    said = ask(services, "How high is the dam?")
    (fault,) = of_type(said, events.Fault)
    assert fault.code == "limit"
    assert len(of_type(said, events.ToolCallStarted)) <= 3


async def _stopped_at(
    services: Services, kind: type[events.Data], question: str = "How high is the dam?"
) -> list[events.Data]:
    """Return the events of a turn that is stopped as soon as it says this."""
    context, said = services.open_context(AskedQuestion(question=question)), list[events.Data]()
    async with asyncio.timeout(PATIENCE):
        async for data in stream_answer(context):
            said.append(data)
            if isinstance(data, kind):
                context.stop.stop_answer()
    return said


@pytest.mark.parametrize(
    "kind", [events.MessageStarted, events.Question, events.ToolCallStarted, events.Text, events.Cited]
)
def test_a_turn_stops_at_every_stage_and_keeps_what_it_said(tmp_path: Path, kind: type[events.Data]) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam", "The dam is 33 m high [1]. ", "It was built in 1950 [1]. ")(messages, info):
            yield piece
        if len(messages) > 1:
            await asyncio.sleep(3600)

    said = asyncio.run(_stopped_at(open_test_services(tmp_path, script=script), kind))
    whole = final(said)
    assert whole.stopped
    assert not whole.refused
    assert whole.answer == shown(said)
    assert not of_type(said, events.Fault)


def _stopped_after(tmp_path: Path, words: str) -> tuple[events.Answer, list[events.Data]]:
    """Return the answer of a model that says this and is stopped after “95 m” is shown, and all events."""

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam", words)(messages, info):
            yield piece
        if len(messages) > 1:
            await asyncio.sleep(3600)

    async def stopped() -> list[events.Data]:
        services = open_test_services(tmp_path, script=script)
        context, said = services.open_context(AskedQuestion(question="How high is the dam?")), list[events.Data]()
        async with asyncio.timeout(PATIENCE):
            async for data in stream_answer(context):
                said.append(data)
                if "95 m" in shown(said):
                    context.stop.stop_answer()
        return said

    said = asyncio.run(stopped())
    return final(said), said


def test_the_last_sentence_before_a_stop_is_compared_with_its_source(tmp_path: Path) -> None:
    whole, said = _stopped_after(tmp_path, "The dam was built in 1950 [1]. It is 95 m high [1].")
    assert whole.stopped
    assert whole.answer == shown(said)
    assert [sentence.text for sentence in whole.sentences] == ["The dam was built in 1950.", "It is 95 m high."]
    last = whole.sentences[-1]
    assert last.support == "contradicted"
    assert last.citations


def test_a_sentence_that_a_stop_cuts_off_stays_without_a_verdict(tmp_path: Path) -> None:
    whole, said = _stopped_after(tmp_path, "The dam was built in 1950 [1]. It is 95 m")
    assert whole.answer == shown(said)
    last = whole.sentences[-1]
    assert (last.text, last.support, last.citations) == ("It is 95 m", None, [])


def test_a_slow_model_and_a_slow_tool_are_stopped_while_they_are_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        await asyncio.sleep(3600)
        yield "Too late."

    async def stopped_soon(services: Services) -> events.Answer:
        context = services.open_context(AskedQuestion(question="How high is the dam?"))
        asyncio.get_running_loop().call_later(0.05, context.stop.stop_answer)
        async with asyncio.timeout(PATIENCE):
            return final(await told(context))

    assert asyncio.run(stopped_soon(open_test_services(tmp_path, script=silent))).stopped


def test_twenty_questions_at_once_share_nothing(tmp_path: Path) -> None:
    names = [f"Lake{chr(65 + n)}{chr(97 + n)}" for n in range(20)]
    texts = {f"{n}.md": f"# {name}\n\n{name} is {100 + n} m deep." for n, name in enumerate(names)}

    async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        first = messages[0].parts[0]
        name = str(getattr(first, "content", "")).split()[-1].rstrip("?")
        if len(messages) == 1:
            yield {0: DeltaToolCall("search_documents", f'{{"query": "{name}", "limit": 1}}', tool_call_id="call_0")}
        else:
            for letter in f"{name} is {100 + names.index(name)} m deep [1].":
                await asyncio.sleep(0)
                yield letter

    services = open_test_services(tmp_path, texts, script)

    async def all_at_once() -> list[list[events.Data]]:
        turns = [services.open_context(AskedQuestion(question=f"How deep is {name}?")) for name in names]
        return await asyncio.gather(*(told(context) for context in turns))

    for n, (name, said) in enumerate(zip(names, asyncio.run(all_at_once()), strict=True)):
        whole = final(said)
        assert whole.answer == f"{name} is {100 + n} m deep. [1]"
        assert [citation.title for citation in whole.citations] == [name]
        assert [found.title for found in of_type(said, events.EvidenceFound)] == [name]


def test_a_greeting_is_answered_without_a_search_and_needs_no_proof(tmp_path: Path) -> None:
    said = ask(open_test_services(tmp_path, script=saying("Hello! How can I help?")), "Hello!")
    assert not of_type(said, events.ToolCallStarted)
    assert all(sentence.support is None for sentence in final(said).sentences)
    assert not final(said).refused


def test_a_page_sent_by_firefox_turns_the_tools_off_for_that_turn(tmp_path: Path) -> None:
    offered: list[int] = []

    async def script(_: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        offered.append(len(info.function_tools))
        yield "It says that water is wet."

    prompt = "I'm on page “Water” with “Water is wet.” selected. Please summarize the selection."
    said = ask(open_test_services(tmp_path, script=script), prompt)
    (started,) = of_type(said, events.ToolCallStarted)
    assert (started.name, started.status) == ("firefoxAI", "success")
    assert 'type="firefoxAI" status="success"' in started.content
    assert offered == [0]
