import asyncio
import contextvars
import logging
from collections.abc import Iterator

import pytest

from pincite.errors import NotFound
from pincite.telemetry import span
from pincite.telemetry.spans import has_traces
from pincite.telemetry.start import make_traces_address
from pincite.telemetry.trace_parent import TraceParent
from pincite.telemetry.traces import Traces, continue_trace, find_trace_id
from tests.otlp_receiver import OtlpReceiver, receive_traces


@pytest.fixture
def receiver() -> Iterator[OtlpReceiver]:
    with receive_traces() as received:
        yield received


@pytest.fixture
def traces(receiver: OtlpReceiver) -> Iterator[Traces]:
    opened = Traces(f"{receiver.url}/v1/traces", "pincite", "1.2", "me", has_text=False)
    yield opened
    opened.close()


def test_spans_arrive_with_their_parents_and_attributes(receiver: OtlpReceiver, traces: Traces) -> None:
    async def answer() -> None:
        with span("turn", turn="m1"):
            assert len(find_trace_id()) == 32
            await asyncio.gather(*(asyncio.create_task(search(n)) for n in range(2)))

    async def search(n: int) -> None:
        with span("search", number=n) as opened:
            await asyncio.to_thread(read)
            opened.set(hits=3)

    def read() -> None:
        with span("read"):
            pass

    asyncio.run(answer())
    assert find_trace_id() == ""
    traces.flush()
    [turn] = receiver.named("turn")
    searches, reads = receiver.named("search"), receiver.named("read")
    assert turn.parent == ""
    assert turn.attributes == {"pincite.turn": "m1"}
    assert {each.parent for each in searches} == {turn.id}
    assert sorted(each.parent for each in reads) == sorted(each.id for each in searches)
    assert {each.trace for each in receiver.spans} == {turn.trace}
    assert sorted(str(each.attributes) for each in searches) == [
        "{'pincite.number': 0, 'pincite.hits': 3}",
        "{'pincite.number': 1, 'pincite.hits': 3}",
    ]
    assert receiver.paths == ["/v1/traces"]
    assert receiver.resources[0]["service.name"] == "pincite"
    assert receiver.resources[0]["service.version"] == "1.2"
    assert receiver.resources[0]["service.instance.id"] == "me"


def test_an_error_is_told_by_its_code_and_words_are_left_out(receiver: OtlpReceiver, traces: Traces) -> None:
    one = span("one")
    one.set_text(question="secret question")
    with pytest.raises(NotFound), one:
        raise NotFound("There is no secret document.", "", "document")
    with pytest.raises(ValueError), span("two"):
        raise ValueError("secret value")
    with pytest.raises(asyncio.CancelledError), span("three"):
        raise asyncio.CancelledError
    traces.flush()
    assert [(each.name, each.error) for each in receiver.spans] == [
        ("one", "not_found"),
        ("two", "ValueError"),
        ("three", ""),
    ]
    assert receiver.named("three")[0].attributes == {"pincite.stopped": True}
    assert b"secret" not in b"".join(receiver.bodies)


def test_words_are_sent_where_a_setting_allows_it(receiver: OtlpReceiver) -> None:
    traces = Traces(receiver.url + "/v1/traces", "pincite", "1", "me", has_text=True)
    with span("turn") as opened:
        opened.set_text(question="How deep is the lake? " * 100)
    traces.close()
    [turn] = receiver.spans
    assert len(str(turn.attributes["pincite.question"])) == 1000
    assert receiver.paths == ["/v1/traces"]


def test_the_trace_of_a_client_is_continued(receiver: OtlpReceiver, traces: Traces) -> None:
    with continue_trace(TraceParent(0xABC, 0xDEF, 1)), span("turn"):
        pass
    with continue_trace(TraceParent(0xABD, 0xDEF, 0)), span("not recorded there, nor here"):
        pass
    traces.flush()
    [turn] = receiver.spans
    assert (turn.trace, turn.parent) == (f"{0xABC:032x}", f"{0xDEF:016x}")


def test_a_span_may_end_in_another_task_than_it_began_in(receiver: OtlpReceiver, traces: Traces) -> None:
    opened = span("stream")
    contextvars.copy_context().run(opened.__enter__)
    opened.__exit__(None, None, None)
    traces.flush()
    assert [each.name for each in receiver.spans] == ["stream"]


def test_a_collector_that_is_away_costs_a_line_in_the_log_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    traces = Traces("http://127.0.0.1:9/v1/traces", "pincite", "1", "me", has_text=False)
    assert has_traces()
    with span("turn"):
        pass
    with caplog.at_level(logging.WARNING):
        traces.close()
    assert not has_traces()
    assert "Failed to export" in caplog.text


def test_the_address_may_be_that_of_the_collector_or_the_whole_one() -> None:
    assert make_traces_address("http://collector:4318/") == "http://collector:4318/v1/traces"
    assert make_traces_address("https://a.example/otlp/v1/traces") == "https://a.example/otlp/v1/traces"
