"""A cast for questions in parts: one model that plays every role by its task, and what was heard of each."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from pincite import events
from pincite.answer.services import Services
from pincite.llm.model_roles import ChosenModel, Models, Roles
from pincite.web.search_engine import SearchEngine, SearchResult, SearchResults
from tests.turns import Piece, open_test_services

LEASE = """# Lease of the flat in rue Haute

The notice period is three months. The tenant gives notice by registered letter.

The rent is 812 euros a month. It is due on the fifth day.
"""
LAW = """# Act on furnished letting

The notice period for a furnished flat is one month. The landlord must give six months.
"""
TEXTS = {"lease.md": LEASE, "law.md": LAW}
QUESTION = "What notice does the lease ask for, and what does the act on letting say?"
PARTS = ("Which notice period does the lease name?", "Which notice period does the act on furnished letting name?")

Role = Callable[[list[ModelMessage], AgentInfo], AsyncIterator[Piece]]


def plan(*parts: tuple[str, str], needed: bool = True) -> str:
    """A plan as a system model writes it."""
    subtasks = [{"subagent": subagent, "task": task} for subagent, task in parts]
    return json.dumps({"needsDecomposition": needed, "reasoning": "It has parts.", "subtasks": subtasks})


def both(subagent: str = "file_analyzer") -> str:
    return plan(*((subagent, task) for task in PARTS))


def looking(query: str, *said: str, tool: str = "file_search") -> Role:
    """Somebody who looks once, and then says this."""

    async def role(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
        if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
            for piece in said:
                yield piece
        else:
            yield call(tool, query=query)

    return role


def call(tool: str, **given: Any) -> dict[int, DeltaToolCall]:
    return {0: DeltaToolCall(name=tool, json_args=json.dumps(given), tool_call_id=f"call_{tool}")}


class Cast(Models):
    """Models that plan as they are told, and play whoever a task belongs to."""

    def __init__(self, settings: Any, planned: str | Callable[[str], str], roles: Mapping[str, Role]) -> None:
        super().__init__(settings)
        self.asked: list[str] = []  # the tasks, as the models were given them
        self.heard: list[tuple[list[ModelMessage], AgentInfo]] = []

        async def speak(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
            task = _task(messages)
            self.asked.append(task)
            self.heard.append((list(messages), info))
            async for piece in roles[task](messages, info):
                yield piece

        def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
            return ModelResponse(parts=[TextPart(planned if isinstance(planned, str) else planned(_task(messages)))])

        model = FunctionModel(reply, stream_function=speak)
        self._roles = Roles(ChosenModel("test:chat", model), ChosenModel("test:system", model))

    def roles(self, chat: str = "", system: str = "") -> Roles:
        return self._roles


def staged(tmp_path: Path, planned: str | Callable[[str], str], roles: Mapping[str, Role], **given: Any) -> Services:
    """Services over the lease and the law, whose models are the cast."""
    services = open_test_services(tmp_path, TEXTS, **given)
    services.models = Cast(services.settings, planned, roles)
    return services


def cast(services: Services) -> Cast:
    assert isinstance(services.models, Cast)
    return services.models


class Shelf:
    """A search engine that finds nothing, and notes what it was asked."""

    def __init__(self, *results: SearchResult) -> None:
        self.results = results
        self.asked: list[str] = []

    async def search(self, query: str, **_: Any) -> SearchResults:
        self.asked.append(query)
        return SearchResults(self.results)


def with_engine(services: Services, engine: SearchEngine) -> Services:
    """The services with a search engine of the test's own."""
    services.find_engine = lambda owner: engine  # type: ignore[method-assign]
    return services


def stories(said: Sequence[events.Data]) -> dict[str, list[str]]:
    """Return the events of each subagent by its task, and those of the turn: one line each, without varying values."""
    names: dict[str, str] = {}
    found: dict[str, list[str]] = {"turn": []}
    for data in said:
        match data:
            case events.SubagentStarted():
                names[data.subagentId] = data.task
                found[data.task] = [f"started {data.name}"]
                found["turn"].append(f"started {data.name}")
            case events.SubagentData():
                found[names[data.subagentId]].append(_line(data.event["type"], data.event["data"]))
            case events.SubagentCompleted():
                found[names[data.subagentId]].append(f"completed: {data.summary}")
            case events.SubagentError():
                found[names[data.subagentId]].append(f"error: {data.error}")
            case events.EvidenceFound():
                found["turn"].append("evidence")
            case _:
                line = _line(events.find_event_type(data), data.model_dump())
                if not (line == "text" and found["turn"][-1] == "text"):
                    found["turn"].append(line)
    return found


def _line(type: str, data: Mapping[str, Any]) -> str:
    match type:
        case "tool_call_started":
            return f"{data['name']}({data['attributes'].get('query', '')})"
        case "tool_call_success":
            return f"found {data['extra'].get('found', 'nothing')}"
        case "tool_call_error":
            return f"refused: {data['error']}"
        case _:
            return type


def _task(messages: list[ModelMessage]) -> str:
    prompts = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    # A writer gets rules after the question, in a paragraph of their own.
    return str(prompts[-1].content).partition("\n\n(")[0]
