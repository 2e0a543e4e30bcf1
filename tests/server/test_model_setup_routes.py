"""A model in one step: set, tried and chosen over HTTP, and used by the next question without a restart."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.llm.key_encryption import KEY_FILE
from pincite.server import create_app
from pincite.settings import load_settings
from tests.llm.speaking_server import ModelServer, run_model_server
from tests.server.team import open_team_client

KEY = "sk-never-to-be-seen"


@contextmanager
def opened(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client of a server on this data."""
    with TestClient(create_app(load_settings(data=folder, embedding={"provider": "none"}, **settings))) as client:
        yield client


@pytest.fixture
def gateway() -> Iterator[ModelServer]:
    with run_model_server(key=KEY) as server:
        yield server


def save(client: TestClient, server: ModelServer, **more: Any) -> Any:
    return client.put("/api/models/providers/gateway", json={"url": server.url, "key": KEY, **more})


def find_provider(client: TestClient, name: str = "gateway") -> dict[str, Any]:
    found = {each["name"]: each for each in client.get("/api/models/setup").json()["providers"]}
    return dict(found[name])


def ask(client: TestClient, **more: Any) -> str:
    """The model that answers a question."""
    answered = client.post("/api/search", json={"message": "How high is the dam?", **more})
    assert answered.status_code == 200, answered.text
    return str(answered.json()["model"])


def test_a_pasted_key_lists_the_models_and_the_next_question_uses_the_chosen_one(
    tmp_path: Path, gateway: ModelServer
) -> None:
    with opened(tmp_path) as client:
        assert ask(client) == "extractive"
        saved = save(client, gateway)
        assert (saved.status_code, saved.json()) == (200, {"models": ["gateway:llama3.2"]})
        chosen = client.put("/api/models/roles", json={"chat": "gateway:llama3.2"})
        assert chosen.status_code == 200, chosen.text
        assert chosen.json()["chat"] == {"model": "gateway:llama3.2", "setting": "gateway:llama3.2", "set_in": "page"}
        assert ask(client) == "gateway:llama3.2"
        assert client.get("/api/settings").json()["chat_model"] == "gateway:llama3.2"
        offered = client.get("/api/models/choices").json()["models"]
        assert [(each["name"], each["is_default"]) for each in offered] == [
            ("gateway:llama3.2", True),
            ("extractive", False),
        ]
    with opened(tmp_path) as client:  # and after a restart
        assert ask(client) == "gateway:llama3.2"


