"""Explain a model's failure to the person who asked, with what to do. A message never contains a key."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pincite.errors import LimitReached, ModelError, ModelFailure, Params, PinciteError
from pincite.llm.providers import Provider

if TYPE_CHECKING:
    from pydantic_ai.exceptions import UsageLimitExceeded

_SHOWN = 240
_LIKE_A_KEY = re.compile(
    r"(?i)(?:bearer\s+|api[-_ ]?key\s*[=:]\s*)[^\s'\",}]+|\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.-]{6,}|\bAIza[\w-]{10,}"
    r"|\b[\w-]{40,}\b"
)
_AGAIN = "Ask again in a moment, or choose another model."


def explain_error(
    error: Exception, provider: Provider | None = None, model: str = "", begun: bool = False
) -> PinciteError:
    """Return the `PinciteError` for an error of the agent framework; `begun` says that text had already come."""
    from pydantic_ai import exceptions as framework

    model = model or getattr(error, "model_name", "")
    match error:
        case PinciteError():
            return error
        case framework.UsageLimitExceeded():
            return _explain_usage_limit(error)
        case framework.ModelRequestTimeout() | framework.RunTimedOut():
            return LimitReached(
                f"An answer of {_name_model(provider, model)} did not finish in time.",
                "Ask for less at once, or make models.deadline longer.",
                "seconds",
            )
        case framework.ModelTimeoutError() if begun:
            return _make_silence_error(provider, model)
        case framework.ModelConnectionError() if begun:
            return make_broken_error(provider, model)
        case framework.ModelTimeoutError(phase="connect") | framework.ModelTimeoutError(phase="pool"):
            return make_unreachable_error(provider, model)
        case framework.ModelTimeoutError():
            return make_late_error(provider, model)
        case framework.ModelConnectionError():
            return make_unreachable_error(provider, model)
        case framework.ModelContextWindowExceededError():
            return _make_error(
                f"The question with its sources is too long for {_name_model(provider, model)}.",
                "Choose a model with a larger context, or give its server a larger one.",
                "limit",
                params=_make_params(provider, model),
            )
        case framework.ModelHTTPError():
            said = redact_reply(find_error_words(error.body), provider)
            if isinstance(error, framework.ModelQuotaExceededError):
                return _make_error(
                    f"The account at {_name_provider(provider)} has nothing left to spend.",
                    "Top it up, or choose another model.",
                    "refused",
                    params=_make_params(provider, model, status=402),
                )
            return explain_status(error.status_code, said, provider, model, error.suggested_model_id, error.retry_after)
        case framework.ContentFilterError():
            return _make_error(
                f"{_name_model(provider, model)} will not answer this.",
                "Ask in other words, or another model.",
                "declined",
                params=_make_params(provider, model),
            )
        case framework.IncompleteToolCall():
            return _make_length_error(provider, model)
        case framework.UnexpectedModelBehavior() if error.message.startswith("Model token limit"):
            return _make_length_error(provider, model)
        case framework.UnexpectedModelBehavior() if "output retries" in error.message:
            return _make_error(
                f"{_name_model(provider, model)} wrote nothing.",
                _AGAIN,
                "empty",
                params=_make_params(provider, model),
            )
        case framework.AgentRunError():
            return _make_framework_error(redact_reply(error.message, provider), provider, model)
        case _:
            said = redact_reply(str(error), provider)
            name = type(error).__name__
            return _make_framework_error(f"{name}: {said}" if said else f"{name}.", provider, model)


def explain_status(
    status: int,
    said: str,
    provider: Provider | None = None,
    model: str = "",
    suggestion: str | None = None,
    wait: float | None = None,
) -> ModelError:
    """Return the error for an HTTP status of a provider; `said` is its reply, without keys."""
    quoted = f": {said}" if said else "."
    params = _make_params(provider, model, status=status, said=said)
    match status:
        case 401 | 403:
            key = provider.key_location if provider else "its key"
            return _make_error(
                f"{_name_provider(provider)} does not accept the key ({status}).",
                f"Check {key}; has it expired?",
                "refused",
                params=params,
            )
        case 404:
            guess = f"Did you mean `{suggestion}`? " if suggestion else ""
            hint = f"{guess}Check the model's name"
            if provider and provider.kind == "ollama":
                hint += f", fetch it with `ollama pull {model}`"
            return _make_error(
                f"{_name_provider(provider)} does not have the model `{model}`{quoted}",
                f"{hint}, and providers.{provider.name}.url." if provider else f"{hint}.",
                "refused",
                params=params,
            )
        case 408 | 504:
            return make_late_error(provider, model)
        case 429:
            moment = f"in {wait:.0f} seconds" if wait else "in a moment"
            return _make_error(
                f"{_name_provider(provider)} limits how much may be asked{quoted}",
                f"Ask again {moment}, or choose another model.",
                "refused",
                params=params,
            )
        case _ if status >= 500:
            message = f"{_name_provider(provider)} is in trouble ({status}){quoted}"
            return _make_error(message, _AGAIN, reason="trouble", params=params)
        case _ if "tool" in said.lower():
            return _make_error(
                f"{_name_model(provider, model)} refused the request ({status}){quoted}",
                f'If it cannot call tools, add "*{model}*" to models.without_tools.',
                "refused",
                params=params,
            )
        case _:
            return _make_error(
                f"{_name_model(provider, model)} refused the request ({status}){quoted}",
                "Check the model's name and its provider's documentation, or choose another model.",
                "refused",
                params=params,
            )


def make_unreachable_error(provider: Provider | None, model: str = "") -> ModelError:
    """Return the error for a provider whose address does not respond."""
    if provider is None:
        return _make_error(
            f"{_name_model(provider, model)} cannot be reached.",
            "Check the network, and the provider's url.",
            "unreachable",
            params=_make_params(provider, model),
        )
    setting = f"providers.{provider.name}.url"
    hint = (
        f"Is the server running at {provider.address}? Start it, or correct {setting}."
        if provider.local
        else f"Check the network, and {setting} if it is set."
    )
    message = f"{_name_provider(provider)} cannot be reached at {provider.address}."
    return _make_error(message, hint, "unreachable", params=_make_params(provider, model))


def make_late_error(provider: Provider | None, model: str = "") -> ModelError:
    """Return the error for a provider that does not answer in time."""
    within = f" within {provider.timeout:g} seconds" if provider else " in time"
    setting = f"providers.{provider.name}.timeout" if provider else "models.timeout"
    return _make_error(
        f"{_name_model(provider, model)} did not answer{within}.",
        f"Ask again, or make {setting} longer.",
        "late",
        params=_make_params(provider, model),
    )


def _make_silence_error(provider: Provider | None, model: str) -> ModelError:
    """Return the error for an answer that began and then stalled."""
    within = f" for {provider.timeout:g} seconds" if provider else " for too long"
    own = f" (or providers.{provider.name}.timeout)" if provider else ""
    return _make_error(
        f"{_name_model(provider, model)} said nothing{within} in the middle of its answer.",
        f"Ask again, or make models.timeout{own} longer.",
        "late",
        params=_make_params(provider, model),
    )


def make_broken_error(provider: Provider | None, model: str = "") -> ModelError:
    """Return the error for a connection that was lost during the answer."""
    message = f"{_name_model(provider, model)} broke off in the middle of its answer."
    return _make_error(message, "Ask again.", "broken", params=_make_params(provider, model))


def make_empty_error(model: str = "") -> ModelError:
    """Return the error for an empty answer."""
    message = f"{_name_model(None, model)} wrote nothing."
    return _make_error(message, _AGAIN, "empty", params=_make_params(None, model))


def _make_length_error(provider: Provider | None, model: str) -> ModelError:
    return _make_error(
        f"{_name_model(provider, model)} reached the limit of its answer before it wrote one.",
        "Make models.answer_tokens larger, or choose another model.",
        "length",
        params=_make_params(provider, model),
    )


def make_invalid_reply_error(provider: Provider, model: str) -> ModelError:
    """Return the error for a reply that is not a model's answer."""
    return _make_error(
        f"{_name_model(provider, model)} sent something that is no answer.",
        f"Is {provider.address} the address of an API of the kind `{provider.kind}`? See providers.{provider.name}.",
        reason="invalid_reply",
        params=_make_params(provider, model),
    )


