"""Read the settings of another program beside our own, so that its `.env` works here.

They belong to a French RAG set-up with two providers: `mistral` calls tools, `chocolatine` gets the search results. Our
own names always win over these. Other programs use some of these names with values of their own: such a value is
ignored with a warning and stops no command.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

log = logging.getLogger(__name__)

_MISTRAL = "mistral-small-latest"
_CHOCOLATINE = "jpacifico/Chocolatine-2-14B-Instruct-v2.0.3"
_EMBEDDER = "multilingual-e5-large"
_TRUE, _FALSE = frozenset({"true", "1", "yes", "on"}), frozenset({"false", "0", "no", "off", ""})
# Names that mean exactly one setting.
_PLAIN = {
    "MISTRAL_API_KEY": ("providers", "mistral", "key"),
    "MISTRAL_TIMEOUT": ("providers", "mistral", "timeout"),
    "CHOCOLATINE_API_URL": ("providers", "chocolatine", "url"),
    "CHOCOLATINE_API_KEY": ("providers", "chocolatine", "key"),
    "EMBEDDING_DIMENSION": ("embedding", "dimension"),
    "RERANKER_MODEL": ("rerank", "model"),
    "RERANKER_TOP_K": ("rerank", "top_k"),
    "RERANKER_RETURN_K": ("rerank", "return_k"),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("telemetry", "traces"),  # OpenTelemetry's own name
}
NAMES = (
    "RAG_PROVIDER",
    "MISTRAL_MODEL_NAME",
    "CHOCOLATINE_MODEL_NAME",
    "EMBEDDINGS_API_URL",
    "RERANKER_ENABLED",
    "RERANKER_API_URL",
    "DATABASE_URL",
    "POSTGRES_HOST",
    *_PLAIN,
)


@dataclass(frozen=True, slots=True)
class Alias:
    """A setting given by a name of another program: its path, its value, and the name."""

    path: tuple[str, ...]
    value: str
    name: str


@dataclass(frozen=True, slots=True)
class UnusableAlias:
    """A name of another program with an invalid value: the setting it would give, and the reason."""

    path: tuple[str, ...]
    reason: str
    name: str


@cache
def warn_ignored(name: str, reason: str) -> None:
    """Warn that a variable of another program is ignored, once for each reason."""
    log.warning("%s is ignored: %s", name, reason)


def read_aliases(
    variables: Mapping[str, str], ignored: frozenset[str] = frozenset()
) -> Iterator[Alias | UnusableAlias]:
    """Yield settings from the other program's names among some variables.

    An empty or ignored variable counts as unset.
    """
    given = {name: variables[name].strip() for name in NAMES if variables.get(name, "").strip() and name not in ignored}
    yield from _read_provider(given)
    yield from _read_embeddings(given)
    yield from _read_reranker(given)
    yield from _read_database(given)
    for name, path in _PLAIN.items():
        if name in given and _is_used(name, given):
            yield Alias(path, given[name], name)


def _is_used(name: str, given: Mapping[str, str]) -> bool:
    match name:
        case "EMBEDDING_DIMENSION":
            return "EMBEDDINGS_API_URL" in given
        case "OTEL_EXPORTER_OTLP_ENDPOINT":
            # It may be set for all programs of a machine: without the package it must not keep a server from starting.
            return bool(find_spec("opentelemetry") and find_spec("opentelemetry.sdk"))
        case _:
            return True


def _read_provider(given: Mapping[str, str]) -> Iterator[Alias | UnusableAlias]:
    """Read the model that answers: with tools for `mistral`, without for `chocolatine`."""
    match given.get("RAG_PROVIDER", "").lower():
        case "":
            return
        case "mistral":
            model = f"mistral:{given.get('MISTRAL_MODEL_NAME', _MISTRAL)}"
        case "chocolatine":
            model = f"chocolatine:{given.get('CHOCOLATINE_MODEL_NAME', _CHOCOLATINE)}"
        case other:
            reason = f"{other!r} is neither mistral nor chocolatine. PINCITE_MODELS__CHAT=provider:model names a model."
            yield UnusableAlias(("models", "chat"), reason, "RAG_PROVIDER")
            return
    yield Alias(("models", "chat"), model, "RAG_PROVIDER")


def _read_embeddings(given: Mapping[str, str]) -> Iterator[Alias]:
    """Read an endpoint for vectors: OpenAI's API if the address ends in /v1, else text-embeddings-inference."""
    name = "EMBEDDINGS_API_URL"
    if url := given.get(name):
        yield Alias(("embedding", "provider"), "openai" if url.rstrip("/").endswith("/v1") else "tei", name)
        yield Alias(("embedding", "url"), url, name)
        yield Alias(("embedding", "model"), _EMBEDDER, name)


def _read_reranker(given: Mapping[str, str]) -> Iterator[Alias | UnusableAlias]:
    """Read the reranker, which is used only if it is switched on."""
    enabled = given.get("RERANKER_ENABLED", "").lower()
    if enabled not in _TRUE | _FALSE:
        reason = f"{enabled!r} is neither true nor false. PINCITE_RERANK__URL names a reranker."
        yield UnusableAlias(("rerank", "url"), reason, "RERANKER_ENABLED")
    if enabled in _TRUE and (url := given.get("RERANKER_API_URL")):
        yield Alias(("rerank", "url"), url, "RERANKER_API_URL")


def _read_database(given: Mapping[str, str]) -> Iterator[Alias]:
    """Read the database, but only with the rest of that set-up: many other programs have a DATABASE_URL."""
    if "RAG_PROVIDER" not in given:
        return
    url = given.get("DATABASE_URL", "")
    if url.startswith(("sqlite:", "postgresql:", "postgres:", "postgresql+")):
        yield Alias(("database",), url, "DATABASE_URL")
    elif url:
        warn_ignored("DATABASE_URL", "it is the address of neither SQLite nor PostgreSQL.")
    elif "POSTGRES_HOST" in given:
        warn_ignored(
            "POSTGRES_HOST", "give the whole address as PINCITE_DATABASE=postgresql://user:password@host/name."
        )
