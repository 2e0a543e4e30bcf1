"""Names of other programs' settings that are read beside our own, so that their `.env` works here.

They belong to a French RAG set-up with two providers: `mistral` calls tools, `chocolatine` is given what was found.
A name of ours always wins over these. Other programs use some of these names too, with values of their own: such a
value is ignored with a warning and stops no command.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

log = logging.getLogger(__name__)

_MISTRAL = "mistral-small-latest"
_CHOCOLATINE = "jpacifico/Chocolatine-2-14B-Instruct-v2.0.3"
_EMBEDDER = "multilingual-e5-large"
_TRUE, _FALSE = frozenset({"true", "1", "yes", "on"}), frozenset({"false", "0", "no", "off", ""})
# Those that mean one setting and nothing else.
_PLAIN = {
    "MISTRAL_API_KEY": ("providers", "mistral", "key"),
    "MISTRAL_TIMEOUT": ("providers", "mistral", "timeout"),
    "CHOCOLATINE_API_URL": ("providers", "chocolatine", "url"),
    "CHOCOLATINE_API_KEY": ("providers", "chocolatine", "key"),
    "EMBEDDING_DIMENSION": ("embedding", "dimension"),
    "RERANKER_MODEL": ("rerank", "model"),
    "RERANKER_TOP_K": ("rerank", "top_k"),
    "RERANKER_RETURN_K": ("rerank", "return_k"),
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
    """A setting that a name of another program gives: which one, its value, and the name."""

    path: tuple[str, ...]
    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name of another program with a value that means nothing here: the setting it would give, and the reason."""

    path: tuple[str, ...]
    reason: str
    name: str


@cache
def warn_ignored(name: str, reason: str) -> None:
    """Warn that a variable of another program is ignored, once for each reason."""
    log.warning("%s is ignored: %s", name, reason)


def read_aliases(variables: Mapping[str, str], ignored: frozenset[str] = frozenset()) -> Iterator[Alias | Unknown]:
    """Settings from the other names among some variables; an empty or ignored variable counts as not set."""
    given = {name: variables[name].strip() for name in NAMES if variables.get(name, "").strip() and name not in ignored}
    yield from _read_provider(given)
    yield from _read_embeddings(given)
    yield from _read_reranker(given)
    yield from _read_database(given)
    for name, path in _PLAIN.items():
        is_used = name != "EMBEDDING_DIMENSION" or "EMBEDDINGS_API_URL" in given
        if name in given and is_used:
            yield Alias(path, given[name], name)


def _read_provider(given: Mapping[str, str]) -> Iterator[Alias | Unknown]:
    """The model that answers: with tools for `mistral`, without for `chocolatine`."""
    match given.get("RAG_PROVIDER", "").lower():
        case "":
            return
        case "mistral":
            model = f"mistral:{given.get('MISTRAL_MODEL_NAME', _MISTRAL)}"
        case "chocolatine":
            model = f"chocolatine:{given.get('CHOCOLATINE_MODEL_NAME', _CHOCOLATINE)}"
        case other:
            reason = f"{other!r} is neither mistral nor chocolatine. PINCITE_MODELS__CHAT=provider:model names a model."
            yield Unknown(("models", "chat"), reason, "RAG_PROVIDER")
            return
    yield Alias(("models", "chat"), model, "RAG_PROVIDER")


def _read_embeddings(given: Mapping[str, str]) -> Iterator[Alias]:
    """An endpoint for vectors: OpenAI's API where the address ends in /v1, else that of text-embeddings-inference."""
    name = "EMBEDDINGS_API_URL"
    if url := given.get(name):
        yield Alias(("embedding", "provider"), "openai" if url.rstrip("/").endswith("/v1") else "tei", name)
        yield Alias(("embedding", "url"), url, name)
        yield Alias(("embedding", "model"), _EMBEDDER, name)


def _read_reranker(given: Mapping[str, str]) -> Iterator[Alias | Unknown]:
    """A reranker is used where it is switched on, as there."""
    enabled = given.get("RERANKER_ENABLED", "").lower()
    if enabled not in _TRUE | _FALSE:
        reason = f"{enabled!r} is neither true nor false. PINCITE_RERANK__URL names a reranker."
        yield Unknown(("rerank", "url"), reason, "RERANKER_ENABLED")
    if enabled in _TRUE and (url := given.get("RERANKER_API_URL")):
        yield Alias(("rerank", "url"), url, "RERANKER_API_URL")


def _read_database(given: Mapping[str, str]) -> Iterator[Alias]:
    """The database, where the rest of that set-up is there too: many other programs have a DATABASE_URL."""
    if "RAG_PROVIDER" not in given:
        return
    url = given.get("DATABASE_URL", "")
    if url.startswith("sqlite:"):
        yield Alias(("database",), url, "DATABASE_URL")
    elif url or "POSTGRES_HOST" in given:
        name = "DATABASE_URL" if url else "POSTGRES_HOST"
        warn_ignored(name, "it names no SQLite file, and PostgreSQL cannot be used yet.")
