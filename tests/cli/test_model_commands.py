"""`pincite models`: the same as the settings of the page, at the terminal."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.evaluate import sets
from tests.llm.speaking_server import ModelServer, run_model_server

JUDGE = "gateway:llama3.2"
KEY = "sk-never-to-be-seen"


@pytest.fixture
def gateway() -> Iterator[ModelServer]:
    with run_model_server(key=KEY) as server:
        yield server


def test_a_provider_is_added_with_a_key_from_stdin_and_its_model_is_chosen(
    pincite: Callable[..., Ran], gateway: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    added = pincite("models", "add", "gateway", "--url", gateway.url, "--key-stdin")
    assert (added.status, added.out) == (0, "gateway:llama3.2\n")
    assert pincite("models", "use", "gateway:llama3.2").status == 0
    listed = pincite("models", "list", "--json")
    assert listed.json["roles"] == {
        "chat": "gateway:llama3.2",
        "system": "gateway:llama3.2",
        "judge": "gateway:llama3.2",
    }
    (provider,) = listed.json["providers"]
    assert (provider["name"], provider["has_key"], provider["set_in"]) == ("gateway", True, "page")
    tried = pincite("models", "try", "gateway:llama3.2")
    assert tried.status == 0
    assert "Answers appear while they are written." in tried.out
    assert "It searches by itself" in tried.out
    (tmp_path / "dam.md").write_text("The dam is 98 metres high.\n")
    pincite("add", tmp_path / "dam.md")
    assert pincite("ask", "How high is the dam?", "--json").lines[-1]["model"] == "gateway:llama3.2"
    said = [added, listed, tried, pincite("models", "list")]
    assert not any(KEY in ran.out + ran.said for ran in said)
    assert pincite("models", "remove", "gateway").status == 0
    assert pincite("models", "list", "--json").json["roles"]["chat"] == "extractive"


def test_a_judge_with_a_key_of_the_page_is_measured(
    pincite: Callable[..., Ran], gateway: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    pincite("models", "add", "gateway", "--url", gateway.url, "--key-stdin")
    before = len(gateway.wire.asked)
    experts = pincite("evaluate", "attribution", sets.attribution(tmp_path / "a"), "--judge", JUDGE, "--json")
    assert (experts.status, experts.json["judge"]) == (0, JUDGE), experts.said
    line = {"claim": "The dam looks tall.", "cited": ["It is 98 m high."], "label": "supported", "kind": "x"}
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "labelled.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    labelled = pincite("evaluate", "verdicts", tmp_path / "set", "--judge", JUDGE, "--json")
    assert labelled.status == 0, labelled.said
    assert len(gateway.wire.asked) > before
    refused = pincite("evaluate", "verdicts", tmp_path / "set", "--judge", "nowhere:model")
    assert refused.status != 0


def test_a_wrong_key_is_told_and_not_stored(
    pincite: Callable[..., Ran], gateway: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("sk-wrong\n"))
    ran = pincite("models", "add", "gateway", "--url", gateway.url, "--key-stdin")
    assert ran.status != 0
    assert "does not accept the key" in ran.said
    assert pincite("models", "list", "--json").json["providers"] == []


def test_a_key_is_never_an_argument(pincite: Callable[..., Ran]) -> None:
    assert pincite("models", "add", "openai", "--key", KEY).status == 2


def test_servers_of_this_machine_are_found(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    with run_model_server() as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
        found = [each for each in pincite("models", "find", "--json").json if each["provider"] == "ollama"]
        assert found == [
            {"provider": "ollama", "title": "Ollama", "address": server.url, "models": ["ollama:llama3.2"]}
        ]
        assert "ollama:llama3.2" in pincite("models", "find").out
        assert pincite("models", "use", "ollama:llama3.2", "--role", "judge").status == 0
    assert pincite("models", "list", "--json").json["roles"]["judge"] == "ollama:llama3.2"


def test_a_trial_that_fails_says_why(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_PROVIDERS__GONE__URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PINCITE_MODELS__RETRIES", "0")
    ran = pincite("models", "try", "gone:m", "--json")
    assert ran.status == 1
    (result,) = ran.json
    assert result["outcome"] == "failed"
    assert result["hint"]


def test_a_backup_says_that_the_key_file_is_not_in_it(
    pincite: Callable[..., Ran], gateway: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "model-keys.key" not in pincite("backup", tmp_path / "before.zip").said
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    pincite("models", "add", "gateway", "--url", gateway.url, "--key-stdin")
    assert "model-keys.key" in pincite("backup", tmp_path / "after.zip").said
    (tmp_path / "data" / "model-keys.key").unlink()  # as on another machine
    assert pincite("restore", tmp_path / "after.zip", "--replace").status == 0
    (provider,) = pincite("models", "list", "--json").json["providers"]
    assert provider["is_locked"]
    asked = pincite("ask", "How high?", "--model", "gateway:llama3.2")
    assert "cannot be decrypted" in asked.said
    assert "Paste the key again" in asked.said
