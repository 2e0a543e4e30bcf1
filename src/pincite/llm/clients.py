"""Make models of the agent framework from a provider and a model's name, each with the provider's own SDK."""

from typing import TYPE_CHECKING, Any

from pincite.llm.providers import Provider
from pincite.settings_models import ModelSettings as Limits

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers import Provider as Connection
    from pydantic_ai.settings import ModelSettings

# SDKs refuse an empty key; local servers ignore it.
_NO_KEY = "none"
# Local models: the chat templates of many refuse a second system message; some begin, or go on after thinking, with
# blank lines.
_LOCAL: "OpenAIModelProfile" = {
    "openai_chat_supports_multiple_system_messages": False,
    "ignore_streamed_leading_whitespace": True,
}


def connect_provider(provider: Provider) -> "Connection[Any]":
    """Return the SDK's client for a provider; one serves all its models and keeps its connections."""
    connection = _make_connection(provider)
    if hasattr(connection.client, "max_retries"):
        # We retry ourselves: an SDK would also repeat what a provider has refused.
        connection.client.max_retries = 0
    return connection


def _make_connection(provider: Provider) -> "Connection[Any]":
    key, url = provider.key or _NO_KEY, provider.url
    match provider.kind:
        case "anthropic":
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicProvider(api_key=key, base_url=url)
        case "mistral":
            from pydantic_ai.providers.mistral import MistralProvider

            return MistralProvider(api_key=key, base_url=url)
        case "google":
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleProvider(api_key=key, base_url=url)
        case "groq":
            from pydantic_ai.providers.groq import GroqProvider

            return GroqProvider(api_key=key, base_url=url)
        case "openai" if provider.name == "openai":
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIProvider(api_key=key, base_url=url)
        case _:
            connection = _make_compatible_connection(provider, key)
            connection.client.base_url = url
            # The SDK is OpenAI's: it would tell others which organisation at OpenAI someone belongs to.
            connection.client.organization = connection.client.project = None
            return connection


def _make_compatible_connection(provider: Provider, key: str) -> "Connection[AsyncOpenAI]":
    match provider.kind:
        case "deepseek":
            from pydantic_ai.providers.deepseek import DeepSeekProvider

            return DeepSeekProvider(api_key=key)
        case "openrouter":
            from pydantic_ai.providers.openrouter import OpenRouterProvider

            return OpenRouterProvider(api_key=key)
        case "ollama":
            from pydantic_ai.providers.ollama import OllamaProvider

            return OllamaProvider(api_key=key, base_url=provider.url)
        case "vllm":
            from pydantic_ai.providers.vllm import VLLMProvider

            return VLLMProvider(api_key=key, base_url=provider.url)
        case _:
            from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

            return OpenAICompatibleProvider(provider.name, base_url=provider.url, api_key=key)


def make_model(provider: Provider, connection: "Connection[Any]", name: str, limits: Limits) -> "Model":
    """Return a model of a provider that retries lost connections."""
    from pincite.llm.retrying import RetryingModel

    settings: ModelSettings = {"timeout": provider.timeout, "request_timeout": limits.deadline}
    if limits.temperature is not None:
        settings["temperature"] = limits.temperature
    if limits.answer_tokens:
        settings["max_tokens"] = limits.answer_tokens
    made = _make_sdk_model(provider, connection, name, settings)
    return RetryingModel(made, provider, limits.retries, limits.deadline, limits.retry_errors)


def _make_sdk_model(provider: Provider, connection: "Connection[Any]", name: str, settings: "ModelSettings") -> "Model":
    match provider.kind:
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel

            return AnthropicModel(name, provider=connection, settings=settings)
        case "mistral":
            from pydantic_ai.models.mistral import MistralModel

            return MistralModel(name, provider=connection, settings=settings)
        case "google":
            from pydantic_ai.models.google import GoogleModel

            return GoogleModel(name, provider=connection, settings=settings)
        case "groq":
            from pydantic_ai.models.groq import GroqModel

            return GroqModel(name, provider=connection, settings=settings)
        case "openrouter":
            from pydantic_ai.models.openrouter import OpenRouterModel

            return OpenRouterModel(name, provider=connection, settings=settings)
        case "ollama":
            from pydantic_ai.models.ollama import OllamaModel

            return OllamaModel(name, provider=connection, settings=settings, profile=_LOCAL)
        case _:
            from pydantic_ai.models.openai import OpenAIChatModel

            profile = None if provider.name == "openai" else _LOCAL
            return OpenAIChatModel(name, provider=connection, settings=settings, profile=profile)
