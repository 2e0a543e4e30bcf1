import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.cli.terminal_renderer import TerminalRenderer
from pincite.library import open_library
from pincite.reading import read
from pincite.reading.source import Source
from pincite.settings import load_settings
from tests.answer.extractive.shelves import BRIDGE, PONT
from tests.cli.conftest import Ran
from tests.turns import Piece, Script, keep, searching

Pincite = Callable[..., Ran]
QUESTION = "What is known about the Garrow Bridge?"


@pytest.fixture(autouse=True)
def _bridges(pincite: Pincite, tmp_path: Path) -> None:
    """A library with two documents about bridges."""
    library = open_library(load_settings(data=tmp_path / "data"))
    for name, text in (("bridge.md", BRIDGE), ("pont.md", PONT)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        keep(library, tmp_path / name)
    library.close()


def test_a_report_stands_on_stdout_with_its_proof_and_its_bibliography(pincite: Pincite) -> None:
    ran = pincite("research", QUESTION)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert [line for line in lines if line.startswith("## ")] == [
        "## In short",
        "## History",
        "## Structure",
        "## Use",
        "## Maintenance",
    ]
    assert "[1] The Garrow Bridge   ● quoted" in lines
    assert lines[-2:] == ["Bibliography", "1. The Garrow Bridge"]


def test_how_it_comes_along_is_told_on_the_side(pincite: Pincite) -> None:
    said = pincite("research", QUESTION).said.splitlines()
    assert said == ["Outline: In short · History · Structure · Use · Maintenance"]


def test_json_is_the_whole_answer_with_its_outline_alone(pincite: Pincite) -> None:
    answer = pincite("research", QUESTION, "--json").json
    assert answer["outline"][0] == {"heading": "In short", "question": QUESTION}
    assert answer["subagents"] == []  # passages are quoted: there is nothing to write


def test_it_is_kept_as_every_file_that_is_named(pincite: Pincite, tmp_path: Path) -> None:
    paths = [tmp_path / f"report.{ending}" for ending in ("md", "html", "pdf", "json")]
    ran = pincite("research", QUESTION, *(part for path in paths for part in ("--out", path)))
    assert ran.status == 0
    assert [f"Written to {path}." in ran.said for path in paths] == [True] * 4
    markdown = paths[0].read_text(encoding="utf-8")
    assert markdown.startswith(f"# {QUESTION}\n")
    assert "\n## Bibliography\n\n1. The Garrow Bridge\n" in markdown
    assert "[^1-1]: The Garrow Bridge: “" in markdown
    assert '<ol class="works"><li>The Garrow Bridge</li></ol>' in paths[1].read_text(encoding="utf-8")
    text = read(Source(paths[2], "report.pdf")).text
    assert "Bibliography" in text
    assert "“Repainting takes place every eight years.”" in " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("report.doc", "A report cannot be saved as .doc."),
        ("report", "has no file extension."),
        ("none/report.pdf", "There is no folder"),
    ],
)
def test_a_file_that_cannot_be_is_said_before_any_work_is_done(
    pincite: Pincite, tmp_path: Path, name: str, message: str
) -> None:
    ran = pincite("research", QUESTION, "--out", tmp_path / "good.md", "--out", tmp_path / name)
    assert ran.status == 2
    assert message in ran.said
    assert "Outline" not in ran.said
    assert not (tmp_path / "good.md").exists()


def test_a_question_without_answer_ends_with_one_and_writes_nothing(pincite: Pincite, tmp_path: Path) -> None:
    ran = pincite("research", "Who won the chess boxing cup?", "--out", tmp_path / "report.md")
    assert ran.status == 1
    assert "I found nothing in the sources" in ran.out
    assert "Nothing was found, so no file was written." in ran.said
    assert not (tmp_path / "report.md").exists()


def test_an_empty_question_is_a_mistake(pincite: Pincite) -> None:
    assert pincite("research", " ").status == 2


def test_ctrl_c_keeps_what_is_there_in_the_file_too(
    pincite: Pincite, answered_by: Callable[[Script], None], tmp_path: Path
) -> None:
    said = "The bridge is a steel arch bridge with a main span of 218 metres [1]."
    short = searching("Garrow Bridge", said, tool="file_search")

    async def writer(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if "History: " in str(messages[0].parts):
            while "Written" not in told:  # when the first section has been said
                await asyncio.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
        if ": What" in str(messages[0].parts):
            await asyncio.sleep(600)
        async for piece in short(messages, info):
            yield piece

    told: set[str] = set()
    judged = TerminalRenderer.hear

    def hear(teller: TerminalRenderer, data: events.Data) -> None:
        if isinstance(data, events.Cited) and "218" in data.sentence.text:
            told.add("Written")
        judged(teller, data)

    answered_by(writer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TerminalRenderer, "hear", hear)
        ran = pincite("research", QUESTION, "--out", tmp_path / "report.md")
    assert ran.status == 130
    assert ran.out.startswith("## In short\n\nThe bridge is a steel arch bridge")
    kept = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "218 metres.[^1-1]" in kept
    assert "stopped here" in kept


def test_it_may_be_had_in_a_conversation_and_gone_on_with(pincite: Pincite) -> None:
    ran = pincite("research", QUESTION, "--conversation", "new")
    assert "Conversation " in ran.said
    told = pincite("conversations", "export", "last").out
    assert told.startswith(f"# {QUESTION}\n")
    assert "## Bibliography" in told