def redact_reply(said: str, provider: Provider | None = None) -> str:
    """Return a provider's reply on one line, shortened, and without anything that looks like a key."""
    if provider and provider.key:
        said = said.replace(provider.key, "***")
    said = " ".join(_LIKE_A_KEY.sub("***", said).split())
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"


def make_limit_error(limit: Literal["requests", "tool_calls", "tokens"]) -> LimitReached:
    """Return the error for a used-up limit."""
    what = {"requests": "requests to the model", "tool_calls": "tool calls", "tokens": "tokens"}[limit]
    return LimitReached(
        f"The question used up its {what}.",
        f"Ask for less at once, or raise models.{limit}; for a report, or a question in parts, research.{limit}.",
        limit,
    )


def _explain_usage_limit(error: "UsageLimitExceeded") -> LimitReached:
    said = error.message
    return make_limit_error(
        "tool_calls" if "tool_calls_limit" in said else "tokens" if "tokens_limit" in said else "requests"
    )


def _make_framework_error(said: str, provider: Provider | None, model: str) -> ModelError:
    message = f"{_name_model(provider, model)} failed: {said}"
    return _make_error(message, _AGAIN, reason="trouble", params=_make_params(provider, model, said=said))


def _make_error(
    message: str, hint: str, failure: ModelFailure = "failed", reason: str = "", params: Params | None = None
) -> ModelError:
    return ModelError(message[:1].upper() + message[1:], hint, failure, reason, params or {})


def _make_params(provider: Provider | None, model: str, **values: str | int) -> Params:
    """Return the values by which an interface words the error itself; those that are not known are left out."""
    name = ":".join(part for part in (provider.name if provider else "", model) if part)
    known: dict[str, str | int] = {"model": name, "address": provider.address if provider else "", **values}
    return {key: value for key, value in known.items() if value != ""}


def _name_model(provider: Provider | None, model: str) -> str:
    if provider:
        return f"the model {provider.name}:{model}" if model else f"the provider {provider.name}"
    return f"the model {model}" if model else "the model"


def _name_provider(provider: Provider | None) -> str:
    return f"the provider {provider.name}" if provider else "the provider"


def find_error_words(body: object) -> str:
    """Return the message in the body of a provider's error."""
    match body:
        case str():
            return body
        case Mapping():
            inner = body.get("error", body.get("message", body.get("detail", "")))
            return find_error_words(inner)
        case Sequence():
            return find_error_words(body[0]) if body else ""
        case _:
            return ""
