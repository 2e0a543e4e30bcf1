from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.conversations.stored_events import make_event
from pincite.errors import ModelError
from pincite.events import fold
from tests.turns import Piece, Script, ask, final, open_test_services, searching


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
def test_a_broken_off_answer_folds_to_the_one_that_its_writer_sent(tmp_path: Path, pieces: tuple[str, ...]) -> None:
    services = open_test_services(tmp_path, script=breaking_off(*pieces))
    said = ask(services, "How high is the dam?")
    services.close()
    assert isinstance(said[-2], events.Usage)
    assert fold(said[:-2], "", "", stopped=False, usage=said[-2], cut=final(said).cut) == final(said)
    assert fold(said[:-1], "", "", stopped=False, cut=final(said).cut) == final(said)


def test_a_sentence_that_was_only_a_thought_is_not_saved_nor_what_it_cited() -> None:
    sentence = events.Sentence(text="Let me look.", citations=[1], support="partial", start=0, end=12)
    said = [
        events.Text(delta="Let me look."),
        events.Cited(index=0, sentence=sentence, citations=[pinned(1)]),
        events.Text(delta=" [1]"),
        events.Thought(text="Let me look. [1]", retracted=16),
    ]
    answer = fold(said, "?", "m", stopped=True)
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
    answer = fold(said, "?", "m", stopped=True)
    assert answer.sentences[0] == settled
    assert [citation.n for citation in answer.citations] == [1]
    assert answer.judge == events.Judge(model="m", sentences=1)


def test_a_sentence_that_was_being_checked_when_all_ended_is_unchecked() -> None:
    said = [
        events.Text(delta="It is deep."),
        events.Cited(index=0, sentence=waiting("It is deep.", 1), citations=[pinned(1)]),
    ]
    answer = fold(said, "?", "m", stopped=True)
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
    answer = fold(said, "?", "m", stopped=True)
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
    answer = fold(said, "?", "m", stopped=True)
    assert (answer.answer, answer.sentences, answer.citations) == ("", [], [])


def test_citations_that_were_only_suggested_are_kept_with_their_sentence() -> None:
    said = [
        events.Text(delta="It is deep."),
        events.Cited(index=0, sentence=waiting("It is deep.", suggested=[3]), citations=[pinned(3)]),
    ]
    assert [citation.n for citation in fold(said, "?", "m", stopped=True).citations] == [3]


def test_data_sent_before_an_answer_broke_off_are_kept() -> None:
    left = [events.Sent(kind="search", value="dam"), events.Sent(kind="page", value="https://e.org/", origin="search")]
    assert fold([left[0], events.Text(delta="It"), left[1]], "?", "m", stopped=True).sent == left


def build_payload(kind: type[BaseModel]) -> st.SearchStrategy[BaseModel]:
    """Payloads of one kind of event, with numbers and ids that meet those of other events."""
    small, text = st.integers(0, 6), st.text("ab [1].\n", max_size=8)
    sentence = st.builds(
        events.Sentence,
        text=text,
        citations=st.lists(small, max_size=2),
        support=st.sampled_from(["verified", "partial", None]),
        start=small,
        end=small,
        checking=st.booleans(),
        silent=st.booleans(),
        judge=st.sampled_from(["", "j"]),
        suggested=st.lists(small, max_size=1),
    )
    citation = small.map(pinned)
    given: dict[type[BaseModel], dict[str, st.SearchStrategy[Any]]] = {
        events.Text: {"delta": text},
        events.Thought: {"text": text, "retracted": small},
        events.Cited: {"index": small, "sentence": sentence, "citations": st.lists(citation, max_size=2)},
        events.Repaired: {
            "answer": text,
            "sentences": st.lists(sentence, max_size=2),
            "citations": st.lists(citation, max_size=2),
            "repairs": st.just([]),
        },
        events.SubagentStarted: {"content": text, "subagentId": st.just("a"), "name": text, "task": text},
        events.SubagentCompleted: {"subagentId": st.sampled_from("ab"), "summary": text},
        events.SubagentError: {"subagentId": st.sampled_from("ab"), "error": text},
        events.SubagentData: {"subagentId": text, "event": st.just({})},
    }
    if kind in given:
        return st.builds(kind, **given[kind])
    needed = {name: field.annotation for name, field in kind.model_fields.items() if field.is_required()}
    return st.builds(kind, **{name: build_value(annotation) for name, annotation in needed.items()})


def build_value(annotation: Any) -> st.SearchStrategy[Any]:
    """Values for a required field that the fold does not look into."""
    if get_origin(annotation) is list:
        return st.just([])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return st.builds(annotation)
    return st.from_type(annotation)


PAYLOADS = st.one_of([build_payload(kind) for kind in events.EVENTS.values()])


@given(st.lists(PAYLOADS, max_size=12))
def test_the_events_of_any_stream_fold_into_an_answer(said: list[BaseModel]) -> None:
    answer = fold(said, "?", "m", stopped=True)
    whole = [data for data in said if isinstance(data, events.Answer)]
    if whole:
        assert answer == whole[-1]
    else:
        assert all(each.end <= len(answer.answer) for each in answer.sentences)
        assert not any(each.checking for each in answer.sentences)
        assert events.Answer.model_validate(answer.model_dump()) == answer


@given(
    st.lists(st.tuples(st.sampled_from([*events.EVENTS, "unknown"]), st.dictionaries(st.text(max_size=3), st.none())))
)
def test_a_stored_event_of_another_version_is_skipped(said: list[tuple[str, dict[str, Any]]]) -> None:
    stored = [events.Event(seq=n, type=type, messageId="m", data=data) for n, (type, data) in enumerate(said, 1)]
    assert fold(stored, "?", "m").question == "?"


def test_every_prefix_of_a_stored_answer_folds_and_the_whole_is_its_final_answer(tmp_path: Path) -> None:
    services = open_test_services(
        tmp_path, script=searching("dam high", "The dam is 33 m high [1]. ", "It is old [1].")
    )
    said = ask(services, "How high is the dam?")
    services.close()
    stored = [make_event(seq, "m", data) for seq, data in enumerate(said, 1)]
    for end in range(len(stored)):
        partial = fold(stored[:end], "How high is the dam?", "m")
        assert final(said).answer.startswith(partial.answer)
        assert partial == fold(said[:end], "How high is the dam?", "m")
    assert fold(stored) == fold(said) == final(said)
