"""Edits in a model's reply become changes that a client can accept, and no sentence of the answer shows them."""

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall

from pincite import events
from pincite.answer.edit_collector import STOP_MARKER, EditCollector
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.answer.services import Services
from pincite.projects.change_plan import plan_reply
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.projects.reply_reader import parse_reply
from tests.clock import PATIENCE
from tests.projects_given import RETRY, open_project_services
from tests.turns import Piece, ask, final, of_type, saying, told

DELAY = create_search_replace_block(
    "src/net/retry.py", "    return 0.5 * 2**attempt\n", "    return min(0.5 * 2**attempt, 30.0)\n"
)
REQUEST = "Limit the delay to 30 seconds."


def instructions_of(info: AgentInfo) -> str:
    return info.instructions or ""


def all_text(messages: list[ModelMessage]) -> str:
    """Everything that a model has been told, its tool results included."""
    return "\n".join(str(getattr(part, "content", "")) for message in messages for part in message.parts)


def asked_in_conversation(services: Services, question: str = REQUEST, **given: Any) -> list[events.Data]:
    return ask(services, question, project="sketches", conversation="talk", question_id="q1", **given)


def test_an_edit_becomes_a_change_and_no_sentence_shows_it(tmp_path: Path) -> None:
    services = open_project_services(
        tmp_path, saying("I propose to limit the delay [1].\n\n", DELAY, "\n\nThat is all.\n")
    )
    said = asked_in_conversation(services)
    (proposed,) = of_type(said, events.ProposedChanges)
    answer = final(said)
    assert answer.changes == proposed
    (file,) = proposed.files
    assert (file.path, file.action, proposed.refused) == ("src/net/retry.py", "modify", [])
    assert "-    return 0.5 * 2**attempt\n+    return min(0.5 * 2**attempt, 30.0)\n" in file.diff
    shown = "".join(each.delta for each in of_type(said, events.Text))
    for text in (answer.answer, shown, *(each.text for each in answer.sentences)):
        assert "SEARCH" not in text
        assert "min(0.5" not in text
        assert "src/net/retry.py" not in text
    assert [each.text for each in answer.sentences] == ["I propose to limit the delay.", "That is all."]
    assert (tmp_path / "sketches" / "src" / "net" / "retry.py").read_text() == RETRY  # nothing is written


