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
from tests.work import finish

# One stream has no end, and so no answer that could be looked at.
schema = schemathesis.openapi.from_dict(create_app(load_settings()).openapi()).exclude(path="/api/documents/events")


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


@schema.parametrize()
@settings(max_examples=8, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_finds_a_fault(case: schemathesis.Case[Any], client: asgi.ASGIClient) -> None:
    # What a schema cannot say (that a web search is yet to come, that a name is taken) is refused all the same.
    case.call_and_validate(session=client, base_url=f"http://{asgi.HOST}", excluded_checks=[positive_data_acceptance])
