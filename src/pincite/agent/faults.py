"""What went wrong with a model, in words for the person who asked, and what to do. No key is ever in them."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pincite.agent.providers import Provider
from pincite.errors import LimitReached, ModelError, ModelFailure, PinciteError

if TYPE_CHECKING:
    from pydantic_ai.exceptions import UsageLimitExceeded

_SHOWN = 240
_LIKE_A_KEY = re.compile(
    r"(?i)(?:bearer\s+|api[-_ ]?key\s*[=:]\s*)[^\s'\",}]+|\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}"
    r"|\b[\w-]{40,}\b"
)
_AGAIN = "Ask again in a moment, or choose another model."


def explained(error: Exception, provider: Provider | None = None, model: str = "", begun: bool = False) -> PinciteError:
    """An error of the agent framework in, one of ours out; ours come out as they are. `begun`: in mid-answer."""
    from pydantic_ai import exceptions as framework

    model = model or getattr(error, "model_name", "")
    match error:
        case PinciteError():
            return error
        case framework.UsageLimitExceeded():
            return _over(error)
        case framework.ModelRequestTimeout() | framework.RunTimedOut():
            return LimitReached(
                f"An answer of {_who(provider, model)} did not finish in time.",
                "Ask for less at once, or make models.deadline longer.",
                "late",
            )
        case framework.ModelTimeoutError() if begun:
            return _silent(provider, model)
        case framework.ModelConnectionError() if begun:
            return broken(provider, model)
        case framework.ModelTimeoutError(phase="connect") | framework.ModelTimeoutError(phase="pool"):
            return unreachable(provider, model)
        case framework.ModelTimeoutError():
            return late(provider, model)
        case framework.ModelConnectionError():
            return unreachable(provider, model)
        case framework.ModelContextWindowExceededError():
            return _error(
                f"The question with its sources is too long for {_who(provider, model)}.",
                "Choose a model with a larger context, or give its server a larger one.",
                "limit",
            )
        case framework.ModelHTTPError():
            said = clean(words(error.body), provider)
            if isinstance(error, framework.ModelQuotaExceededError):
                return _error(
                    f"The account at {_at(provider)} has nothing left to spend.",
                    "Top it up, or choose another model.",
                    "refused",
                )
            return refused(error.status_code, said, provider, model, error.suggested_model_id, error.retry_after)
        case framework.ContentFilterError():
            return _error(
                f"{_who(provider, model)} will not answer this.", "Ask in other words, or another model.", "declined"
            )
        case framework.IncompleteToolCall():
            return _too_short(provider, model)
        case framework.UnexpectedModelBehavior() if error.message.startswith("Model token limit"):
            return _too_short(provider, model)
        case framework.UnexpectedModelBehavior() if "output retries" in error.message:
            return _error(f"{_who(provider, model)} wrote nothing.", _AGAIN, "empty")
        case framework.AgentRunError():
            return _error(f"{_who(provider, model)} failed: {clean(error.message, provider)}", _AGAIN)
        case _:
            said = clean(str(error), provider)
            return _error(
                f"{_who(provider, model)} failed: {type(error).__name__}" + (f": {said}" if said else "."), _AGAIN
            )


def refused(
    status: int,
    said: str,
    provider: Provider | None = None,
    model: str = "",
    suggestion: str | None = None,
    wait: float | None = None,
) -> ModelError:
    """What an HTTP status of a provider means for the person who asked; `said` is shown where it cannot hold a key."""
    quoted = f": {said}" if said else "."
    match status:
        case 401 | 403:
            key = provider.where_the_key_stands if provider else "its key"
            return _error(
                f"{_at(provider)} does not accept the key ({status}).", f"Check {key}; has it expired?", "refused"
            )
        case 404:
            guess = f"Did you mean `{suggestion}`? " if suggestion else ""
            hint = f"{guess}Check the model's name"
            if provider and provider.kind == "ollama":
                hint += f", fetch it with `ollama pull {model}`"
            return _error(
                f"{_at(provider)} does not have the model `{model}`{quoted}",
                f"{hint}, and providers.{provider.name}.url." if provider else f"{hint}.",
                "refused",
            )
        case 408 | 504:
            return late(provider, model)
        case 429:
            moment = f"in {wait:.0f} seconds" if wait else "in a moment"
            return _error(
                f"{_at(provider)} limits how much may be asked{quoted}",
                f"Ask again {moment}, or choose another model.",
                "refused",
            )
        case _ if status >= 500:
            return _error(f"{_at(provider)} is in trouble ({status}){quoted}", _AGAIN)
        case _ if "tool" in said.lower():
            return _error(
                f"{_who(provider, model)} refused the request ({status}){quoted}",
                f'If it cannot call tools, add "*{model}*" to models.without_tools.',
                "refused",
            )
        case _:
            return _error(
                f"{_who(provider, model)} refused the request ({status}){quoted}",
                "Check the model's name and its provider's documentation, or choose another model.",
                "refused",
            )


def unreachable(provider: Provider | None, model: str = "") -> ModelError:
    """Nobody is at the provider's address."""
    if provider is None:
        return _error(
            f"{_who(provider, model)} cannot be reached.", "Check the network, and the provider's url.", "unreachable"
        )
    setting = f"providers.{provider.name}.url"
    hint = (
        f"Is the server running at {provider.address}? Start it, or correct {setting}."
        if provider.local
        else f"Check the network, and {setting} if it is set."
    )
    return _error(f"{_at(provider)} cannot be reached at {provider.address}.", hint, "unreachable")


