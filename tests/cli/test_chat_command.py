import asyncio
import io
import json
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite.library import open_library
from pincite.settings import load_settings
from tests.cli.conftest import Ran
from tests.turns import DAM, Piece, Script, keep, saying, searching

Answered = Callable[["Script"], None]


async def high(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
    """A model that looks, whatever was asked before, and says how high the dam is."""
    async for piece in searching("dam high", "The dam is 33 m high [1].")(
        messages if _has_looked(messages) else messages[-1:], info
    ):
        yield piece


def _has_looked(messages: list[ModelMessage]) -> bool:
    return any(part.part_kind == "tool-return" for part in messages[-1].parts)


@pytest.fixture
def chat(pincite: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Chats about a dam: each line is typed, or comes through a pipe."""
    path = tmp_path / "dam.md"
    path.write_text(DAM, encoding="utf-8")
    library = open_library(load_settings(data=tmp_path / "data"))
    keep(library, path)
    library.close()

    def said(*lines: str, options: tuple[str, ...] = ()) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return pincite("chat", *options)

    return said


def test_each_line_is_a_question_and_an_empty_one_is_none(chat: Callable[..., Ran], answered_by: Answered) -> None:
    answered_by(high)
    ran = chat("How high is the dam?", "", "  ", "Is the dam high?")
    assert ran.status == 0
    assert [line for line in ran.out.splitlines() if line.startswith("> ")] == [
        "> How high is the dam?",
        "> Is the dam high?",
    ]
    assert ran.out.count("[1] The dam at Vassivière") == 2


def test_json_is_an_answer_on_each_line(chat: Callable[..., Ran], answered_by: Answered) -> None:
    answered_by(high)
    ran = chat("How high is the dam?", "/focus documents", "Is the dam high?", options=("--json",))
    assert [answer["citations"][0]["n"] for answer in ran.lines] == [1, 1]


def test_a_question_is_understood_after_those_before_it(chat: Callable[..., Ran], answered_by: Answered) -> None:
    asked: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if info.function_tools:  # and not what it writes from the evidence that was found for it
            asked.append(str(messages))
        yield "The dam is high."

    answered_by(script)
    chat("How high is the dam at Vassivière?", "/new", "What is a lake of that size called?", "When was it built?")
    assert "How high" not in asked[1]
    assert "What is a lake" in asked[2]
    assert "How high" not in asked[2]


def test_a_chat_is_kept_and_can_go_on(
    chat: Callable[..., Ran], pincite: Callable[..., Ran], answered_by: Answered
) -> None:
    answered_by(high)
    chat("How high is the dam?")
    chat("Is the dam high?", options=("--conversation", "last"))
    listed = pincite("conversations", "--json").json
    assert [each["title"] for each in listed] == ["How high is the dam?"]
    told = pincite("conversations", "show", listed[0]["id"][:8]).out
    assert told.index("> How high is the dam?") < told.index("> Is the dam high?")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/help", "/open N"),
        ("/focus documents", "The focus is documents."),
        ("/focus research", "The focus is research."),
        ("/focus web", "The focus is web. No search engine is set (web.search_url)"),
        ("/focus moon", "There is no focus moon."),
        ("/documents all", "All documents are searched."),
        ("/documents nope", "There is no document nope."),
        ("/open", "/open needs the number of a source."),
        ("/open 1", "There is no answer yet."),
        ("/sources", "There is no answer yet."),
        ("/export", "/export needs the name of a file."),
        ("/export talk.doc", "Known endings: .md, .html, .pdf, .csl.json, .json, .bib, .ris, .txt."),
        ("/export talk.md", "There is no answer yet."),
        ("/frobnicate", "There is no command /frobnicate."),
        ("/model gpt", "which provider"),
        ("/model extractive", "extractive answers."),
        ("/new", "A new conversation."),
    ],
)
def test_a_command_says_what_it_did_or_what_is_wrong_with_it(chat: Callable[..., Ran], line: str, said: str) -> None:
    ran = chat(line)
    assert (ran.status, ran.out) == (0, "")
    assert said in ran.said


def test_nothing_is_heard_after_quit(chat: Callable[..., Ran]) -> None:
    assert chat("/quit", "/focus documents").said == ""


def test_documents_are_listed_and_can_be_chosen(
    chat: Callable[..., Ran], pincite: Callable[..., Ran], tmp_path: Path
) -> None:
    id = pincite("documents", "--json").json[0]["document"]
    ran = chat("/documents", f"/documents {id[:8]}")
    assert "The dam at Vassivière" in ran.out
    assert f"Only these are searched: {id[:8]}" in ran.said


def test_sources_are_shown_again_and_opened(
    chat: Callable[..., Ran], answered_by: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    answered_by(high)
    ran = chat("How high is the dam?", "/sources", "/open 1", "/open 2")
    assert ran.out.count("[1] The dam at Vassivière") == 2
    assert len(opened) == 1
    assert "The answer has no source 2." in ran.said


@pytest.mark.parametrize(
    ("name", "has"),
    [("talk.md", "[^1-1]: The dam at Vassivière"), ("talk.html", "<!doctype html>"), ("talk.json", '"messages": [')],
)
def test_a_conversation_is_kept_as_a_file(
    chat: Callable[..., Ran], answered_by: Answered, tmp_path: Path, name: str, has: str
) -> None:
    answered_by(high)
    chat("How high is the dam?", f"/export {tmp_path / name}")
    assert has in (tmp_path / name).read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_said_and_the_chat_goes_on(
    chat: Callable[..., Ran], answered_by: Answered, tmp_path: Path
) -> None:
    answered_by(high)
    ran = chat("How high is the dam?", f"/export {tmp_path / 'no' / 'talk.md'}", "Is the dam high?")
    assert "cannot be written" in ran.said
    assert "> Is the dam high?" in ran.out


def test_ctrl_c_stops_the_answer_and_not_the_program(chat: Callable[..., Ran], answered_by: Answered) -> None:
    asked = 0

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        nonlocal asked
        asked += 1
        async for piece in searching("dam high", "The dam is 33 m high [1]. ", "And ")(messages, info):
            yield piece
        if asked == 2:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(600)

    answered_by(script)
    ran = chat("How high is the dam?", "/focus documents")
    assert ran.status == 0
    assert "stopped before its end" in ran.out
    assert "The focus is documents." in ran.said


def test_ctrl_c_ends_a_search_first_and_the_answer_is_written(
    chat: Callable[..., Ran], answered_by: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = threading.Event()

    def endless(*_: object, **__: object) -> list[object]:
        os.kill(os.getpid(), signal.SIGINT)
        searches.wait(3)
        return []

    monkeypatch.setattr("pincite.search.search.PassageSearch.search", endless)
    answered_by(searching("dam high", "I was stopped before I found it."))
    ran = chat("How high is the dam?")
    searches.set()
    assert ran.status == 0
    assert "The search was stopped. The answer uses the sources found so far." in ran.said
    assert "I was stopped before I found it." in ran.out
    assert "stopped before its end" not in ran.out


def test_a_model_that_cannot_be_had_ends_no_chat(
    chat: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, pincite: Callable[..., Ran]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = chat("How high is the dam?", "/focus documents", options=("--model", "openai:gpt-5"))
    assert ran.status == 0
    assert "OPENAI_API_KEY" in ran.said
    assert "The focus is documents." in ran.said
    assert pincite("conversations", "--json").json == []


def test_a_wrong_option_is_told_before_the_first_question(chat: Callable[..., Ran]) -> None:
    ran = chat("How high is the dam?", options=("--library", "nope"))
    assert (ran.status, ran.out) == (2, "")
    assert "There is no library nope." in ran.said


def test_an_answer_that_is_no_sentence_of_the_documents_can_be_asked_for(
    chat: Callable[..., Ran], answered_by: Answered
) -> None:
    answered_by(saying("Hello to you too."))
    (answer,) = chat("Hello!", options=("--focus", "chat", "--json")).lines
    assert (answer["answer"], answer["refused"]) == ("Hello to you too.", False)


def test_json_holds_what_the_events_of_a_chat_are_stored_as(
    chat: Callable[..., Ran], pincite: Callable[..., Ran], answered_by: Answered
) -> None:
    answered_by(high)
    (answer,) = chat("How high is the dam?", options=("--json",)).lines
    exported = json.loads(pincite("conversations", "export", "last", "--format", "json").out)
    assert exported["messages"][1]["answer"] == answer
