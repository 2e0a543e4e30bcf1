"""List the models of a provider with one short request."""

import re
from typing import Any

import anyio
import httpx2

from pincite.errors import ModelError
from pincite.llm import model_errors
from pincite.llm.providers import Provider

_PATIENCE = 4.0
_MOST = 300
# Listed models that do not write answers.
_NOT_WRITERS = re.compile(
    r"embed|whisper|tts|dall-e|moderation|-image|image-|imagen|veo-|realtime|transcribe|rerank|guard|sora|lyria|-ocr|aqa"
)


async def list_models(provider: Provider) -> list[str]:
    """Return the names of the models that a provider offers; raise `ModelError` when it cannot be asked."""
    url, headers = _make_request(provider)
    try:
        # A client's own time-out restarts with every byte.
        with anyio.fail_after(_PATIENCE):
            async with httpx2.AsyncClient(timeout=_PATIENCE, headers=headers) as client:
                response = await client.get(url)
    except (TimeoutError, httpx2.ReadTimeout):
        raise ModelError(
            f"The provider {provider.name} did not list its models within {_PATIENCE:g} seconds.",
            "Ask again in a moment.",
            reason="late",
            params={"model": provider.name},
        ) from None
    except (httpx2.HTTPError, httpx2.InvalidURL):
        raise model_errors.make_unreachable_error(provider) from None
    if response.status_code in (404, 405):
        return []  # the server is there and has no list
    if not response.is_success:
        raise model_errors.explain_status(
            response.status_code, model_errors.redact_reply(_read_error(response), provider), provider
        )
    return sorted(name for name in _read_names(response) if is_writer(name))[:_MOST]


def is_writer(name: str) -> bool:
    """Return whether a listed model may write answers, by its name."""
    return not _NOT_WRITERS.search(name.lower())


def _make_request(provider: Provider) -> tuple[str, dict[str, str]]:
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


def _read_names(response: httpx2.Response) -> list[str]:
    try:
        answer: Any = response.json()
    except ValueError:
        return []
    rows = answer.get("data") or answer.get("models") or [] if isinstance(answer, dict) else answer
    found = (
        [row.get("id") or row.get("name") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    )
    return [name.removeprefix("models/") for name in found if isinstance(name, str)]


def _read_error(response: httpx2.Response) -> str:
    try:
        return model_errors.find_error_words(response.json())
    except ValueError:
        return ""
