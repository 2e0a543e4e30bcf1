"""Which models a provider has: one short request to its list, without asking any of them."""

import re
from typing import Any

import anyio
import httpx2

from pincite.agent import faults
from pincite.agent.providers import Provider
from pincite.errors import ModelError

_PATIENCE = 4.0
_MOST = 300
# These stand in the lists and do not write answers.
_NOT_WRITERS = re.compile(
    r"embed|whisper|tts|dall-e|moderation|-image|image-|imagen|veo-|realtime|transcribe|rerank|guard|sora|lyria|-ocr|aqa"
)


async def models(provider: Provider) -> list[str]:
    """The names of the models that a provider offers, or a `ModelError` that says why they cannot be had."""
    url, headers = _request(provider)
    try:
        # A client's own time-out begins anew with every byte.
        with anyio.fail_after(_PATIENCE):
            async with httpx2.AsyncClient(timeout=_PATIENCE, headers=headers) as client:
                response = await client.get(url)
    except (TimeoutError, httpx2.ReadTimeout):
        raise ModelError(
            f"The provider {provider.name} did not list its models within {_PATIENCE:g} seconds.",
            "Ask again in a moment.",
        ) from None
    except (httpx2.HTTPError, httpx2.InvalidURL):
        raise faults.unreachable(provider) from None
    if response.status_code in (404, 405):
        return []  # it is there, and keeps no list
    if not response.is_success:
        raise faults.refused(response.status_code, faults.clean(_words(response), provider), provider)
    return sorted(name for name in _names(response) if not _NOT_WRITERS.search(name.lower()))[:_MOST]


def _request(provider: Provider) -> tuple[str, dict[str, str]]:
    key = provider.key
    match provider.kind:
        case "anthropic":
            bearer = {"Authorization": f"Bearer {key}", "anthropic-version": "2026-10-21"}
            return f"{provider.url}/v1/models?limit=100", bearer
        case "google":
            return f"{provider.url}/v1/models?pageSize=200", {"x-goog-api-key": key}
        case "groq":
            path = "/openai/v1/models"
        case "mistral":
            path = "/v1/models"
        case _:
            path = "/models"
    return provider.url + path, {"Authorization": f"Bearer {key}"} if key else {}


def _names(response: httpx2.Response) -> list[str]:
    try:
        answer: Any = response.json()
    except ValueError:
        return []
    rows = answer.get("data") or answer.get("models") or [] if isinstance(answer, dict) else answer
    found = (
        [row.get("id") or row.get("name") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    )
    return [name.removeprefix("models/") for name in found if isinstance(name, str)]


def _words(response: httpx2.Response) -> str:
    try:
        return faults.words(response.json())
    except ValueError:
        return ""
