"""Requests made up from the OpenAPI document find no fault, and every answer is as the document says."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import load_settings
from tests.server.conftest import TEXT, conversation_of, quoting
from tests.server.openapi import OPERATIONS, read_schema, try_operation
from tests.server.routes import Route
from tests.thorough import keep_some
from tests.work import finish

# One stream has no end, and so no answer that could be looked at.
TRIED = [operation for operation in OPERATIONS if operation.template != "/api/documents/events"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[asgi.ASGIClient]:
    """A client of a server with a document, a persona and a conversation in it."""
    given = load_settings(
        data=tmp_path_factory.mktemp("api"), embedding={"provider": "none"}, reading={"max_file_mb": 1}
    )
    made = create_app(given, answer=quoting)
    with TestClient(made) as client:
        client.post("/api/documents", files={"file": ("lakes.md", TEXT)})
        client.post("/api/personas", json={"name": "Brief", "instructions": "Be brief."})
        client.post("/api/workspaces", json={"name": "Lakes", "instructions": "Be brief."})
        conversation_of(client)
        finish(made.state.library)
        notebook = client.post("/api/notebooks", json={"title": "Lakes"}).json()["id"]
        client.post(f"/api/notebooks/{notebook}/items", json={"kind": "text", "text": "Deep."})
    with asgi.get_client(cast(Any, made)) as door:
        yield door
    asgi.shutdown_lifespans()


def test_every_operation_of_the_document_is_tried() -> None:
    described = {
        Route(path, method.upper()) for path, methods in read_schema().raw_schema["paths"].items() for method in methods
    }
    assert described == set(OPERATIONS)
    assert len(TRIED) == len(OPERATIONS) - 1


@pytest.mark.parametrize("operation", keep_some(TRIED, one_in=13), ids=str)
def test_no_request_finds_a_fault(operation: Route, client: asgi.ASGIClient) -> None:
    try_operation(operation, _send, client=client)


@settings(max_examples=8, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def _send(case: schemathesis.Case[Any], client: asgi.ASGIClient) -> None:
    # A request may break a rule that a schema cannot express (no search engine is set, a name is taken) and be refused.
    case.call_and_validate(session=client, base_url=f"http://{asgi.HOST}", excluded_checks=[positive_data_acceptance])
