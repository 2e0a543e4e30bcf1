"""Define the settings of the sections `models` and `providers`: the language models and how they are reached."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr, StringConstraints

from pincite.settings_section import SettingsSection
from pincite.settings_sources import split_list

ProviderKind = Literal["openai", "anthropic", "mistral", "google", "groq", "deepseek", "openrouter", "ollama", "vllm"]
ProviderName = Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9_-]*$")]


class ModelSettings(SettingsSection):
    chat: Annotated[
        str, Field(description="The model that answers, as `provider:model`; empty is `extractive`, which needs none.")
    ] = ""
    system: Annotated[
        str,
        Field(description="The model for small tasks (rewriting, judging); empty is the one that answers."),
    ] = ""
    timeout: Annotated[
        float, Field(gt=0, description="Seconds to wait for a model's first word, and for the next.")
    ] = 120
    retries: Annotated[
        int,
        Field(ge=0, le=10, description="Retries after a lost connection; an answer that has begun is not restarted."),
    ] = 2
    retry_errors: Annotated[
        bool,
        Field(
            description="Also retry when a provider answers 429 or 5xx, after the time in its Retry-After, "
            "if that is before the deadline."
        ),
    ] = False
    deadline: Annotated[
        float, Field(gt=0, description="Longest time in seconds for one request to a model, with all its retries.")
    ] = 600
    requests: Annotated[int, Field(ge=1, description="Most requests to a model for one question.")] = 12
    tool_calls: Annotated[int, Field(ge=1, description="Most tool calls for one question.")] = 24
    tokens: Annotated[int, Field(ge=1, description="Most tokens, sent and received, for one question.")] = 200_000
    answer_tokens: Annotated[
        int, Field(ge=0, description="Most tokens of one answer of a model; 0 is the model's own limit.")
    ] = 0
    temperature: Annotated[
        float | None, Field(ge=0, le=2, description="Sampling temperature; unset is the model's own default.")
    ] = None
    without_tools: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description="Patterns of models that cannot call tools: Pincite searches before they answer."),
    ] = ("*chocolatine*", "*smollm*")


class ProviderSettings(SettingsSection):
    url: Annotated[
        str, Field(pattern="^(https?://.+)?$", description="Address of its API; empty is the usual one.")
    ] = ""
    key: Annotated[SecretStr, Field(description="Its API key; the provider's own variable works too.")] = SecretStr("")
    kind: Annotated[ProviderKind | None, Field(description="The API it implements; unset is its own, or `openai`.")] = (
        None
    )
    timeout: Annotated[float | None, Field(gt=0, description="Replaces `models.timeout` for this provider.")] = None
    retry: Annotated[
        Literal["connection", "timeout"] | None,
        Field(description="Failures to retry: lost connections (default), or only timeouts, for a slow provider."),
    ] = None
    context: Annotated[
        int | None,
        Field(ge=2048, description="Context window of its models in tokens, input and output; evidence is cut to fit."),
    ] = None
