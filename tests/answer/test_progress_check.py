"""The end of a turn on a request: done, in circles, not moving, or to be continued."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.edit_collector import STOP_MARKER
from pincite.answer.progress_check import classify_turn
from pincite.answer.project_request import EarlierTurn, ProjectRequest
from pincite.projects.edit_blocks import create_search_replace_block
from tests.projects_given import open_project_services
from tests.turns import Piece, ask, final, saying

FIRST = EarlierTurn("I did a.", "-a\n+b\n", (), frozenset({"read_files paths=a"}))
SECOND = EarlierTurn("I did b.", "-c\n+d\n", (), frozenset({"read_files paths=b"}))
TALK = EarlierTurn("I think about it.", "", (), frozenset())
REFUSED = EarlierTurn("I did c.", "", ("a.py not_found",), frozenset())
BLOCK = create_search_replace_block("README.md", "# Sketches\n", "# Drawings\n")
GIVEN = {"project": "sketches", "conversation": "talk", "question_id": "q1"}


@pytest.mark.parametrize(
    ("turn", "earlier", "has_marker", "is_cut", "state"),
    [
        (FIRST, (), False, False, "satisfied"),
        (FIRST, (), True, False, "unfinished"),
        (SECOND, (FIRST,), True, False, "unfinished"),
        (TALK, (), True, False, "unfinished"),
        (FIRST, (), False, True, "unfinished"),
        (FIRST, (SECOND, FIRST), True, False, "looping"),
        (FIRST, (FIRST,), False, False, "looping"),
        (EarlierTurn("I did a.", "-a\n+b", (), frozenset()), (FIRST,), True, False, "looping"),
        (TALK, (FIRST, TALK), True, False, "looping"),
        (EarlierTurn("Other words."), (FIRST, TALK), True, False, "stalled"),
        (TALK, (FIRST,), True, False, "unfinished"),
        (REFUSED, (), False, False, "unfinished"),
        (REFUSED, (REFUSED,), True, False, "stalled"),
        (REFUSED, (REFUSED,), False, False, "stalled"),
        (TALK, (FIRST, SECOND), False, False, "satisfied"),
    ],
)
def test_the_same_edits_calls_or_errors_are_no_progress(
    turn: EarlierTurn, earlier: tuple[EarlierTurn, ...], has_marker: bool, is_cut: bool, state: str
) -> None:
    assert classify_turn(turn, earlier, has_marker=has_marker, is_cut=is_cut).state == state


def test_a_model_that_says_that_work_remains_is_to_be_continued(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose the first [1].\n\n", BLOCK, f"\n\n{STOP_MARKER}\n"))
    answer = final(ask(services, "Rename everything, all files.", **GIVEN))
    assert answer.progress
    assert (answer.progress.state, answer.progress.turn, answer.progress.most) == ("unfinished", 1, 11)
    assert [call.tool for call in answer.calls] == ["apply_changes", "continue"]
    assert answer.calls[1].arguments == {"request": "Rename everything, all files.", "turn": 2, "most": 11}
    assert STOP_MARKER not in answer.answer
    assert answer.changes
    assert STOP_MARKER not in answer.changes.reply


@pytest.mark.parametrize(("most", "tools"), [(1, []), (2, ["continue"])])
def test_a_request_is_continued_only_so_often(tmp_path: Path, most: int, tools: list[str]) -> None:
    services = open_project_services(tmp_path, saying("More remains. STOP_MARKER"), projects={"continuations": most})
    earlier = (FIRST,)
    answer = final(
        ask(services, "Continue: Rename all of the files.", request=ProjectRequest("Rename all.", 2, earlier), **GIVEN)
    )
    assert answer.progress
    assert answer.progress.state == "unfinished"
    assert [call.tool for call in answer.calls] == tools
    if not tools:
        assert "1 times" in answer.progress.reason


def test_a_turn_that_repeats_an_earlier_one_is_not_continued(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", BLOCK, f"\n\n{STOP_MARKER}\n"))
    changes = final(ask(services, "Rename all.", **GIVEN)).changes
    assert changes
    before = EarlierTurn("I propose this.", "\n".join(file.diff for file in changes.files))
    answer = final(ask(services, "Go on", request=ProjectRequest("Rename all.", 2, (before,)), **GIVEN))
    assert answer.progress
    assert answer.progress.state == "looping"
    assert "continue" not in [call.tool for call in answer.calls]


@pytest.mark.parametrize("state", ["satisfied", "looping", "stalled", "unfinished"])
def test_the_system_model_judges_where_the_rules_see_progress(tmp_path: Path, state: str) -> None:
    def system(prompt: str) -> str:
        return f'{{"state": "{state}", "reason": "Because."}}' if "<turns>" in prompt else '{"paths": []}'

    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", BLOCK, STOP_MARKER), system=system)
    answer = final(ask(services, "Rename all.", **GIVEN))
    assert answer.progress
    assert (answer.progress.state, answer.progress.reason) == (state, "Because.")
    assert ("continue" in [call.tool for call in answer.calls]) == (state == "unfinished")


def test_the_system_model_is_told_paths_and_numbers_and_no_line_of_a_file(tmp_path: Path) -> None:
    prompts: list[str] = []

    def system(prompt: str) -> str:
        prompts.append(prompt)
        return "{}"

    services = open_project_services(tmp_path, saying("I propose this [1].\n\n", BLOCK, STOP_MARKER), system=system)
    ask(services, "Rename all.", **GIVEN)
    (told,) = [prompt for prompt in prompts if "<turns>" in prompt]
    assert "Proposed: README.md (modify, 1 lines added, 1 removed)" in told
    assert "# Sketches" not in told
    assert "# Drawings" not in told


def test_a_system_model_that_talks_nonsense_leaves_it_to_the_rules(tmp_path: Path) -> None:
    services = open_project_services(
        tmp_path, saying("I propose this [1].\n\n", BLOCK, STOP_MARKER), system=lambda _: "I am not sure."
    )
    answer = final(ask(services, "Rename all.", **GIVEN))
    assert answer.progress
    assert answer.progress.state == "unfinished"


def test_a_turn_that_used_up_its_budget_can_go_on(tmp_path: Path) -> None:
    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        from pydantic_ai.models.function import DeltaToolCall

        yield {0: DeltaToolCall("search_project", f'{{"query": "area {len(messages)}"}}', tool_call_id="c")}

    services = open_project_services(tmp_path, script, models={"requests": 3})
    said = ask(services, "Rename all areas.", **GIVEN)
    answer = final(said)
    assert [each.code for each in said if isinstance(each, events.Fault)] == ["limit"]
    assert answer.usage.requests <= 3
    assert answer.progress
    assert answer.progress.state == "unfinished"
    assert [call.tool for call in answer.calls] == ["continue"]


def test_an_ordinary_question_has_no_progress(tmp_path: Path) -> None:
    answer = final(ask(open_project_services(tmp_path, saying("It doubles [1].")), "How long is the delay?", **GIVEN))
    assert answer.progress is None
    assert answer.calls == []


def test_the_reason_is_in_the_language_of_the_question(tmp_path: Path) -> None:
    services = open_project_services(tmp_path, saying("Je propose ceci [1].\n\n", BLOCK))
    answer = final(ask(services, "Renomme le titre du fichier README.md s'il te plaît.", **GIVEN))
    assert answer.progress
    assert "reste rien" in answer.progress.reason
