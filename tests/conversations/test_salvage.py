from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.conversations.salvage import salvaged
from pincite.errors import ModelError
from tests.turns import Piece, Script, ask, final, open_test_house, searching


def breaking_off(*pieces: str) -> Script:
    """A model that searches, says this and is lost."""

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        async for piece in searching("dam high", *pieces)(messages, info):
            yield piece
        if len(messages) > 1:
            raise ModelError("The model lost its voice.")

    return script


@pytest.mark.parametrize(
    "pieces",
    [
        (),
        ("The dam is 33 m high [1]. ",),
        ("The dam is 33 m high [1]. ", "It was built in"),
        ("The dam is 33 m high [1].\n\n", "- It was built in 1950 [1].\n", "- And then"),
        ("It was",),
    ],
)
def test_what_is_saved_of_an_answer_is_what_its_writer_would_have_left(tmp_path: Path, pieces: tuple[str, ...]) -> None:
    house = open_test_house(tmp_path, script=breaking_off(*pieces))
    said = ask(house, "How high is the dam?")
    house.close()
    assert isinstance(said[-2], events.Usage)
    assert salvaged(said[:-2], "", "", stopped=False, usage=said[-2], cut=final(said).cut) == final(said)
    assert salvaged(said[:-1], "", "", stopped=False, cut=final(said).cut) == final(said)


def test_a_sentence_that_was_only_a_thought_is_not_saved_nor_what_it_cited() -> None:
    sentence = events.Sentence(text="Let me look.", citations=[1], support="partial", start=0, end=12)
    said = [
        events.Text(delta="Let me look."),
        events.Cited(index=0, sentence=sentence, citations=[pinned(1)]),
        events.Text(delta=" [1]"),
        events.Thought(text="Let me look. [1]", retracted=16),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert (answer.answer, answer.sentences, answer.citations) == ("", [], [])


def pinned(n: int) -> events.Citation:
    return events.Citation(
        n=n,
        evidence=n,
        document="d",
        title="t",
        kind="text",
        url=None,
        page=None,
        quote="q",
        start=0,
        end=1,
        score=1,
        boxes=[],
    )


def waiting(text: str, *cites: int, start: int = 0, **given: Any) -> events.Sentence:
    usual: dict[str, Any] = {"support": "unchecked", "checking": True}
    return events.Sentence(text=text, citations=list(cites), start=start, end=start + len(text), **usual | given)


def test_a_sentence_has_the_verdict_that_came_last() -> None:
    settled = waiting("It is deep.", 1, support="verified", basis="judge", judge="m", checking=False)
    said = [
        events.Text(delta="It is deep."),
        events.Cited(index=0, sentence=waiting("It is deep.", 1), citations=[pinned(1)]),
        events.Text(delta=" [1] It is wide."),
        events.Cited(index=1, sentence=waiting("It is wide.", start=16), citations=[]),
        events.Cited(index=0, sentence=settled, citations=[pinned(1)]),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert answer.sentences[0] == settled
    assert [citation.n for citation in answer.citations] == [1]
    assert answer.judge == events.Judge(model="m", sentences=1)


def test_a_sentence_that_was_being_checked_when_all_ended_is_unchecked() -> None:
    said = [
        events.Text(delta="It is deep."),
        events.Cited(index=0, sentence=waiting("It is deep.", 1), citations=[pinned(1)]),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert [(each.support, each.checking) for each in answer.sentences] == [("unchecked", False)]
    assert answer.judge is None


def test_a_repair_takes_the_place_of_all_that_was_said_before_and_more_may_follow() -> None:
    corrected = waiting("It is 33 m high.", 2)
    repair = events.Repair(before="It is 35 m high.", after="It is 33 m high.", support="contradicted")
    said = [
        events.Text(delta="It is 35 m high. [1] It is blue."),
        events.Cited(index=0, sentence=waiting("It is 35 m high.", 1), citations=[pinned(1)]),
        events.Cited(index=1, sentence=waiting("It is blue.", start=21), citations=[]),
        events.Repaired(answer="It is 33 m high. [2]", sentences=[corrected], citations=[pinned(2)], repairs=[repair]),
        events.Text(delta=" It is"),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert answer.answer == "It is 33 m high. [2] It is"
    assert [(each.text, each.support) for each in answer.sentences] == [
        ("It is 33 m high.", "unchecked"),
        ("It is", None),
    ]
    assert [answer.answer[each.start : each.end] for each in answer.sentences] == ["It is 33 m high.", "It is"]
    assert [citation.n for citation in answer.citations] == [2]
    assert answer.repairs == [repair]


def test_a_verdict_that_settles_after_its_sentence_was_taken_back_brings_nothing_back() -> None:
    said = [
        events.Text(delta="Let me look."),
        events.Cited(index=0, sentence=waiting("Let me look.", 1), citations=[pinned(1)]),
        events.Thought(text="Let me look.", retracted=12),
        events.Cited(index=0, sentence=waiting("Let me look.", 1, checking=False), citations=[pinned(1)]),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert (answer.answer, answer.sentences, answer.citations) == ("", [], [])


def test_citations_that_were_only_suggested_are_kept_with_their_sentence() -> None:
    said = [
        events.Text(delta="It is deep."),
        events.Cited(index=0, sentence=waiting("It is deep.", suggested=[3]), citations=[pinned(3)]),
    ]
    assert [citation.n for citation in salvaged(said, "?", "m", stopped=True).citations] == [3]


def test_what_left_before_an_answer_broke_off_is_kept() -> None:
    left = [events.Sent(kind="search", value="dam"), events.Sent(kind="page", value="https://e.org/", origin="search")]
    assert salvaged([left[0], events.Text(delta="It"), left[1]], "?", "m", stopped=True).sent == left
