"""A request about a project in turns: the client reports, the model reads it, and goes on when it is told to."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import BinaryContent, ModelMessage, UserPromptPart
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.answer.services import Services
from pincite.conversations import Conversations, client_results, transactions
from pincite.conversations.answer_start import RunningAnswer
from pincite.conversations.client_results import ReportedResult
from pincite.errors import Answering, DiskFull, Misuse, ModelError, NotFound, Settled
from pincite.events import Answer, Event, ResultStatus
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.store.files import FolderFiles
from tests.clock import PATIENCE
from tests.conversations.conftest import heard
from tests.databases import both_engines
from tests.projects_given import open_project_services
from tests.turns import Piece, Script

database_address = both_engines  # every test runs on both engines

pytestmark = pytest.mark.anyio
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 50).decode()
TITLE = create_search_replace_block("README.md", "# Sketches\n", "# Drawings\n")
CIRCLE = create_search_replace_block("src/shapes.py", "class Circle:\n", "class Disc:\n")
REQUEST = "Rename the title and the circle."


class Turns:
    """A model that says one thing in each turn, and remembers what it was told."""

    def __init__(self, *said: str) -> None:
        self.said = said
        self.told: list[list[ModelMessage]] = []
        self.may_speak = asyncio.Event()
        self.may_speak.set()

    def script(self) -> Script:
        async def say(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
            turn = len(self.told)
            self.told.append(list(messages))
            await self.may_speak.wait()
            yield self.said[min(turn, len(self.said) - 1)]

        return say

    def text(self, turn: int) -> str:
        """Return the messages of the user's side in a turn."""
        parts = [part for message in self.told[turn] for part in message.parts if isinstance(part, UserPromptPart)]
        return "\n".join(part.content if isinstance(part.content, str) else str(part.content) for part in parts)

    def pictures(self, turn: int) -> list[BinaryContent]:
        parts = [part for message in self.told[turn] for part in message.parts if isinstance(part, UserPromptPart)]
        found = [each for part in parts if not isinstance(part.content, str) for each in part.content]
        return [each for each in found if isinstance(each, BinaryContent)]