def test_the_reply_of_a_change_applies_by_itself(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", DELAY))
    proposed = final(asked_in_conversation(services)).changes
    assert proposed
    planned = plan_reply(tmp_path / "sketches", proposed.reply)
    assert planned.files[0].after == RETRY.replace("0.5 * 2**attempt", "min(0.5 * 2**attempt, 30.0)").encode()
    assert planned.files[0].before_sha256 == proposed.files[0].before_sha256


def test_the_client_is_asked_to_apply_the_changes(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", DELAY))
    said = asked_in_conversation(services)
    answer = final(said)
    (call,) = of_type(said, events.ClientCall)
    assert answer.calls == [call]
    assert call.tool == "apply_changes"
    assert answer.changes
    assert call.arguments == {
        "changes": "q1",
        "project": answer.changes.project,
        "paths": ["src/net/retry.py"],
    }
    assert answer.changes.id == "q1"
    assert answer.progress
    assert answer.progress.state == "satisfied"


def test_nobody_is_called_outside_a_conversation(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", DELAY))
    answer = final(ask(services, REQUEST, project="sketches"))
    assert answer.changes
    assert answer.calls == []


def test_an_answer_of_edits_alone_is_introduced(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying(DELAY))
    answer = final(asked_in_conversation(services))
    assert answer.answer == "A change of `src/net/retry.py` is proposed."
    assert answer.changes
    french = open_project_services(tmp_path / "fr", saying(DELAY))
    assert "est proposée" in final(asked_in_conversation(french, "Limite le délai à trente secondes.")).answer


def test_an_edit_that_does_not_apply_is_told_with_the_nearest_lines(tmp_path: Path) -> None:
    wrong = create_search_replace_block("src/net/retry.py", "    return 0.6 * 2**attempt\n", "    return 1\n")
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", wrong))
    answer = final(asked_in_conversation(services))
    assert answer.changes
    (refused,) = answer.changes.refused
    assert refused.path == "src/net/retry.py"
    assert "0.5 * 2**attempt" in "\n".join(line.text for line in refused.nearest)
    assert answer.changes.files == []
    assert answer.progress
    assert answer.progress.state == "unfinished"
    assert [call.tool for call in answer.calls] == ["continue"]


@pytest.mark.parametrize("path", ["../outside.py", ".git/config", "a/../../outside.py"])
def test_an_edit_outside_the_project_is_refused(tmp_path: Path, path: str) -> None:
    block = create_search_replace_block("new.py", "", "print(1)\n").replace("new.py", path)
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", block))
    changes = final(asked_in_conversation(services)).changes
    assert changes is None or changes.files == []
    assert not (tmp_path / "outside.py").exists()


def test_files_that_a_client_holds_are_changed_by_the_client(tmp_path: Path) -> None:
    block = create_search_replace_block("a.py", "x = 1\n", "x = 2\n")
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", block))
    given = (GivenFile("a.py", "x = 1\n"),)
    answer = final(ask(services, "Set x to 2 in a.py.", files=given, conversation="talk", question_id="q1"))
    assert answer.changes
    assert answer.changes.project == ""
    assert [file.path for file in answer.changes.files] == ["a.py"]
    assert [call.tool for call in answer.calls] == ["apply_changes"]


def test_text_before_a_tool_call_is_a_thought_with_its_edits(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if any(part.tool_name == "read_files" for part in returned):
            yield "I propose this [1].\n\n"
            yield DELAY
        else:
            yield "First this.\n\n" + DELAY.replace("30.0", "10.0") + "\n\n"
            yield {0: DeltaToolCall("read_files", json.dumps({"paths": ["src/net/retry.py"]}), tool_call_id="c1")}

    answer = final(asked_in_conversation(open_project_services(tmp_path, script)))
    assert answer.changes
    assert [file.path for file in answer.changes.files] == ["src/net/retry.py"]
    assert "30.0" in answer.changes.files[0].diff
    assert "10.0" not in answer.changes.reply


def test_a_model_sees_the_tree_the_format_and_the_lines_as_they_are(tmp_path: Path) -> None:
    seen: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        seen.append(instructions_of(info) + all_text(messages))
        yield "The delay doubles [1.1]."

    said = ask(open_project_services(tmp_path, script), "How does compute_delay work?", project="sketches")
    (told,) = seen
    assert "<<<<<<< SEARCH" in told
    assert STOP_MARKER in told
    assert "All 5 files" in told
    assert "retry.py" in told
    assert ".env" not in told.replace(".env*", "")
    assert "hunter2" not in told
    assert "\n10\t    return 0.5 * 2**attempt" in told
    answer = final(said)
    assert answer.citations[0].lines == (8, 10)
    assert answer.citations[0].path == "src/net/retry.py"
    assert answer.changes is None
    assert answer.progress is None


def test_a_model_with_tools_reads_and_lists_files(tmp_path: Path) -> None:
    results: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        results.extend(str(part.content) for part in returned)
        names = {part.tool_name for part in returned}
        if "read_files" in names:
            yield "A square has a side [1]."
        elif "list_files" in names:
            wanted = ["src/shapes.py:12-17", "nowhere.py", "../../etc/passwd", ".env"]
            yield {0: DeltaToolCall("read_files", json.dumps({"paths": wanted}), tool_call_id="c2")}
        else:
            yield {0: DeltaToolCall("list_files", json.dumps({"folder": "src"}), tool_call_id="c1")}

    said = ask(open_project_services(tmp_path, script), "What has a square?", project="sketches")
    listed, read = results[-2], results[-1]
    assert "src/shapes.py (" in listed
    assert "README" not in listed
    assert "\n13\tclass Square:" in read
    assert "class Circle" not in read.split("lines 12")[-1]
    for refused in ("nowhere.py", "etc/passwd", ".env"):
        assert refused in read
    assert "hunter2" not in read
    calls = of_type(said, events.ToolCallStarted)
    assert [call.name for call in calls] == ["search_project", "list_files", "read_files"]
    assert calls[2].attributes["paths"] == "src/shapes.py:12-17, nowhere.py, ../../etc/passwd, .env"


def test_a_secret_is_read_if_the_user_names_it_with_an_at_sign(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if any(isinstance(part, ToolReturnPart) and part.tool_name == "read_files" for part in messages[-1].parts):
            yield "It is set [1]." if "hunter2" in all_text(messages) else "It is not [0]."
        else:
            yield {0: DeltaToolCall("read_files", json.dumps({"paths": [".env"]}), tool_call_id="c1")}

    services = open_project_services(tmp_path, script)
    assert "It is set" in final(ask(services, "What is in @.env?", project="sketches")).answer
    assert "It is not" in final(ask(services, "Never open .env!", project="sketches")).answer
    assert "It is not" in final(ask(services, "Is a printer set up?", project="sketches")).answer


def test_the_system_model_chooses_files_to_read(tmp_path: Path) -> None:
    prompts: list[str] = []

    def system(prompt: str) -> str:
        prompts.append(prompt)
        return 'These: {"paths": ["src/shapes.py", "nowhere.py", "../up.py"]}'

    services = open_project_services(tmp_path, saying("Circles and squares have an area [1]."), system=system)
    said = ask(services, "Which things can be painted?", project="sketches")
    assert "shapes.py" in prompts[0]
    assert [each.path for each in of_type(said, events.EvidenceFound)] == ["src/shapes.py"]


def test_a_model_without_tools_gets_the_files_in_its_prompt(tmp_path: Path) -> None:
    seen: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        seen.append(instructions_of(info) + all_text(messages))
        assert not info.function_tools
        yield "I propose this [1].\n\n"
        yield DELAY

    services = open_project_services(tmp_path, script, tools=False)
    answer = final(asked_in_conversation(services))
    assert "\n10\t    return 0.5 * 2**attempt" in seen[0]
    assert answer.changes
    assert len(answer.changes.files) == 1


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE .env",
        "RENAME .env -> shown.txt",
        "DELETE README.md\nRENAME .env -> README.md",
        "DELETE notes/link.txt",
        create_search_replace_block(".env", "PRINTER_PASSWORD=hunter\n", "PRINTER_PASSWORD=\n"),
        create_search_replace_block("notes/link.txt", "PRINTER_PASSWORD=hunter\n", "PRINTER_PASSWORD=\n"),
        "RENAME README.md -> .env.local",
    ],
)
def test_an_edit_of_a_secret_is_refused_and_tells_nothing_of_it(tmp_path: Path, edit: str) -> None:
    prompts: list[str] = []

    def system(prompt: str) -> str:
        prompts.append(prompt)
        return "{}"

    services = open_project_services(tmp_path, saying(f"I propose this.\n\n{edit}\n\n{STOP_MARKER}\n"), system=system)
    root = tmp_path / "sketches"
    (root / "notes").mkdir()
    (root / "notes" / "link.txt").symlink_to("../.env")
    said = asked_in_conversation(services, "Never touch .env. Tidy up.")
    changes = final(said).changes
    assert changes
    assert [each.reason for each in changes.refused] == ["secret_file"]
    assert "Ask the user to write @" in changes.refused[0].hint
    assert not {".env", ".env.local", "shown.txt", "notes/link.txt"} & {each.path for each in changes.files}
    assert "hunter2" not in "".join(each.model_dump_json() for each in said)
    assert "hunter2" not in "".join(prompts)


def test_a_secret_is_changed_if_the_user_names_it_with_an_at_sign(tmp_path: Path) -> None:
    block = create_search_replace_block(".env", "PRINTER_PASSWORD=hunter2\n", "PRINTER_PASSWORD=\n")
    services = open_project_services(tmp_path, saying("I propose this.\n\n", block))
    changes = final(asked_in_conversation(services, "Empty the password in @.env.")).changes
    assert changes
    assert "-PRINTER_PASSWORD=hunter2" in changes.files[0].diff


@pytest.mark.parametrize(
    "edit",
    [
        "DELETE build/out.py",
        "RENAME build/out.py -> shown.py\n\n" + create_search_replace_block("shown.py", "x = 1\n", "x = 2\n"),
        create_search_replace_block("build/out.py", "y = 'unseen lane'\n", "y = 0\n"),
        create_search_replace_block("build/out.py", "x = 1\n", "x = 2\n"),
    ],
)
def test_the_lines_of_an_ignored_file_are_told_only_if_the_user_names_it(tmp_path: Path, edit: str) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "# Sketches\n",
        ".gitignore": "build/\n",
        "build/out.py": "compute_delay = None\nx = 1\ny = 'unseen line'\n",
    }
    services = open_project_services(tmp_path, saying("I propose this.\n\n", edit, "\n"), files=files)
    hidden = final(asked_in_conversation(services, "Tidy up.")).changes
    named = final(asked_in_conversation(services, "Tidy up build/out.py and shown.py.")).changes
    assert hidden
    assert named
    assert [each.path for each in hidden.files] == [each.path for each in named.files]
    assert [each.reason for each in hidden.refused] == [each.reason for each in named.refused]
    assert hidden.files or hidden.refused
    assert "unseen line" not in hidden.model_dump_json()
    assert "unseen line" in named.model_dump_json()


@given(cuts=st.lists(st.integers(0, 400), max_size=12))
def test_the_text_is_the_same_however_the_model_cuts_it(cuts: list[int]) -> None:
    text = f"I propose this [1].\n\n{DELAY}\n\nOne more STOP sign.\n{STOP_MARKER}\n"
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    collector = EditCollector()
    shown = "".join(collector.feed(text[a:b]) for a, b in pairwise(places)) + collector.finish()
    assert collector.has_stop_marker
    assert "SEARCH" not in shown
    assert STOP_MARKER not in shown + collector.reply
    assert " ".join(shown.split()) == "I propose this [1]. One more STOP sign."


@given(cuts=st.lists(st.integers(0, 600), max_size=12))
def test_the_word_of_the_marker_stays_in_edits_and_in_prose(cuts: list[int]) -> None:
    """A file may have the word itself, such as a project that talks to models."""
    block = create_search_replace_block("a.py", f'end = "{STOP_MARKER}"\n', f"{STOP_MARKER} = 1\n{STOP_MARKER}\n")
    text = f"{STOP_MARKER}\nis renamed.\n\n{block}\nThe word STOP_MARKER stays.\n\n{STOP_MARKER}\n"
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    collector = EditCollector()
    shown = "".join(collector.feed(text[a:b]) for a, b in pairwise(places)) + collector.finish()
    assert collector.has_stop_marker
    assert " ".join(shown.split()) == "STOP_MARKER is renamed. The word STOP_MARKER stays."
    assert parse_reply(collector.reply).edits == parse_reply(text).edits
    assert collector.reply == text.rstrip().removesuffix(STOP_MARKER)


@pytest.mark.parametrize(
    "text",
    [
        create_search_replace_block("a.py", "x\n", f"{STOP_MARKER}\n"),
        f"{STOP_MARKER}\n\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x\n+y\n {STOP_MARKER}\n",
        f"a.py\n<<<<<<< SEARCH\nx\n=======\n{STOP_MARKER}\n",
        f"The word {STOP_MARKER} is in a sentence.",
        f"NON{STOP_MARKER}",
    ],
)
def test_a_word_that_is_not_the_end_of_the_text_is_no_marker(text: str) -> None:
    collector = EditCollector()
    shown = collector.feed(text) + collector.finish()
    assert not collector.has_stop_marker
    assert collector.reply == text
    assert shown == parse_reply(text).prose


def test_a_stopped_answer_proposes_nothing(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        yield "I propose this [1].\n\n"
        yield DELAY
        context.stop.stop_answer()
        await asyncio.Event().wait()

    services = open_project_services(tmp_path, script)
    context = services.open_context(AskedQuestion(question=REQUEST, project="sketches", conversation="talk"))

    async def run() -> list[object]:
        async with asyncio.timeout(PATIENCE):
            return list(await told(context))

    said = asyncio.run(run())
    answer = said[-1]
    assert isinstance(answer, events.Answer)
    assert answer.stopped
    assert answer.changes is None


def test_a_sentence_that_proposes_a_change_claims_nothing(tmp_path: Path) -> None:
    services = open_project_services(
        tmp_path, saying("I propose to wait at most 30 seconds. The delay doubles [1].\n\n", DELAY)
    )
    proposal, claim = final(asked_in_conversation(services)).sentences
    assert (proposal.support, proposal.citations) == (None, [])
    assert claim.citations


def test_a_new_file_in_an_empty_project_is_no_refusal(tmp_path: Path) -> None:
    block = create_search_replace_block("hello.py", "", "print('hello')\n")
    services = open_project_services(tmp_path, saying("I propose a new file.\n\n", block), files={"notes.txt": "xyz"})
    answer = final(asked_in_conversation(services, "Create hello.py, please."))
    assert not answer.refused
    assert answer.answer == "I propose a new file."
    assert answer.changes
    assert [(file.path, file.action) for file in answer.changes.files] == [("hello.py", "create")]
