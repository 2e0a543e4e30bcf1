"""Servers of models on this machine are found by themselves; nobody else is asked."""

import asyncio
from typing import Any

import httpx2
import pytest
from tests import wires
from tests.clock import PATIENCE
from tests.llm.speaking_server import run_model_server

from pincite.llm.local_servers import LocalServer, find_local_servers
from pincite.settings import Settings, load_settings

NOWHERE = "http://127.0.0.1:9/v1"


def at(**urls: str) -> Settings:
    """Settings in which the usual servers are at these addresses, and otherwise nowhere."""
    places = {name: {"url": urls.get(name, NOWHERE)} for name in ("ollama", "lmstudio", "llamacpp", "vllm")}
    return load_settings(providers=places)


def test_a_running_server_is_found_with_the_models_that_write() -> None:
    with run_model_server() as ollama, run_model_server(models=()) as vllm:
        found = asyncio.run(find_local_servers(at(ollama=ollama.url, vllm=vllm.url), {}))
    assert found == [
        LocalServer("ollama", "Ollama", ollama.url, ("llama3.2",)),
        LocalServer("vllm", "vLLM", vllm.url, ()),
    ]


def test_without_variables_the_usual_ports_of_this_machine_are_asked() -> None:
    # Only these can be found, not other servers on the machine of the tests.
    found = asyncio.run(find_local_servers(load_settings(), {}))
    assert {each.provider for each in found} <= {"ollama", "lmstudio", "llamacpp", "vllm"}


def test_all_ports_are_asked_by_one_client_which_reads_the_certificates_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class CountedClient(httpx2.AsyncClient):
        def __init__(self, **given: Any) -> None:
            made.append(self)
            super().__init__(**given)

    monkeypatch.setattr(httpx2, "AsyncClient", CountedClient)
    asyncio.run(find_local_servers(at(), {}))
    assert len(made) == 1


def test_a_server_that_is_not_on_this_machine_is_not_asked() -> None:
    with run_model_server() as server:
        elsewhere = server.url.replace("127.0.0.1", "127.0.0.1.nip.example")
        assert asyncio.run(find_local_servers(at(ollama=elsewhere), {})) == []
        assert server.wire.asked == []


def test_pincite_does_not_take_itself_for_a_server_of_models() -> None:
    with run_model_server() as server:
        assert asyncio.run(find_local_servers(at(vllm=server.url), {}, {server.wire.port})) == []


def test_another_program_at_a_usual_port_is_not_offered() -> None:
    for answer in (wires.reply(200, {"hello": 1}), wires.reply(200, ["m"]), wires.reply(404, {}), wires.drop):
        with wires.serving(answer) as other:
            assert asyncio.run(find_local_servers(at(llamacpp=f"{other.url}/v1"), {})) == []


def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    with wires.serving() as silent:
        silent.answers.append(wires.silence(silent))
        found = find_local_servers(at(ollama=f"{silent.url}/v1"), {})
        assert asyncio.run(asyncio.wait_for(found, PATIENCE)) == []