def late(provider: Provider | None, model: str = "") -> ModelError:
    """The provider is there and says nothing."""
    within = f" within {provider.timeout:g} seconds" if provider else " in time"
    setting = f"providers.{provider.name}.timeout" if provider else "models.timeout"
    return _error(f"{_who(provider, model)} did not answer{within}.", f"Ask again, or make {setting} longer.", "late")


def _silent(provider: Provider | None, model: str) -> ModelError:
    """It began to answer, and then said nothing for too long."""
    within = f" for {provider.timeout:g} seconds" if provider else " for too long"
    own = f" (or providers.{provider.name}.timeout)" if provider else ""
    return _error(
        f"{_who(provider, model)} said nothing{within} in the middle of its answer.",
        f"Ask again, or make models.timeout{own} longer.",
        "late",
    )


def broken(provider: Provider | None, model: str = "") -> ModelError:
    """The connection was lost while the model wrote."""
    return _error(f"{_who(provider, model)} broke off in the middle of its answer.", "Ask again.", "broken")


def empty(model: str = "") -> ModelError:
    """The model ended its answer and had written nothing."""
    return _error(f"{_who(None, model)} wrote nothing.", _AGAIN, "empty")


def _too_short(provider: Provider | None, model: str) -> ModelError:
    return _error(
        f"{_who(provider, model)} reached the limit of its answer before it wrote one.",
        "Make models.answer_tokens larger, or choose another model.",
        "length",
    )


def strange(provider: Provider, model: str) -> ModelError:
    """What came cannot be read as an answer of a model."""
    return _error(
        f"{_who(provider, model)} sent something that is no answer.",
        f"Is {provider.address} the address of an API of the kind `{provider.kind}`? See providers.{provider.name}.",
    )


def clean(said: str, provider: Provider | None = None) -> str:
    """What a provider said, short, on one line, and without anything that is or looks like a key."""
    if provider and provider.key:
        said = said.replace(provider.key, "***")
    said = " ".join(_LIKE_A_KEY.sub("***", said).split())
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"


def over_limit(limit: Literal["requests", "tool_calls", "tokens"]) -> LimitReached:
    """The question may cost no more of this."""
    what = {"requests": "requests to the model", "tool_calls": "tool calls", "tokens": "tokens"}[limit]
    return LimitReached(
        f"The question used up its {what}.",
        f"Ask for less at once, or raise models.{limit}; for a report, or a question in parts, research.{limit}.",
    )


def _over(error: "UsageLimitExceeded") -> LimitReached:
    said = error.message
    return over_limit(
        "tool_calls" if "tool_calls_limit" in said else "tokens" if "tokens_limit" in said else "requests"
    )


def _error(message: str, hint: str, failure: ModelFailure = "failed") -> ModelError:
    return ModelError(message[:1].upper() + message[1:], hint, failure)


def _who(provider: Provider | None, model: str) -> str:
    if provider:
        return f"the model {provider.name}:{model}" if model else f"the provider {provider.name}"
    return f"the model {model}" if model else "the model"


def _at(provider: Provider | None) -> str:
    return f"the provider {provider.name}" if provider else "the provider"


def words(body: object) -> str:
    """The words in a provider's error, wherever it puts them."""
    match body:
        case str():
            return body
        case Mapping():
            inner = body.get("error", body.get("message", body.get("detail", "")))
            return words(inner)
        case Sequence():
            return words(body[0]) if body else ""
        case _:
            return ""
