"""Find the model servers that run on this machine, at their usual ports."""

import asyncio
import ipaddress
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2

from pincite.errors import ModelError
from pincite.llm.list_models import is_writer
from pincite.llm.providers import find_provider
from pincite.settings import Settings

LOCAL_SERVERS = {"ollama": "Ollama", "lmstudio": "LM Studio", "llamacpp": "llama.cpp", "vllm": "vLLM"}
_PATIENCE = 1.5  # seconds; on the loopback, nobody is there or the answer comes at once
_MOST = 200
_LARGEST = 2_000_000  # bytes of a list


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server of models on this machine, and the models that it has."""

    provider: str
    title: str
    address: str
    models: tuple[str, ...]


async def find_local_servers(
    settings: Settings, environment: Mapping[str, str], own_ports: Collection[int] = ()
) -> list[LocalServer]:
    """Return the servers that answer now. All are asked at once, and only those on the loopback address.

    `own_ports` are the ports of Pincite itself, which may be the usual port of another server.
    """
    # One client for all: each reads the certificates of all authorities. A proxy of the environment is for the
    # internet, not for this machine.
    async with httpx2.AsyncClient(timeout=_PATIENCE, trust_env=False) as client:
        found = await asyncio.gather(*(_look(name, settings, environment, own_ports, client) for name in LOCAL_SERVERS))
    return [each for each in found if each]


async def _look(
    name: str,
    settings: Settings,
    environment: Mapping[str, str],
    own_ports: Collection[int],
    client: httpx2.AsyncClient,
) -> LocalServer | None:
    try:
        provider = find_provider(name, settings, environment)
    except ModelError:
        return None
    parts = urlsplit(provider.url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if port in own_ports or not is_loopback(parts.hostname or ""):
        return None
    headers = {"Authorization": f"Bearer {provider.key}"} if provider.key else {}
    try:
        with anyio.fail_after(_PATIENCE):
            async with client.stream("GET", f"{provider.url}/models", headers=headers) as response:
                models = _read_models(await _read_body(response)) if response.is_success else None
    except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL):
        return None
    return None if models is None else LocalServer(name, LOCAL_SERVERS[name], provider.address, models)


async def _read_body(response: httpx2.Response) -> bytes:
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > _LARGEST:
            return b""
    return body


def _read_models(body: bytes) -> tuple[str, ...] | None:
    """Return the models of a list in OpenAI's form; None if it is anything else: another program uses the port."""
    try:
        answer: Any = json.loads(body)
    except ValueError:
        return None
    rows = answer.get("data") if isinstance(answer, dict) and "data" in answer else None
    if isinstance(answer, dict) and answer.get("object") == "list" and rows is None:
        return ()  # Ollama without any model
    if not isinstance(rows, list):
        return None
    names = [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]
    return tuple(sorted(name for name in names if is_writer(name))[:_MOST])


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
