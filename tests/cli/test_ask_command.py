import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite.errors import ModelError
from pincite.library import open_library
from pincite.settings import load_settings
from pincite.store import personas
from tests import pdfs
from tests.cli.conftest import Ran
from tests.projects_given import make_project
from tests.turns import DAM, Piece, Script, keep, saying, searching

Pincite = Callable[..., Ran]
Answered = Callable[[Script], None]


@pytest.fixture
def dam(pincite: Pincite, tmp_path: Path) -> Path:
    """A library with one document about a dam."""
    path = tmp_path / "dam.md"
    path.write_text(DAM, encoding="utf-8")
    library = open_library(load_settings(data=tmp_path / "data"))
    keep(library, path)
    library.close()
    return path


HIGH = searching("dam high", "The dam is 33 m high [1]. ", "Fish are plenty there. ", "It was drained in 1995 [1].")


def test_an_answer_has_numbers_and_under_it_the_sources_with_their_words(
    pincite: Pincite, dam: Path, answered_by: Answered
) -> None:
    answered_by(searching("dam high", "The dam was built in 1950 [1]. It is 33 m tall [1.3]."))
    ran = pincite("ask", "How high is the dam?")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "The dam was built in 1950. [1] It is 33 m tall. ○ [2]"
    assert "[1] The dam at Vassivière   ● quoted" in lines
    assert "[2] The dam at Vassivière   ○ unchecked" in lines
    assert any("“" in line and "It is 33 m high" in line for line in lines)
    assert lines[-1].startswith("● 1 verified, ○ 1 unchecked · test:scripted")


def test_a_word_that_was_read_as_another_is_said_beside_the_answer(pincite: Pincite, dam: Path) -> None:
    ran = pincite("ask", "Where is swiming allowed?", "--model", "extractive")
    assert "Read “swiming” as “Swimming”." in ran.said
    assert "Read “" not in ran.out
    answer = pincite("ask", "Where is swiming allowed?", "--model", "extractive", "--json").json
    assert answer["corrected"] == [{"written": "swiming", "read": "Swimming"}]
    assert answer["question"] == "Where is Swimming allowed?"


