"""Events on the wire: each has a name, and the answer has the shape that other programs read."""

from typing import get_args

from pincite import events


def test_every_payload_has_one_name_and_every_name_one_payload() -> None:
    assert set(events.EVENTS.values()) == set(get_args(events.Data))
    assert len(set(events.EVENTS.values())) == len(events.EVENTS)
    assert events.find_event_type(events.Text(delta="a")) == "text"


def test_the_names_are_those_that_the_interface_promises() -> None:
    promised = """message_started question thought text tool_call_started tool_call_success tool_call_error
    subagent_started subagent_data subagent_completed subagent_error evidence citation navigate highlight usage error
    message_completed"""
    added = "passage media outline repaired sent changes client_call client_result quota_warning"
    assert set(events.EVENTS) == set(promised.split()) | set(added.split())


def test_an_answer_has_the_fields_that_scripts_read() -> None:
    empty = events.Answer(
        answer="", refused=True, question="?", model="extractive", sentences=[], citations=[], usage=events.Usage()
    )
    promised = {"answer", "refused", "question", "model", "sentences", "citations", "usage"}
    assert promised | {"used_location", "used_personalization"} <= empty.model_dump().keys()
    assert {"n", "document", "title", "kind", "url", "quote", "start", "end", "score", "boxes"} <= set(
        events.Citation.model_fields
    )