def test_a_key_is_stored_encrypted_and_never_returned(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        told = [save(client, gateway).text]
        told += [client.get(f"/api/models/{path}").text for path in ("setup", "choices", "local")]
        shown = find_provider(client)
    assert (shown["has_key"], shown["set_in"], shown["is_locked"]) == (True, "page", False)
    assert not any(KEY in text for text in told)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_wrong_key_is_told_at_once_and_not_stored(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        refused = save(client, gateway, key="sk-wrong")
        assert refused.status_code == 400
        assert "does not accept the key" in refused.json()["error"]["message"]
        assert "gateway" not in [each["name"] for each in client.get("/api/models/setup").json()["providers"]]
    assert not (tmp_path / KEY_FILE).exists()


def test_without_the_key_file_the_page_asks_for_the_key_again_and_other_answers_go_on(
    tmp_path: Path, gateway: ModelServer
) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
    (tmp_path / KEY_FILE).unlink()
    with opened(tmp_path) as client:
        assert find_provider(client)["is_locked"]
        told = client.post("/api/search", json={"message": "How high?", "chatModel": "gateway:llama3.2"})
        assert (told.status_code, told.json()["error"]["reason"]) == (400, "key_locked")
        assert ask(client) == "extractive"
        assert save(client, gateway).status_code == 200
        assert not find_provider(client)["is_locked"]
        assert ask(client, chatModel="gateway:llama3.2") == "gateway:llama3.2"


def test_a_setting_of_the_settings_file_cannot_be_changed_on_the_page(tmp_path: Path, gateway: ModelServer) -> None:
    mine = {"gateway": {"url": gateway.url, "key": KEY}}
    with opened(tmp_path, providers=mine, models={"chat": "gateway:llama3.2"}) as client:
        assert find_provider(client)["set_in"] == "file"
        refused = save(client, gateway)
        assert (refused.status_code, refused.json()["error"]["reason"]) == (400, "set_in_file")
        assert client.get("/api/models/setup").json()["chat"]["set_in"] == "file"
        client.put("/api/models/roles", json={"chat": "extractive"})  # the choice of the page wins
        assert ask(client) == "extractive"
        client.put("/api/models/roles", json={"chat": ""})
        assert ask(client) == "gateway:llama3.2"


def test_a_new_key_is_used_by_the_next_question(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        assert ask(client, chatModel="gateway:llama3.2") == "gateway:llama3.2"
        gateway.key = "sk-the-next-one"
        assert save(client, gateway, key=gateway.key).status_code == 200
        gateway.wire.asked.clear()
        ask(client, chatModel="gateway:llama3.2")
        assert {each.headers["authorization"] for each in gateway.wire.asked} == {f"Bearer {gateway.key}"}


def test_a_stored_key_stays_at_its_address(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client, run_model_server() as other:
        save(client, gateway)
        assert client.put("/api/models/providers/gateway", json={"url": gateway.url}).status_code == 200
        moved = client.put("/api/models/providers/gateway", json={"url": other.url})
        assert (moved.status_code, moved.json()["error"]["reason"]) == (400, "key_again")
        assert other.wire.asked == []


def test_a_key_is_not_sent_over_plain_http_to_the_internet_without_saying_so(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        body = {"url": "http://models.example.org/v1", "key": KEY}
        refused = client.put("/api/models/providers/far", json=body)
        assert (refused.status_code, refused.json()["error"]["reason"]) == (400, "plain_http")
        allowed = client.put("/api/models/providers/far", json={**body, "plain": True})
        assert allowed.json()["error"]["reason"] != "plain_http"


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("A B", {"key": KEY}, "provider_name"),
        ("extractive", {"key": KEY}, "provider_name"),
        ("own", {"url": "ftp://localhost/v1"}, "model_address"),
        ("own", {"url": "http://"}, "model_address"),
        ("own", {"url": "http://ada:secret@localhost/v1"}, "model_address"),
        ("own", {"url": "http://localhost/v1?key=1"}, "model_address"),
        ("own", {"url": "http://localhost:99999/v1"}, "model_address"),
        ("own", {"url": "http://localhost/v1", "key": "clé d’accès"}, "model_key"),
    ],
)
def test_an_unknown_provider_is_refused_before_anything_is_sent(
    tmp_path: Path, name: str, body: dict[str, str], reason: str
) -> None:
    with opened(tmp_path) as client:
        refused = client.put(f"/api/models/providers/{name}", json=body)
    assert (refused.status_code, refused.json()["error"]["reason"]) == (400, reason)


def test_a_trial_says_what_a_model_can_do_and_answers_follow_it(tmp_path: Path) -> None:
    with run_model_server(calls_tools=False) as server, opened(tmp_path) as client:
        assert client.put("/api/models/providers/gateway", json={"url": server.url}).status_code == 200
        client.post("/api/models/added", json={"model": "gateway:llama3.2"})
        outcomes = {}
        for check in ("streaming", "tools", "judge"):
            tried = client.post("/api/models/try", json={"model": "gateway:llama3.2", "check": check})
            assert tried.status_code == 200, tried.text
            outcomes[check] = (tried.json()["outcome"], tried.json()["right"])
        assert outcomes == {"streaming": ("works", 0), "tools": ("missing", 0), "judge": ("works", 6)}
        (shown,) = client.get("/api/models/setup").json()["models"]
        assert (shown["streams"], shown["tools"], shown["judges"]) == (True, False, True)
        server.wire.asked.clear()
        ask(client, chatModel="gateway:llama3.2")
        assert not any(each.body and each.body.get("tools") for each in server.wire.asked)  # Pincite searches first
        server.calls_tools = True
        tried = client.post("/api/models/try", json={"model": "gateway:llama3.2", "check": "tools"})
        assert tried.json()["outcome"] == "works"
        server.wire.asked.clear()
        ask(client, chatModel="gateway:llama3.2")
        assert any(each.body and each.body.get("tools") for each in server.wire.asked)


def test_a_model_that_cannot_be_asked_is_told_and_nothing_is_claimed_about_it(tmp_path: Path) -> None:
    with opened(tmp_path, providers={"gone": {"url": "http://127.0.0.1:9/v1"}}, models={"retries": 0}) as client:
        client.post("/api/models/added", json={"model": "gone:m"})
        for check in ("streaming", "tools"):
            tried = client.post("/api/models/try", json={"model": "gone:m", "check": check}).json()
            assert tried["outcome"] == "failed"
            assert tried["hint"]
            assert (tried["error"]["code"], tried["error"]["reason"]) == ("model", "unreachable")
            assert tried["error"]["params"]["model"] == "gone:m"
        (shown,) = client.get("/api/models/setup").json()["models"]
        assert (shown["streams"], shown["tools"]) == (None, None)


def test_a_refused_key_is_not_taken_for_a_model_without_tools(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        client.post("/api/models/added", json={"model": "gateway:llama3.2"})
        gateway.key = "sk-the-next-one"
        tried = client.post("/api/models/try", json={"model": "gateway:llama3.2", "check": "tools"}).json()
        assert tried["outcome"] == "failed"
        assert (tried["error"]["reason"], tried["error"]["params"]["status"]) == ("refused", 401)
        (shown,) = client.get("/api/models/setup").json()["models"]
        assert shown["tools"] is None


def test_a_server_that_was_given_by_its_address_is_named_by_it(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        client.post("/api/models/added", json={"model": "gateway:llama3.2"})
        named = {each["name"]: each["provider"] for each in client.get("/api/models/choices").json()["models"]}
        assert named["gateway:llama3.2"] == find_provider(client)["title"] == f"127.0.0.1:{gateway.wire.port}"


def test_members_of_a_team_choose_among_the_models_that_an_owner_added(tmp_path: Path, gateway: ModelServer) -> None:
    settings = load_settings(data=tmp_path, embedding={"provider": "none"})
    with open_team_client(settings) as team:
        body = {"url": gateway.url, "key": KEY}
        assert team.put(team.member, "/api/models/providers/gateway", json=body).status_code == 403
        assert team.put(team.owner, "/api/models/providers/gateway", json=body).status_code == 200
        asked = {"message": "How high?", "chatModel": "gateway:llama3.2"}
        assert team.post(team.member, "/api/search", json=asked).status_code == 403
        added = team.post(team.owner, "/api/models/added", json={"model": "gateway:llama3.2"})
        assert added.status_code == 201
        assert team.post(team.member, "/api/search", json=asked).status_code == 200
        offered = team.get(team.member, "/api/models/choices").json()["models"]
        assert "gateway:llama3.2" in [each["name"] for each in offered]
        assert team.get(team.member, "/api/models/setup").status_code == 403
        entries = [each["action"] for each in team.get(team.owner, "/api/audit").json()["entries"]]
        assert {"models.provider", "models.add"} <= set(entries)


def test_models_that_stream_or_judge_badly_are_named_so(tmp_path: Path) -> None:
    with run_model_server(streams=False, judges=False) as server, opened(tmp_path) as client:
        client.put("/api/models/providers/gateway", json={"url": server.url})
        tried = [
            client.post("/api/models/try", json={"model": "gateway:llama3.2", "check": check}).json()["outcome"]
            for check in ("streaming", "judge")
        ]
    assert tried == ["missing", "missing"]


def test_a_local_server_is_found_and_used_without_a_key(tmp_path: Path) -> None:
    with run_model_server() as server, opened(tmp_path, providers={"ollama": {"url": server.url}}) as client:
        (found,) = [each for each in client.get("/api/models/local").json() if each["provider"] == "ollama"]
        assert (found["title"], found["models"]) == ("Ollama", ["ollama:llama3.2"])
        client.put("/api/models/roles", json={"chat": found["models"][0]})
        assert ask(client) == "ollama:llama3.2"


def test_the_judge_can_be_chosen_too(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        client.put("/api/models/roles", json={"chat": "gateway:llama3.2", "judge": "gateway:judge"})
        assert client.get("/api/judge").json()["model"] == "gateway:judge"
        client.put("/api/models/roles", json={"judge": "off"})
        assert client.get("/api/judge").json()["model"] == ""
        refused = client.put("/api/models/roles", json={"chat": "extractive", "judge": "nobody:judge"})
        assert refused.status_code == 400
        assert client.get("/api/models/setup").json()["chat"]["model"] == "gateway:llama3.2"  # all or nothing


def test_a_removed_provider_takes_its_key_its_models_and_their_roles_with_it(
    tmp_path: Path, gateway: ModelServer
) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        client.put("/api/models/roles", json={"chat": "gateway:llama3.2"})
        assert client.delete("/api/models/providers/gateway").status_code == 204
        assert ask(client) == "extractive"
        state = client.get("/api/models/setup").json()
        assert state["models"] == []
        assert "gateway" not in [each["name"] for each in state["providers"]]
        assert client.delete("/api/models/providers/gateway").status_code == 404


def test_a_model_that_is_removed_is_no_longer_offered(tmp_path: Path, gateway: ModelServer) -> None:
    with opened(tmp_path) as client:
        save(client, gateway)
        client.put("/api/models/roles", json={"chat": "gateway:llama3.2"})
        removed = client.delete("/api/models/added", params={"model": "gateway:llama3.2"})
        assert removed.status_code == 204
        assert [each["name"] for each in client.get("/api/models/choices").json()["models"]] == ["extractive"]
        assert client.delete("/api/models/added", params={"model": "gateway:llama3.2"}).status_code == 404
