import json
import logging
import re

import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import Settings
from pincite.settings_telemetry import TelemetrySettings
from pincite.telemetry.log_format import JsonFormatter
from tests.otlp_receiver import receive_traces
from tests.server.uploads import uploaded

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def test_every_response_has_an_id_that_a_proxy_may_give(client: TestClient) -> None:
    first, second = (client.get(path).headers["x-request-id"] for path in ("/health", "/none"))
    assert re.fullmatch("[0-9a-f]{32}", first)
    assert first != second
    given = {"X-Request-ID": "proxy-12345678"}
    assert client.get("/health", headers=given).headers["x-request-id"] == "proxy-12345678"
    for odd in ("short", "a b c d e f g h", "x" * 65, '"}{"level":"error'):
        assert client.get("/health", headers={"X-Request-ID": odd}).headers["x-request-id"] != odd


def test_a_request_is_logged_without_its_query(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "pincite.access"):
        client.get("/api/documents/none?code=secret", headers={"X-Request-ID": "proxy-12345678"})
    [record] = [each for each in caplog.records if each.name == "pincite.access"]
    line = json.loads(JsonFormatter().format(record))
    assert line["message"] == "GET /api/documents/none 404"
    assert (line["method"], line["path"], line["status"]) == ("GET", "/api/documents/none", 404)
    assert 0 <= line["seconds"] < 600


def test_a_turn_is_one_trace_that_continues_the_clients_and_has_its_stages(settings: Settings) -> None:
    with receive_traces() as received:
        chosen = settings.model_copy(update={"telemetry": TelemetrySettings(traces=received.url)})
        with TestClient(create_app(chosen)) as client:
            uploaded(client)  # in an empty library nothing is searched
            headers = {"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "secret=1", "baggage": "secret=2"}
            asked = client.post("/api/chat", json={"message": "How deep is Zanzibar?"}, headers=headers)
            asked.raise_for_status()
            other = client.post("/api/search", json={"message": "How deep is Zanzibar?"})
            other.raise_for_status()
        turn, alone = received.named("turn")
        assert (turn.trace, turn.parent) == (TRACE, SPAN)
        assert alone.trace != TRACE
        events = [json.loads(line[6:]) for line in asked.text.splitlines() if line.startswith("data: ")]
        assert turn.attributes["pincite.turn"] == events[0]["messageId"]
        assert turn.attributes["pincite.conversation"] == asked.headers["x-conversation-id"]
        stages = [each for each in received.spans if each.parent == turn.id]
        assert [each.name for each in stages] == ["understand", "route", "gather", "write", "cite"]
        written = next(each for each in stages if each.name == "write")
        tools = [each for each in received.named("tool") if each.parent == written.id]
        assert tools
        searches = [each for each in received.named("search") if each.parent in {tool.id for tool in tools}]
        assert searches
        words = [each for each in received.named("search words") if each.trace == TRACE]
        assert {each.parent for each in words} <= {each.id for each in received.named("search")}
        assert words
        sent = b"".join(received.bodies)
        assert b"Zanzibar" not in sent
        assert b"secret" not in sent
