"""Projects over `/ws`: files are read, changes are applied and undone, and a result reaches all who follow."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pincite import events
from pincite.answer.context import Context
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.server import websocket_subscriptions
from pincite.settings import Settings
from tests import program
from tests.clock import PATIENCE
from tests.server.websocket_clients import connected, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make sure that changes in the same process are sent at once: switch off the regular checks for them."""
    monkeypatch.setattr(websocket_subscriptions, "_LOOK", 2 * PATIENCE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "lakes"
    root.mkdir()
    (root / "depth.py").write_text("def depth():\n    return 230\n", encoding="utf-8")
    return root


@pytest.fixture
def settings(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"projects": settings.projects.model_copy(update={"folders": (folder,)})})


async def unfinished(context: Context) -> AsyncIterator[events.Data]:
    """Answers that there is more to do."""
    asked = context.asked
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    yield events.Answer(
        answer="One of two is done.",
        refused=False,
        question=asked.question,
        model="fake",
        sentences=[],
        citations=[],
        usage=events.Usage(input_tokens=1, output_tokens=1, requests=1),
        calls=[events.ClientCall(id=f"{asked.question_id}-continue", tool="continue")],
    )


async def test_a_client_reads_changes_and_restores_the_files_of_a_project(settings: Settings, folder: Path) -> None:
    file = folder / "depth.py"
    async with serving(settings) as server, connected(server.port) as client:
        (project,) = (await client.act("projects"))["projects"]
        assert (project["name"], project["folder"]) == ("lakes", str(folder))
        assert "depth.py" in (await client.act("tree", project=project["id"]))["text"]
        read = await client.act("read_file", project="lakes", path="depth.py")
        assert read["text"] == file.read_text(encoding="utf-8")
        reply = create_search_replace_block("depth.py", "    return 230\n", "    return 310\n")
        planned = await client.act("apply", project="lakes", reply=reply, dry_run=True)
        assert (planned["applied"], [each["path"] for each in planned["files"]]) == (False, ["depth.py"])
        assert "230" in file.read_text(encoding="utf-8")
        applied = await client.act("apply", project="lakes", reply=reply)
        assert "+    return 310" in applied["files"][0]["diff"]
        assert file.read_text(encoding="utf-8") == "def depth():\n    return 310\n"
        await client.act("undo", project="lakes", change=applied["id"])
        assert file.read_text(encoding="utf-8") == "def depth():\n    return 230\n"


async def test_of_two_clients_that_edit_a_file_the_second_is_told_that_it_was_changed(
    settings: Settings, folder: Path
) -> None:
    file = folder / "depth.py"
    async with serving(settings) as server, connected(server.port) as one, connected(server.port) as other:
        known = (await one.act("read_file", project="lakes", path="depth.py"))["sha256"]
        replies = [create_search_replace_block("depth.py", "def depth():\n", f"def {name}():\n") for name in ("a", "b")]
        expected = {"depth.py": known}
        await one.act("apply", project="lakes", reply=replies[0], before_sha256=expected)
        told = await other.request(
            "action",
            action="apply",
            data={"project": "lakes", "reply": replies[1], "before_sha256": expected},
        )
        assert (told["type"], told["reason"]) == ("error", "file_changed"), told
        assert file.read_text(encoding="utf-8") == "def a():\n    return 230\n"
        # Also where the edit itself would still apply.
        reply = create_search_replace_block("depth.py", "    return 230\n", "    return 310\n")
        told = await other.request(
            "action", action="apply", data={"project": "lakes", "reply": reply, "before_sha256": expected}
        )
        assert (told["reason"], told["params"]) == ("file_changed", {"path": "depth.py"})
        assert file.read_text(encoding="utf-8") == "def a():\n    return 230\n"


@pytest.mark.parametrize(
    ("action", "data", "reason"),
    [
        ("tree", {"project": "nowhere"}, "project"),
        ("tree", {}, "invalid"),
        ("read_file", {"project": "lakes", "path": "../secret"}, "path_outside"),
        ("read_file", {"project": "lakes", "path": 7}, "invalid"),
        ("apply", {"project": "lakes"}, "no_changes"),
        ("projects", {"project": "lakes"}, "invalid"),
    ],
)
async def test_a_project_action_that_cannot_be_done_is_answered_with_the_reason(
    settings: Settings, action: str, data: dict[str, object], reason: str
) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        told = await client.request("action", action=action, data=data)
        assert (told["type"], told["reason"]) == ("error", reason)
        assert told["hint"]


async def test_the_result_of_a_call_is_an_event_for_all_who_follow_and_begins_the_next_turn(
    settings: Settings,
) -> None:
    async with (
        serving(settings, unfinished) as server,
        connected(server.port) as client,
        connected(server.port) as other,
        connected(server.port) as third,
    ):
        topic = await client.ask("Do both.", project="lakes")
        first = await client.finish(topic)
        await other.subscribe(topic)
        assert await other.finish(topic) == first
        call = first[-1]["data"]["calls"][0]["id"]
        given = {"conversation": topic.partition(":")[2], "call": call, "status": "continue"}
        # One that does not follow the conversation yet does so when its result begins the next turn.
        taken = await third.act("result", **given)
        assert (taken["seq"], taken["after"]) == (3, 3)
        assert [event["seq"] for event in await third.finish(topic)] == [4, 5]
        for each in (client, other):
            # The result may be told before the turn begins.
            news = await each.finish(topic)
            if len(news) == 1:
                news += await each.finish(topic)
            assert [event["seq"] for event in news] == [3, 4, 5]
            assert [event["type"] for event in news] == ["client_result", "message_started", "message_completed"]
        told = await client.request("action", action="result", data=given | {"call": "none"})
        assert (told["code"], told["reason"]) == ("not_found", "call")


@pytest.mark.slow
async def test_the_real_program_answers_about_a_file_with_its_lines(tmp_path: Path, folder: Path) -> None:
    (folder / "README.md").write_text("# Lakes\n\nThe depth of Loch Ness is 230 metres.\n", encoding="utf-8")
    with program.serving(tmp_path / "data", EMBEDDING__PROVIDER="none", PROJECTS__FOLDERS=str(folder)) as address:
        async with connected(urlsplit(address).port or 0) as client:
            topic = await client.ask("What is the depth of Loch Ness?", project="lakes")
            sent = await client.finish(topic)
    assert [event["seq"] for event in sent] == list(range(1, len(sent) + 1))
    cited = {each["path"]: each["lines"] for each in sent[-1]["data"]["citations"]}
    first, last = cited["README.md"]
    assert first <= 3 <= last
