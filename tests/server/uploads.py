"""Helpers for tests of documents over HTTP: send a file, and read everything that waits."""

from typing import Any

from starlette.testclient import TestClient

from tests.server.conftest import TEXT
from tests.work import finish


def upload(client: TestClient, name: str = "lakes.md", content: str | bytes = TEXT, **fields: str) -> dict[str, Any]:
    """The document that a file becomes, as the server tells it."""
    answer = client.post("/api/documents", files={"file": (name, content)}, data=fields)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    return found


def read(client: TestClient) -> None:
    """Everything that waits is read."""
    finish(client.app.state.library)  # type: ignore[attr-defined]


def uploaded(client: TestClient, name: str = "lakes.md", content: str | bytes = TEXT, **fields: str) -> str:
    """The address of a document that was sent and read."""
    address = f"/api/documents/{upload(client, name, content, **fields)['id']}"
    read(client)
    return address


def refusal(client: TestClient, address: str) -> tuple[int, str]:
    """The status and the code of an error."""
    answer = client.get(address)
    return answer.status_code, answer.json()["error"]["code"]