def test_json_is_the_whole_answer_alone(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    answered_by(HIGH)
    ran = pincite("ask", "How high is the dam?", "--json")
    answer = ran.json
    assert {"answer", "refused", "question", "model", "sentences", "citations", "usage"} <= set(answer)
    assert {"used_location", "used_personalization"} <= set(answer)
    assert "error" not in answer
    first = answer["citations"][0]
    assert {"n", "document", "title", "kind", "url", "quote", "start", "end", "score", "boxes"} <= set(first)
    text = dam.read_text(encoding="utf-8")
    assert first["quote"] in text
    assert answer["sentences"][0]["citations"] == [1]
    assert ran.out.count("\n") == 1


def test_a_sentence_without_support_has_a_sign_and_is_named_with_the_reason(
    pincite: Pincite, dam: Path, answered_by: Answered
) -> None:
    answered_by(HIGH)
    out = pincite("ask", "How high is the dam?").out
    assert "Fish are plenty there. ◌" in out.splitlines()[0]
    named = next(line for line in out.splitlines() if line.startswith("◌ unsupported: “Fish are plenty there.”"))
    assert named.endswith(")")


def test_strict_leaves_such_sentences_out(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    answered_by(HIGH)
    assert "Fish" not in pincite("ask", "How high is the dam?", "--strict").out


def test_a_refusal_says_what_was_looked_for_and_shows_what_comes_nearest(
    pincite: Pincite, dam: Path, answered_by: Answered
) -> None:
    answered_by(searching("dam architect", "I found nothing in the sources that answers this [0]."))
    ran = pincite("ask", "Who was the architect of the dam?")
    assert ran.status == 1
    assert "“dam architect”" in ran.out
    assert "What comes nearest:" in ran.out
    assert "  The dam at Vassivière" in ran.out
    assert pincite("ask", "Who was the architect of the dam?", "--json").json["refused"] is True


def test_without_documents_it_says_how_to_add_some(pincite: Pincite) -> None:
    ran = pincite("ask", "How high is the dam?")
    assert ran.status == 1
    assert "There are no documents here yet" in ran.out
    assert "pincite add" in ran.said
    assert pincite("ask", "How high is the dam?", "--json").json["no_documents"] is True


def test_a_sample_is_added_by_one_option_and_answers_in_both_languages(pincite: Pincite) -> None:
    assert pincite("add", "--sample").status == 0
    assert "33 m high" in pincite("ask", "How high is the wall of the dam?").out
    assert "3 750 euros" in pincite("ask", "De combien est le dépôt de garantie ?").out
    assert pincite("add").status == 2
    assert "Claire Martin" in pincite("ask", "Who chairs the board?").out
    named = {each["name"]: each["document"] for each in pincite("documents", "--json").json}
    assert named.keys() == {"bail-rue-des-tanneurs.md", "corvel-dam.md", "corvel-cycles-report.pdf"}
    shown = pincite("documents", "show", named["bail-rue-des-tanneurs.md"][:8]).out
    assert "Bail commercial du 14, rue des Tanneurs" in shown
    assert "Dépôt de garantie" in shown
    assert "? Que dit ce document sur" in shown
    assert "pdf · 3 pages · en" in pincite("documents", "show", named["corvel-cycles-report.pdf"]).out
    told = pincite("documents", "show", named["corvel-dam.md"], "--json").json
    assert told["outline"][1] == {"title": "How the dam was built", "level": 2, "page": None, "label": ""}
    assert "What is “Electricity (GWh)” for “2024”?" in told["questions"]


def test_documents_are_tagged_listed_by_tag_and_moved(pincite: Pincite) -> None:
    pincite("add", "--sample")
    first, second, _ = (each["document"] for each in pincite("documents", "--json").json)
    assert pincite("documents", "tag", first[:8], second, "--add", "sample", "--add", "to read").status == 0
    assert pincite("documents", "tag", first, "--remove", "to read").status == 0
    assert [each["document"] for each in pincite("documents", "--tag", "to read", "--json").json] == [second]
    assert pincite("documents", "move", second, "--to", "shelf").status == 0
    (moved,) = pincite("documents", "--library", "shelf", "--json").json
    assert (moved["document"], moved["tags"]) == (second, ["sample", "to read"])
    assert pincite("documents", "tag", first).status == 2
    empty = pincite("documents", "tag", first, "--add", " ")
    assert empty.status == 2
    assert "at least one character" in empty.said
    assert "" not in pincite("documents", "--json").json[0]["tags"]


@pytest.mark.parametrize(
    ("question", "words"),
    [("When does the lease end?", "three years"), ("Quand le bail prend-il fin ?", "trois ans")],
)
def test_with_no_model_and_no_key_the_documents_own_sentences_answer(
    pincite: Pincite, folder: Path, question: str, words: str
) -> None:
    pincite("add", folder)
    ran = pincite("ask", question, "--json")
    answer = ran.json
    assert (ran.status, answer["model"]) == (0, "extractive")
    assert words in answer["answer"]
    assert {sentence["support"] for sentence in answer["sentences"] if sentence["citations"]} == {"verified"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([" "], "The question is empty."),
        (["How high?", "--focus", "web"], "There is no search engine, so the web cannot be searched."),
        (["How high?", "--document", "nope"], "There is no document nope."),
        (["How high?", "--library", "nope"], "There is no library nope."),
        (["How high?", "--conversation", "nope"], "There is no conversation nope."),
        (["How high?", "--conversation", "last"], "There is no conversation yet."),
        (["How high?", "--persona", "pirate"], "There is no persona pirate."),
        (["How high?", "--model", "nope:x"], "There is no provider `nope`."),
        (["How high?", "--model", "gpt-5"], "`gpt-5` does not say which provider has the model."),
        (["How high?", "--model", "openai"], "`openai` names a provider and no model."),
        (["How high?", "--system-model", "nope:x"], "There is no provider `nope`."),
    ],
)
def test_an_option_that_means_nothing_is_a_mistake_told_in_words(
    pincite: Pincite, dam: Path, arguments: list[str], said: str
) -> None:
    ran = pincite("ask", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.said.startswith(f"Error: {said}")


def test_a_model_that_cannot_be_had_is_an_error_that_says_what_to_do(
    pincite: Pincite, dam: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = pincite("ask", "How high is the dam?", "--model", "openai:gpt-5")
    assert (ran.status, ran.out) == (1, "")
    assert "OPENAI_API_KEY" in ran.said


def test_a_model_that_fails_on_the_way_leaves_what_it_said_and_the_reason(
    pincite: Pincite, dam: Path, answered_by: Answered
) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam high", "The dam is 33 m high [1]. ")(messages, info):
            yield piece
        if len(messages) > 1:
            raise ModelError("The model lost its voice.", "Give it some tea.")

    answered_by(script)
    ran = pincite("ask", "How high is the dam?")
    assert ran.status == 1
    assert "The dam is 33 m high." in ran.out
    assert "Error: The model lost its voice.\nGive it some tea." in ran.said


@pytest.mark.parametrize("begun", ["", "The dam is 33 m high [1]. "])
def test_a_program_is_told_what_went_wrong_as_json(
    pincite: Pincite, dam: Path, answered_by: Answered, begun: str
) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if begun:
            async for piece in searching("dam high", begun)(messages, info):
                yield piece
        if len(messages) > 1 or not begun:
            raise ModelError("The model lost its voice.", "Give it some tea.")

    answered_by(script)
    ran = pincite("ask", "How high is the dam?", "--json")
    assert ran.status == 1
    told = {"code": "model", "message": "The model lost its voice.", "hint": "Give it some tea."}
    assert ran.json["error"] == told
    assert bool(ran.json["answer"]) == bool(begun)


def test_a_question_needs_no_quotes(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    answered_by(searching("dam high", "The dam is 33 m high [1]."))
    ran = pincite("ask", "How", "high", "is", "the", "dam?", "--json")
    assert ran.json["question"] == "How high is the dam?"


def test_a_question_can_come_through_a_pipe(
    pincite: Pincite, dam: Path, answered_by: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    answered_by(searching("dam high", "The dam is 33 m high [1]."))
    monkeypatch.setattr("sys.stdin", io.StringIO("How high is the dam?\n"))
    assert pincite("ask", "-", "--json").json["question"] == "How high is the dam?"


def interrupted(*pieces: str) -> Script:
    """A model that says this when it has searched, presses Ctrl-C, and would never end."""

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam high", *pieces)(messages, info):
            yield piece
        if len(messages) > 1:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(600)

    return script


@pytest.mark.parametrize("stored", [[], ["--conversation", "new"]])
def test_ctrl_c_stops_the_answer_and_keeps_what_was_said(
    pincite: Pincite, dam: Path, answered_by: Answered, stored: list[str]
) -> None:
    before = signal.getsignal(signal.SIGINT)
    answered_by(interrupted("The dam is 33 m high [1]. ", "It was built in 1950 [1]. ", "And "))
    ran = pincite("ask", "How high is the dam?", *stored)
    assert ran.status == 130
    assert ran.out.startswith("The dam is 33 m high. ○ [1]")
    assert "stopped before its end" in ran.out
    assert signal.getsignal(signal.SIGINT) == before


def test_ctrl_c_with_json_still_gives_the_whole_object(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    answered_by(interrupted("The dam is 33 m high [1]. ", "And "))
    ran = pincite("ask", "How high is the dam?", "--json")
    assert (ran.status, ran.json["stopped"]) == (130, True)


@pytest.mark.parametrize(("options", "had"), [([], True), (["--tools"], True), (["--no-tools"], False)])
def test_a_question_says_whether_the_model_searches_itself(
    pincite: Pincite, dam: Path, answered_by: Answered, options: list[str], had: bool
) -> None:
    seen: list[bool] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        seen.append(bool(info.function_tools))
        async for piece in searching("dam high", "It is high.")(messages, info):
            yield piece

    answered_by(script)
    pincite("ask", "How high is the dam?", *options)
    assert any(seen) == had


def test_a_conversation_goes_on_where_it_was(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    asked: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        asked.append(str(messages))
        yield "The lake is large."

    answered_by(saying("The dam is 33 m high."))
    ran = pincite("ask", "How high is the dam?", "--conversation", "new")
    id = ran.said.removeprefix("Conversation ").strip()
    answered_by(script)
    pincite("ask", "How large is the lake at the dam?", "--conversation", id)
    assert "How high is the dam?" in asked[0]
    assert "The dam is 33 m high." in asked[0]
    assert pincite("conversations", "show", "last").out.count("> How ") == 2


def test_how_to_answer_is_a_saved_persona_or_a_sentence(
    pincite: Pincite, dam: Path, answered_by: Answered, tmp_path: Path
) -> None:
    told: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        told.append(info.instructions or "")
        yield "Nothing."

    answered_by(script)
    library = open_library(load_settings(data=tmp_path / "data"))
    with library.database.writing() as connection:
        personas.create(connection, "local", "pirate", "Speak like a pirate.")
    library.close()
    pincite("ask", "How high is the dam?", "--persona", "pirate")
    pincite("ask", "How high is the dam?", "--persona", "Answer in one word.")
    assert "Speak like a pirate." in told[0]
    assert "Answer in one word." in told[-1]


def test_a_terminal_sees_what_is_done_and_the_words_and_not_what_was_taken_back(
    pincite: Pincite, dam: Path, answered_by: Answered, screen: Callable[[], list[str]]
) -> None:
    from pydantic_ai.models.function import DeltaToolCall

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if len(messages) == 1:
            yield {0: DeltaToolCall(name="search_documents", json_args='{"query": "dam"}', tool_call_id="1")}
        elif len(messages) == 3:
            yield "Let me look once more, for nothing that I was given "
            yield "until now says what was asked for. "
            yield {0: DeltaToolCall(name="read_document", json_args='{"document": "dam"}', tool_call_id="2")}
        else:
            yield "The dam is **33 m** "
            yield "high [1]."

    answered_by(script)
    assert pincite("ask", "How high is the dam?").status == 0
    rows = [row for row in screen() if row]
    assert rows[:3] == ["· searched “dam” ✓ 1 found", "· read dam ✓ 1 found", "The dam is 33 m high. ○ [1]"]
    assert not any("once more" in row for row in rows)


def test_brackets_in_a_question_are_no_style(
    pincite: Pincite, dam: Path, answered_by: Answered, screen: Callable[[], list[str]]
) -> None:
    answered_by(searching("[bold]dam[/italic] [1]", "The dam is 33 m [high] [1]."))
    assert pincite("ask", "How [/b] high is the dam?").status == 0
    assert "· searched “[bold]dam[/italic] [1]” ✓ 1 found" in screen()
    assert any(row.startswith("The dam is 33 m [high]") for row in screen())


def test_text_of_a_source_cannot_steer_the_terminal(
    pincite: Pincite, tmp_path: Path, answered_by: Answered, screen: Callable[[], list[str]]
) -> None:
    (tmp_path / "odd.txt").write_text("The dam is 33 m high\x9b2J and wide.\n", encoding="utf-8")
    pincite("add", tmp_path / "odd.txt")
    answered_by(searching("dam", "The dam is \x1b[2J\x1b]0;title\x0733 m high [1]."))
    pincite("ask", "How high is the dam?")
    assert "\x1b" not in "".join(screen())
    assert any("33 m high" in row for row in screen())


def test_a_source_is_shown_as_its_page_with_the_quote_marked(
    pincite: Pincite, tmp_path: Path, answered_by: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    pincite("add", pdfs.simple(tmp_path / "report.pdf", pages=2))
    answered_by(searching("budget travel costs", "Travel costs had fallen while the price of energy rose [1]."))
    ran = pincite("ask", "What about travel costs?", "--open", "1")
    assert ran.status == 0
    path = Path(ran.said.splitlines()[-1].removeprefix("Source 1 is shown in "))
    page = path.read_text(encoding="utf-8")
    assert page.count("<image ") == 1
    assert 'id="quote"' in page
    assert "<script" not in page


def test_where_there_is_a_screen_the_browser_opens_at_the_quote(
    pincite: Pincite, dam: Path, answered_by: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", opened.append)
    answered_by(searching("dam high", "The dam is 33 m high [1]."))
    assert pincite("ask", "How high is the dam?", "--open", "1").status == 0
    assert [address.endswith(".html#quote") for address in opened] == [True]


def test_a_source_that_the_answer_does_not_have_is_a_mistake_after_the_answer(
    pincite: Pincite, dam: Path, answered_by: Answered
) -> None:
    answered_by(searching("dam high", "The dam is 33 m high [1]."))
    ran = pincite("ask", "How high is the dam?", "--open", "7")
    assert ran.status == 2
    assert ran.out.startswith("The dam is 33 m high.")
    assert "The answer has no source 7.\nIt has 1" in ran.said


def test_about_me_reaches_no_tool(pincite: Pincite, dam: Path, answered_by: Answered) -> None:
    seen: list[tuple[bool, str]] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        seen.append((bool(info.function_tools), str(messages) + str(info.instructions)))
        async for piece in searching("dam high", "The dam is 33 m high [1].")(messages, info):
            yield piece

    answered_by(script)
    given: dict[str, Any] = {"--about-me": "I am Zebulon and I teach", "--location": "Limoges"}
    ran = pincite("ask", "How high is the dam?", *[part for pair in given.items() for part in pair], "--json")
    assert ran.json["used_personalization"] is True
    assert {"Zebulon" in told for has_tools, told in seen if has_tools} == {False}
    assert {"Zebulon" in told for has_tools, told in seen if not has_tools} == {True}


def test_a_question_about_a_folder_is_answered_with_the_lines_of_its_files(pincite: Pincite, tmp_path: Path) -> None:
    root = make_project(tmp_path / "sketches")
    ran = pincite("ask", "How is the delay computed before an attempt?", "--project", root)
    assert ran.status == 0
    assert "src/net/retry.py:8–10" in ran.out
    assert "def compute_delay(attempt: int) -> float:" in ran.out
    told = pincite("ask", "Where is compute_delay?", "--project", root, "--json")
    assert told.json["citations"][0]["lines"] == [8, 10]
    nowhere = pincite("ask", "Where?", "--project", tmp_path / "nowhere")
    assert nowhere.status == 2
    change = pincite("ask", "Rename compute_delay to find_delay.", "--project", root)
    assert change.status == 0
    assert "Changes need a language model" in change.said
