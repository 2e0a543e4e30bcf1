from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none", ""])
def test_a_page_of_another_site_reads_nothing_new_and_changes_nothing(client: TestClient, site: str) -> None:
    headers = {"Sec-Fetch-Site": site} if site else {}
    added = client.post("/api/documents", files={"file": ("a.txt", "Planted.")}, headers=headers)
    assert added.status_code == (403 if site == "cross-site" else 202)
    assert client.get("/api/documents", headers=headers).json()["total"] == (0 if site == "cross-site" else 1)


@pytest.mark.parametrize("path", ["/api/chat", "/api/search", "/api/personas"])
def test_a_body_without_end_is_left_as_soon_as_it_is_too_large(client: TestClient, path: str) -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield b'{"message": "'
        while taken < 50:
            taken += 1
            yield b"a" * 1_000_000

    answer = client.post(path, content=endless(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