class Talk:
    """A conversation of one client."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.runner = Conversations(services)
        self.id = ""

    async def ask(self, question: str = REQUEST) -> Answer:
        running = await self.runner.ask(AskedQuestion(question=question, project="sketches"), self.id or None)
        self.id = running.conversation
        return await self.follow(running)

    async def follow(self, running: RunningAnswer) -> Answer:
        said = await heard(self.runner.events("local", self.id, running.after))
        completed = [each for each in said if each.type == "message_completed"]
        return Answer.model_validate(completed[-1].data)

    async def report(self, call: str, status: ResultStatus, **given: Any) -> tuple[int, RunningAnswer | None]:
        return await self.runner.report("local", self.id, ReportedResult(call, status, **given))

    async def events(self) -> list[Event]:
        return await heard(self.runner.events("local", self.id))


def call_of(answer: Answer, tool: str) -> str:
    (call,) = (each for each in answer.calls if each.tool == tool)
    return call.id


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def open_talk(tmp_path: Path, turns: Turns) -> Talk:
    return Talk(open_project_services(tmp_path, turns.script()))


async def test_a_request_is_done_in_two_turns_and_the_model_reads_what_became_of_the_first(tmp_path: Path) -> None:
    turns = Turns(f"I propose the title.\n\n{TITLE}\n\nSTOP_MARKER", f"I propose the circle.\n\n{CIRCLE}")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    assert first.progress
    assert first.progress.state == "unfinished"
    seq, none = await talk.report(
        call_of(first, "apply_changes"), "applied", message="2 tests passed", files=("README.md",)
    )
    assert none is None
    seq_of_continue, running = await talk.report(call_of(first, "continue"), "continue")
    assert seq_of_continue == seq + 1
    assert running
    second = await talk.follow(running)
    told = turns.text(1)
    assert "You proposed changes of: README.md (modify)." in told
    assert "The changes were applied." in told
    assert "2 tests passed" in told
    assert told.count(REQUEST) >= 2
    assert "turn 2 of at most 11" in told
    assert second.changes
    assert [file.path for file in second.changes.files] == ["src/shapes.py"]
    assert second.progress
    assert (second.progress.state, second.progress.turn) == ("satisfied", 2)
    assert second.question == REQUEST
    kinds = [each.type for each in await talk.events()]
    assert kinds.count("client_result") == 2
    numbers = [each.seq for each in await talk.events()]
    assert numbers == list(range(1, len(numbers) + 1))
    await talk.runner.close()


async def test_a_model_that_repeats_its_edits_is_stopped(tmp_path: Path) -> None:
    turns = Turns(f"I propose the title.\n\n{TITLE}\n\nSTOP_MARKER")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    await talk.report(call_of(first, "apply_changes"), "rejected")
    _, running = await talk.report(call_of(first, "continue"), "continue")
    assert running
    second = await talk.follow(running)
    assert "rejected" in turns.text(1)
    assert second.progress
    assert second.progress.state == "looping"
    assert [each.tool for each in second.calls] == ["apply_changes"]
    await talk.runner.close()


async def test_a_model_that_only_talks_is_stopped(tmp_path: Path) -> None:
    turns = Turns("I look at it. STOP_MARKER", "I look at it more. STOP_MARKER", "And more. STOP_MARKER")
    talk = await open_talk(tmp_path, turns)
    answer = await talk.ask()
    _, running = await talk.report(call_of(answer, "continue"), "continue")
    assert running
    answer = await talk.follow(running)
    assert answer.progress
    assert answer.progress.state == "stalled"
    assert answer.calls == []
    await talk.runner.close()


async def test_edits_that_are_refused_are_told_to_the_model(tmp_path: Path) -> None:
    wrong = create_search_replace_block("README.md", "# Sketchs\n", "# Drawings\n")
    turns = Turns(f"I propose the title.\n\n{wrong}", f"I propose the title.\n\n{TITLE}")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    _, running = await talk.report(call_of(first, "continue"), "continue")
    assert running
    second = await talk.follow(running)
    assert "Edit 1 of README.md was refused" in turns.text(1)
    assert second.changes
    assert second.changes.refused == []
    await talk.runner.close()


async def test_a_paused_request_waits_and_goes_on_later_from_another_process(tmp_path: Path) -> None:
    turns = Turns(f"I propose the title.\n\n{TITLE}\n\nSTOP_MARKER", f"I propose the circle.\n\n{CIRCLE}")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    await talk.runner.close()
    talk.runner = Conversations(talk.services)
    _, running = await talk.report(call_of(first, "continue"), "continue")
    assert running
    assert (await talk.follow(running)).progress is not None
    await talk.runner.close()


async def test_a_request_is_continued_once_and_ended_once(tmp_path: Path) -> None:
    talk = await open_talk(tmp_path, Turns("More. STOP_MARKER", "Done."))
    first = await talk.ask()
    call = call_of(first, "continue")
    _, running = await talk.report(call, "continue")
    assert running
    await talk.follow(running)
    with pytest.raises(Settled):
        await talk.report(call, "continue")
    with pytest.raises(Settled):
        await talk.report(call, "stop")
    await talk.runner.close()


async def test_a_stopped_request_tells_the_model_so_with_the_next_question(tmp_path: Path) -> None:
    turns = Turns("More. STOP_MARKER", "It has a title [1].")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    await talk.report(call_of(first, "continue"), "stop")
    second = await talk.ask("What is the title of README.md?")
    assert "ended the request" in turns.text(1)
    assert second.progress is None
    await talk.runner.close()


async def test_wrong_results_are_refused(tmp_path: Path) -> None:
    talk = await open_talk(tmp_path, Turns(f"I propose it.\n\n{TITLE}\n\nSTOP_MARKER"))
    first = await talk.ask()
    before = await talk.events()
    with pytest.raises(NotFound):
        await talk.report("nothing", "applied")
    with pytest.raises(Misuse, match="is not a result of apply_changes"):
        await talk.report(call_of(first, "apply_changes"), "continue")
    with pytest.raises(Misuse, match="not a picture"):
        await talk.report(call_of(first, "apply_changes"), "applied", screenshot="AAAA")
    with pytest.raises(NotFound):
        await talk.runner.report("somebody else", talk.id, ReportedResult(call_of(first, "continue"), "continue"))
    assert await talk.events() == before
    await talk.runner.close()


async def test_nothing_is_reported_while_an_answer_is_written(tmp_path: Path) -> None:
    turns = Turns(f"I propose it.\n\n{TITLE}", "Yes.")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    turns.may_speak.clear()
    running = await talk.runner.ask(AskedQuestion(question="And now?", project="sketches"), talk.id)
    with pytest.raises(Answering):
        await talk.report(call_of(first, "apply_changes"), "applied")
    turns.may_speak.set()
    await talk.follow(running)
    await talk.runner.close()


@pytest.mark.parametrize("is_inside", [True, False])
async def test_a_screenshot_is_taken_out_once_and_shown_to_the_model_as_a_picture(
    tmp_path: Path, is_inside: bool
) -> None:
    turns = Turns(f"I propose it.\n\n{TITLE}", "It looks good [1].")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    call = call_of(first, "apply_changes")
    if is_inside:
        await talk.report(call, "applied", message=json.dumps({"page": "home", "screenshot": PNG}))
    else:
        await talk.report(call, "applied", message="The home page.", screenshot=f"data:image/png;base64,{PNG}")
    await talk.ask("Does the page look right?")
    (picture,) = turns.pictures(1)
    assert picture.data == base64.b64decode(PNG)
    assert picture.media_type == "image/png"
    assert PNG not in turns.text(1)
    assert "home" in turns.text(1)
    (result,) = (each for each in await talk.events() if each.type == "client_result")
    assert PNG not in json.dumps(result.data)
    (image,) = events.ClientResult.model_validate(result.data).images
    assert (image.media_type, image.size) == ("image/png", 58)
    stored = [path for path in (tmp_path / "data" / "pictures").rglob("*") if path.is_file()]
    assert [path.name for path in stored] == [image.sha256]
    await talk.runner.delete("local", talk.id)
    assert not stored[0].exists()
    await talk.runner.close()


async def test_a_picture_that_is_lost_does_not_stop_the_next_answer(tmp_path: Path) -> None:
    turns = Turns(f"I propose it.\n\n{TITLE}", "Fine [1].")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    await talk.report(call_of(first, "apply_changes"), "applied", screenshot=PNG)
    for path in (tmp_path / "data" / "pictures").rglob("*"):
        if path.is_file():
            path.unlink()
    answer = await talk.ask("Does it look right?")
    assert answer.answer.startswith("Fine")
    assert turns.pictures(1) == []
    await talk.runner.close()


async def test_results_are_read_with_the_conversation(tmp_path: Path) -> None:
    talk = await open_talk(tmp_path, Turns(f"I propose it.\n\n{TITLE}"))
    first = await talk.ask()
    await talk.report(call_of(first, "apply_changes"), "failed", message="read-only")
    told = (await talk.runner.read("local", talk.id)).said[-1]
    assert [(each.status, each.message) for each in told.results] == [("failed", "read-only")]
    assert told.answer
    assert told.answer.changes
    await talk.runner.close()


async def test_a_result_is_kept_though_its_picture_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns(f"I propose it.\n\n{TITLE}", "Fine [1].")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()

    def fail(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(FolderFiles, "keep", fail)
    await talk.report(call_of(first, "apply_changes"), "applied", message="looks good", screenshot=PNG)
    await talk.ask("Is it right?")
    assert "looks good" in turns.text(1)
    assert turns.pictures(1) == []
    await talk.runner.close()


async def test_a_request_that_cannot_go_on_now_can_be_continued_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await open_talk(tmp_path, Turns("More. STOP_MARKER", "Done."))
    first = await talk.ask()
    before = await talk.events()

    def fail(*_: object) -> None:
        raise ModelError("The model is gone.")

    with monkeypatch.context() as patch:
        patch.setattr(talk.services, "open_context", fail)
        with pytest.raises(ModelError):
            await talk.report(call_of(first, "continue"), "continue")
    assert await talk.events() == before
    _, running = await talk.report(call_of(first, "continue"), "continue")
    assert running
    assert (await talk.follow(running)).answer.startswith("Done.")
    await talk.runner.close()


@pytest.mark.parametrize("moment", ["store_result", "begin_answer"])
async def test_a_client_that_vanishes_while_it_continues_a_request_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    turns = Turns("More. STOP_MARKER", "Done.")
    talk = await open_talk(tmp_path, turns)
    first = await talk.ask()
    module = client_results if moment == "store_result" else transactions
    store, loop = getattr(module, moment), asyncio.get_running_loop()
    requests: list[asyncio.Task[object]] = []

    def vanish(*given: Any, **named: Any) -> Any:
        stored = store(*given, **named)
        loop.call_soon_threadsafe(requests[0].cancel)
        return stored

    with monkeypatch.context() as patch:
        patch.setattr(module, moment, vanish)
        requests.append(asyncio.create_task(talk.report(call_of(first, "continue"), "continue")))
        with pytest.raises(asyncio.CancelledError):
            await requests[0]
    completed: list[Event] = []
    async with asyncio.timeout(PATIENCE):  # the transaction may end after the client is gone
        while len(completed) < 2:
            said = await talk.events()
            completed = [each for each in said if each.type == "message_completed"]
    assert Answer.model_validate(completed[-1].data).answer.startswith("Done.")
    assert [each.type for each in said].count("client_result") == 1
    await talk.runner.close()


async def test_a_turn_that_cannot_begin_leaves_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = await open_talk(tmp_path, Turns("More. STOP_MARKER", "Done."))
    first = await talk.ask()
    before = await talk.events()

    def fail(*_: object) -> int:
        raise DiskFull

    with monkeypatch.context() as patch:
        patch.setattr(transactions, "begin_answer", fail)
        with pytest.raises(DiskFull):
            await talk.report(call_of(first, "continue"), "continue")
    assert await talk.events() == before
    _, running = await talk.report(call_of(first, "continue"), "continue")
    assert running
    assert (await talk.follow(running)).answer.startswith("Done.")
    await talk.runner.close()


async def test_a_client_that_holds_its_files_sends_them_to_continue(tmp_path: Path) -> None:
    talk = await open_talk(tmp_path, Turns("More. STOP_MARKER", "Done."))
    files = (GivenFile("a.py", "x = 1\n"),)
    asking = await talk.runner.ask(AskedQuestion(question=REQUEST, files=files))
    talk.id = asking.conversation
    call = call_of(await talk.follow(asking), "continue")
    with pytest.raises(Misuse) as refused:
        await talk.report(call, "continue")
    assert refused.value.reason == "no_files"
    assert "contents" in refused.value.hint
    _, running = await talk.runner.report("local", talk.id, ReportedResult(call, "continue"), files)
    assert running
    assert (await talk.follow(running)).answer.startswith("Done.")
    await talk.runner.close()
