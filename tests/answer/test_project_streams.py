"""The events of questions about a project, as they were agreed on: `project_streams.json` holds them.

To agree on others, run with RECORD_STREAMS=1, and read what changed.
"""

import asyncio
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.answer.question import AskedQuestion, GivenFile
from pincite.conversations import Conversations
from pincite.conversations.client_results import ReportedResult
from pincite.events import Answer, Event, ResultStatus
from pincite.llm.model_roles import Models
from pincite.projects.edit_blocks import create_search_replace_block
from tests.conversations.conftest import heard
from tests.projects_given import open_project_services
from tests.turns import Script, saying

AGREED = Path(__file__).with_name("project_streams.json")
BLOCK = create_search_replace_block("README.md", "# Sketches\n", "# Drawings\n")
WRONG = create_search_replace_block("README.md", "# Sketchs\n", "# Drawings\n")
_HEX = re.compile(r"\b[0-9a-f]{12,64}\b")

# A name, the model (None for none), the question, and what the client reports about the calls of the answer.
CASES: list[tuple[str, Script | None, str, Sequence[tuple[str, ResultStatus]]]] = [
    ("without a model", None, "How is the delay computed before an attempt?", ()),
    ("without a model and without an answer", None, "Who is the king of Norway?", ()),
    ("a model", saying("A circle has an area [1]."), "Which area has a circle?", ()),
    ("finishing", saying("I propose the title.\n\n", BLOCK), "Rename the title.", [("apply_changes", "applied")]),
    (
        "pausing and stopping",
        saying("I propose the title.\n\n", BLOCK, "\n\nSTOP_MARKER"),
        "Rename all.",
        [("apply_changes", "applied"), ("continue", "stop")],
    ),
    (
        "continuing in a loop",
        saying("I propose the title.\n\n", BLOCK, "\n\nSTOP_MARKER"),
        "Rename all.",
        [("apply_changes", "rejected"), ("continue", "continue")],
    ),
    ("stalling", saying("I look at it.\n\n", WRONG), "Rename the title.", [("continue", "continue")]),
]


async def talk(services: Any, question: str, reports: Sequence[tuple[str, ResultStatus]], **given: Any) -> list[Event]:
    """A question, the reports, and all events to the end."""
    runner = Conversations(services)
    running = await runner.ask(AskedQuestion(question=question, **(given or {"project": "sketches"})))
    said = await heard(runner.events("local", running.conversation))
    answer = Answer.model_validate(said[-1].data)
    for tool, status in reports:
        (call,) = (each for each in answer.calls if each.tool == tool)
        await runner.report("local", running.conversation, ReportedResult(call.id, status))
    said = await heard(runner.events("local", running.conversation))
    await runner.close()
    return said


def settle(said: Sequence[Event]) -> list[Any]:
    """Events without what differs each time: ids by their order, and pieces of text put together."""
    known: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        return known.setdefault(found[0], f"id-{len(known) + 1}")

    rows: list[dict[str, Any]] = [
        {"type": each.type, "data": each.data} for each in said if each.type not in ("usage", "message_started")
    ]
    for row in rows:
        if row["type"] == "message_completed":
            kept = ("answer", "refused", "changes", "calls", "progress", "stopped")
            row["data"] = {key: row["data"][key] for key in kept}
        row["data"].pop("score", None)
        for citation in row["data"].get("citations", []):
            citation.pop("score", None)
    settled: list[Any] = json.loads(_HEX.sub(name, json.dumps(rows)))
    return settled


@pytest.mark.parametrize(("name", "script", "question", "reports"), CASES, ids=[case[0] for case in CASES])
def test_the_events_are_those_that_were_agreed_on(
    tmp_path: Path, name: str, script: Script | None, question: str, reports: Sequence[tuple[str, ResultStatus]]
) -> None:
    services = open_project_services(tmp_path, script)
    if script is None:
        services.models = Models(services.settings)
    compare(name, settle(asyncio.run(talk(services, question, reports))))


def test_files_of_a_client_have_the_same_events(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose this.\n\n", BLOCK))
    files = (GivenFile("README.md", "# Sketches\n\nDraws.\n"),)
    compare("files of a client", settle(asyncio.run(talk(services, "Rename the title of README.md.", (), files=files))))


def compare(name: str, said: list[Any]) -> None:
    agreed = json.loads(AGREED.read_text(encoding="utf-8")) if AGREED.exists() else {}
    if os.environ.get("RECORD_STREAMS"):
        agreed[name] = said
        text = json.dumps(dict(sorted(agreed.items())), indent=1, ensure_ascii=False)
        AGREED.write_text(f"{text}\n", encoding="utf-8")
    assert said == agreed[name]
