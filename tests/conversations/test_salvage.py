from collections.abc import AsyncIterator
from pathlib import Path

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
    assert salvaged(said[:-2], "", "", stopped=False, usage=said[-2]) == final(said)
    assert salvaged(said[:-1], "", "", stopped=False) == final(said)


def test_a_sentence_that_was_only_a_thought_is_not_saved_nor_what_it_cited() -> None:
    sentence = events.Sentence(text="Let me look.", citations=[1], support="partial", start=0, end=12)
    citation = events.Citation(
        n=1,
        evidence=1,
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
    said = [
        events.Text(delta="Let me look."),
        events.Cited(index=0, sentence=sentence, citations=[citation]),
        events.Text(delta=" [1]"),
        events.Thought(text="Let me look. [1]", retracted=16),
    ]
    answer = salvaged(said, "?", "m", stopped=True)
    assert (answer.answer, answer.sentences, answer.citations) == ("", [], [])
