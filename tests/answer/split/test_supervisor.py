"""A question in parts: they are worked on at the same time, share their sources, and end in one answer."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.split.decomposition import Subtask
from pincite.answer.split.subagent_run import make_child_context
from pincite.answer.split.subagents import DEEP_RESEARCH, FILE_ANALYZER
from pincite.types import Exchange
from tests.answer.split.acting import (
    PARTS,
    QUESTION,
    Role,
    Shelf,
    both,
    call,
    cast,
    looking,
    staged,
    stories,
    with_engine,
)
from tests.clock import PATIENCE, JumpingLoop
from tests.turns import Piece, ask, final, of_type, saying, told

LEASE, LAW = PARTS
ONE = "The notice period is three months [1.1]."
OTHER = "For a furnished flat it is one month [2.1]."
ANSWER = (
    "The lease says three months [1.1]. The act says that the notice period for a furnished flat is one month [2.1]."
)


def by_title(query: str, title: str) -> Role:
    """Somebody who looks, and cites the first sentence of the source with this title, whatever its number is."""

    async def role(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        returned = [part.content for message in messages for part in message.parts if part.part_kind == "tool-return"]
        if not returned:
            yield call("file_search", query=query)
            return
        lines = str(returned[-1]).splitlines()
        at = next(line for line in lines if title in line and line.startswith("["))
        number = at[1 : at.index("]")]
        said = next(line for line in lines if line.startswith(f"[{number}.2]"))
        yield f"{said.partition('] ')[2].partition('. ')[0].rstrip('.')} [{number}.2]."

    return role


def playing(one: Role, other: Role, last: Role | None = None) -> dict[str, Role]:
    return {LEASE: one, LAW: other, QUESTION: last or saying(ANSWER)}


def test_two_parts_become_one_answer_with_one_numbering(tmp_path: Path) -> None:
    services = staged(tmp_path, both(), playing(by_title("notice", "Lease"), by_title("notice furnished", "Act")))
    said = ask(services, QUESTION, focus="documents")
    told = stories(said)
    lease = "The notice period is three months"
    assert [told[LEASE][:-1], told[LEASE][-1][: len(f"completed: {lease}")]] == [
        ["started file_analyzer", "file_search(notice)", "found 2", "text"],
        f"completed: {lease}",
    ]
    # The whole question is searched while the system model plans.
    assert [line for line in told["turn"] if line not in ("text", "evidence")][:6] == [
        "message_started",
        "question",
        f"search_documents({QUESTION})",
        "found 2",
        "started file_analyzer",
        "started file_analyzer",
    ]
    assert told["turn"].count("evidence") == 2
    assert [line for line in told["turn"] if line not in ("text", "evidence")][6:] == [
        "started content_synthesizer",
        "citation",
        "citation",
        "usage",
        "message_completed",
    ]
    assert told[QUESTION] == ["started content_synthesizer", "completed: "]
    numbers = [each.n for each in of_type(said, events.EvidenceFound)]
    assert numbers == [1, 2]
    whole = final(said)
    assert [(each.name, each.status) for each in whole.subagents] == [
        ("file_analyzer", "success"),
        ("file_analyzer", "success"),
        ("content_synthesizer", "success"),
    ]
    assert whole.usage.requests == 6  # the plan, two each, and the synthesis


def test_parts_are_worked_on_at_the_same_time(tmp_path: Path) -> None:
    def slow(role: Role) -> Role:
        async def play(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
            await asyncio.sleep(0.5)
            async for piece in role(messages, info):
                yield piece

        return play

    services = staged(tmp_path, both(), playing(slow(looking("notice", ONE)), slow(looking("furnished", OTHER))))
    said = ask(services, QUESTION, focus="documents")
    begun = [place for place, data in enumerate(said) if isinstance(data, events.SubagentStarted)]
    ended = [place for place, data in enumerate(said) if isinstance(data, events.SubagentCompleted)]
    assert begun[1] < ended[0]  # the second begins before the first is over
    assert all(each.seconds >= 1 for each in final(said).subagents[:2])  # two requests of half a second each


@pytest.mark.parametrize(
    "planned",
    [
        "I would not.",
        '{"needsDecomposition": true, "subtasks": []}',
        '{"needsDecomposition": true, "subtasks": [{"subagent": "file_analyzer", "task": "All of it, at once"}]}',
        both("root_shell"),
        both("deep_research"),  # the web is not part of this focus
        '{"needsDecomposition": "perhaps", "subtasks": 3}',
    ],
)
def test_an_unusable_plan_leaves_the_question_to_the_ordinary_agent(tmp_path: Path, planned: str) -> None:
    services = staged(tmp_path, planned, {QUESTION: looking("notice", ONE, tool="search_documents")})
    said = ask(services, QUESTION, focus="documents")
    assert of_type(said, events.SubagentStarted) == []
    assert final(said).answer.startswith("The notice period is three months")


@pytest.mark.parametrize(
    "question", ["How high is the rent?", "Hello, and thank you!", "When is the rent due, please?"]
)
def test_a_simple_question_is_not_even_weighed(tmp_path: Path, question: str) -> None:
    weighed: list[str] = []

    def note(prompt: str) -> str:
        weighed.append(prompt)
        return both()

    services = staged(tmp_path, note, {question: saying("It is 812 euros a month.")}, answers={"judge": "off"})
    assert of_type(ask(services, question), events.SubagentStarted) == []
    assert weighed == []


def test_a_failing_part_leaves_what_the_other_found_to_the_ordinary_agent(tmp_path: Path) -> None:
    async def failing(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        raise RuntimeError("a fault of the model's own")
        yield

    services = staged(tmp_path, both(), playing(looking("notice", ONE), failing, saying(ONE)))
    said = ask(services, QUESTION, focus="documents")
    told = stories(said)
    assert told[LAW][-1].startswith("error: It failed inside")
    assert "content_synthesizer" not in {each.name for each in final(said).subagents}
    messages, info = cast(services).heard[-1]
    assert {tool.name for tool in info.function_tools} >= {"search_documents", "read_document"}
    assert "three months" in str(messages)  # the model gets the evidence
    assert final(said).sentences[0].citations
    assert [each.status for each in final(said).subagents] == ["success", "error"]


def test_a_subagent_has_no_tools_but_its_own_and_gets_none_by_asking(tmp_path: Path) -> None:
    async def greedy(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        if len(messages) == 1:
            yield call("list_documents")
        elif len(messages) == 3:
            yield call("file_search", query="notice")
        else:
            yield ONE

    services = staged(tmp_path, both(), playing(greedy, looking("furnished", OTHER)))
    said = ask(services, QUESTION, focus="documents")
    told = stories(said)
    assert told[LEASE][1] == "list_documents()"
    assert told[LEASE][2].startswith("refused: ")
    assert told[LEASE][-1].startswith("completed")
    offered = [{tool.name for tool in info.function_tools} for (_, info) in cast(services).heard if info.function_tools]
    assert offered
    assert all(tools == FILE_ANALYZER.tools for tools in offered)


def test_a_runaway_is_stopped_after_its_turns_and_keeps_what_it_found(tmp_path: Path) -> None:
    async def runaway(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield call("file_search", query="notice")

    services = staged(tmp_path, both(), playing(runaway, looking("furnished", OTHER)))
    said = ask(services, QUESTION, focus="documents")
    assert cast(services).asked.count(LEASE) == 5  # its turns
    assert final(said).subagents[0].status == "success"
    assert final(said).subagents[2].name == "content_synthesizer"


def test_a_runaway_that_finds_nothing_has_failed(tmp_path: Path) -> None:
    async def runaway(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield call("file_search", query="xylophone")

    services = staged(tmp_path, both(), playing(runaway, looking("furnished", OTHER), saying(OTHER)))
    said = ask(services, QUESTION, focus="documents")
    assert stories(said)[LEASE][-1].startswith("error: It came to no end in its 5 turns")


def test_the_whole_has_one_budget(tmp_path: Path) -> None:
    async def runaway(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield call("file_search", query="notice")

    budget = {"requests": 7}
    services = staged(tmp_path, both(), playing(runaway, runaway), research=budget)
    said = ask(services, QUESTION, focus="documents")
    assert (
        cast(services).asked.count(LEASE) == cast(services).asked.count(LAW) == 2
    )  # a third of what the plan left, each
    assert final(said).usage.requests <= 7


def test_a_part_that_takes_too_long_is_answered_from_its_sources(tmp_path: Path) -> None:
    loop, has_other_ended = JumpingLoop(), asyncio.Event()

    async def never(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        if len(messages) > 1:
            await has_other_ended.wait()
            loop.jump(61)
            await asyncio.sleep(10 * PATIENCE)
        yield call("file_search", query="notice")

    services = staged(tmp_path, both(), playing(never, looking("furnished", OTHER)), research={"seconds": 60.0})

    async def asked() -> list[events.Data]:
        said = []
        async for data in stream_answer(services.open_context(AskedQuestion(question=QUESTION, focus="documents"))):
            said.append(data)
            if isinstance(data, events.SubagentCompleted):
                has_other_ended.set()
        return said

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        said = runner.run(asked())
    assert stories(said)[LEASE][-1] == "error: It took too long."
    assert final(said).subagents[-1].name == "content_synthesizer"
    assert final(said).answer.startswith("The lease says three months")


def test_stopping_the_question_stops_all_of_it_at_once(tmp_path: Path) -> None:
    begun: list[str] = []
    ended: list[str] = []

    def waiting(name: str) -> Role:
        async def role(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
            begun.append(name)
            if len(begun) == 2:
                context.stop.stop_answer()
            try:
                await asyncio.sleep(10 * PATIENCE)
                yield "never"
            finally:
                ended.append(name)

        return role

    services = staged(tmp_path, both(), playing(waiting("one"), waiting("other")))

    context = services.open_context(AskedQuestion(question=QUESTION, focus="documents"))
    said = asyncio.run(asyncio.wait_for(told(context), PATIENCE))
    assert sorted(ended) == ["one", "other"]
    assert final(said).stopped
    assert [each.status for each in final(said).subagents] == ["error", "error"]


def test_a_subagent_sees_its_task_and_the_last_messages_alone(tmp_path: Path) -> None:
    history = tuple(Exchange(f"Question {n}?", f"Answer {n}.") for n in range(1, 6))
    services = staged(tmp_path, both(), playing(looking("notice", ONE), looking("furnished", OTHER)))
    ask(services, QUESTION, focus="documents", history=history)
    first = next(messages for messages, _ in cast(services).heard if LEASE in str(messages))
    assert len(first) == 5
    assert "Answer 4." in str(first)
    assert "Question 3?" not in str(first)


def test_about_me_is_told_to_no_subagent(tmp_path: Path) -> None:
    services = staged(tmp_path, both(), playing(looking("notice", ONE), looking("furnished", OTHER)))
    said = ask(services, QUESTION, focus="documents", profile="I am Wilhelmina, a beekeeper in Vierzon.")
    for messages, info in cast(services).heard:
        told = f"{messages} {info.instructions}"
        assert ("Wilhelmina" in told) == (not info.function_tools)
    assert final(said).used_personalization


def test_the_web_is_for_deep_research_and_only_where_the_focus_has_it(tmp_path: Path) -> None:
    planned: list[str] = []

    def note(prompt: str) -> str:
        planned.append(prompt)
        return "no"

    services = with_engine(
        staged(tmp_path, note, {QUESTION: saying("Nothing was found.")}, answers={"judge": "off"}), Shelf()
    )
    for focus in ("documents", "web", "all"):
        ask(services, QUESTION, focus=focus)
    has = [("`file_analyzer`" in prompt, "`deep_research`" in prompt) for prompt in planned]
    assert has == [(True, False), (False, True), (True, True)]


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    services = staged(tmp_path, both(), {QUESTION: saying("Nothing.")}, research={"subagents": False})
    assert of_type(ask(services, QUESTION), events.SubagentStarted) == []


def test_a_synthesizer_that_fails_before_its_first_word_leaves_it_to_the_ordinary_agent(tmp_path: Path) -> None:
    async def broken(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if not info.function_tools:
            raise ModelHTTPError(500, "test:chat")
        yield ONE

    services = staged(tmp_path, both(), playing(looking("notice", ONE), looking("furnished", OTHER), broken))
    said = ask(services, QUESTION, focus="documents")
    assert [each.status for each in final(said).subagents] == ["success", "success", "error"]
    assert final(said).answer.startswith("The notice period is three months")


def test_a_synthesizer_that_fails_in_mid_sentence_is_over_and_its_failure_told(tmp_path: Path) -> None:
    async def breaking(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield ONE
        raise ModelHTTPError(500, "test:chat")

    services = staged(tmp_path, both(), playing(looking("notice", ONE), looking("furnished", OTHER), breaking))
    said = ask(services, QUESTION, focus="documents")
    assert stories(said)[QUESTION][-1].startswith("error: ")
    assert len(of_type(said, events.Fault)) == 1


def test_an_address_that_only_a_model_wrote_into_a_task_is_not_one_that_the_user_gave(tmp_path: Path) -> None:
    services = staged(tmp_path, both(), playing(looking("notice", ONE), looking("furnished", OTHER)))
    context = services.open_context(AskedQuestion(question=f"{QUESTION} See https://example.org/mine"))
    own = make_child_context(
        context, Subtask(DEEP_RESEARCH, "Read https://example.org/theirs"), context.meter.budget, lambda _: None
    )
    assert own.outbound.find("https://example.org/mine")
    assert not own.outbound.find("https://example.org/theirs")
