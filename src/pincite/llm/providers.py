"""The providers of models: those known by name, and those that the settings define."""

import difflib
import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pincite.errors import Misnamed, ModelError
from pincite.settings import Settings
from pincite.settings_models import ProviderKind, ProviderSettings

Retry = Literal["connection", "timeout"]
_CONTEXT = 32_768  # tokens of context of a self-hosted model, where no setting says otherwise
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class ProviderDefaults:
    """The defaults of a provider: its API, its address, and the variables for its key and address."""

    kind: ProviderKind
    url: str = ""
    keys: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    keyless: bool = False
    retry: Retry = "connection"

    @property
    def context(self) -> int | None:
        """Tokens of context of its models; hosted ones, which need a key, take more than is ever sent."""
        return _CONTEXT if self.keyless else None


PROVIDER_DEFAULTS = {
    "openai": ProviderDefaults("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",), ("OPENAI_BASE_URL",)),
    "anthropic": ProviderDefaults("anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",)),
    "mistral": ProviderDefaults("mistral", "https://api.mistral.ai", ("MISTRAL_API_KEY",)),
    "google": ProviderDefaults(
        "google", "https://generativelanguage.googleapis.com", ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    ),
    "groq": ProviderDefaults("groq", "https://api.groq.com", ("GROQ_API_KEY",)),
    # Its answers may take long although the connection works, so a time-out is retried.
    "deepseek": ProviderDefaults("deepseek", "https://api.deepseek.com", ("DEEPSEEK_API_KEY",), retry="timeout"),
    "openrouter": ProviderDefaults("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "ollama": ProviderDefaults(
        "ollama", "http://localhost:11434/v1", ("OLLAMA_API_KEY",), ("OLLAMA_BASE_URL",), keyless=True
    ),
    "lmstudio": ProviderDefaults("openai", "http://localhost:1234/v1", keyless=True),
    "llamacpp": ProviderDefaults("openai", "http://localhost:8080/v1", keyless=True),
    "vllm": ProviderDefaults("vllm", "http://localhost:8000/v1", ("VLLM_API_KEY",), ("VLLM_BASE_URL",), keyless=True),
    "chocolatine": ProviderDefaults("vllm", "", ("CHOCOLATINE_API_KEY",), ("CHOCOLATINE_API_URL",), keyless=True),
}
PROVIDER_TITLES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "mistral": "Mistral",
    "google": "Google Gemini",
    "groq": "Groq",
    "deepseek": "DeepSeek",
    "openrouter": "OpenRouter",
    "ollama": "Ollama",
    "lmstudio": "LM Studio",
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "chocolatine": "Chocolatine",
}
_ALIASES = {"gemini": "google", "claude": "anthropic", "llama.cpp": "llamacpp", "lm-studio": "lmstudio"}


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider with everything that a request needs."""

    name: str
    kind: ProviderKind
    url: str
    timeout: float
    retry: Retry
    key: str = field(default="", repr=False)
    variables: tuple[str, ...] = ()
    context: int | None = None

    @property
    def local(self) -> bool:
        """Whether requests stay on this machine or its network."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return host == "localhost" or "." not in host or host.endswith((".local", ".internal", ".localhost"))

    @property
    def address(self) -> str:
        """The address for people to read, without a user name and password."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def key_location(self) -> str:
        """The variable or the setting that holds the key, for a hint."""
        return " or ".join([*self.variables, f"providers.{self.name}.key in pincite.toml"])


def normalise_model_name(name: str) -> str:
    """Return a model's name in its normal form: the provider in lower case and under its main name."""
    provider, colon, model = name.strip().partition(":")
    provider = provider.strip().lower() if colon or provider.strip().lower() == EXTRACTIVE else provider
    return f"{_ALIASES.get(provider, provider)}{colon}{model.strip()}"


def is_offered_model(settings: Settings, name: str, added: Collection[str] = ()) -> bool:
    """Return whether a model is set, was added by the server's owner, or has a price.

    Others may cost more than anybody expects.
    """
    model = normalise_model_name(name)
    if model in added:
        return True
    named = (EXTRACTIVE, normalise_model_name(settings.models.chat), normalise_model_name(settings.models.system))
    patterns = (normalise_model_name(pattern).lower() for pattern in settings.quota.prices)
    return model in named or any(fnmatchcase(model.lower(), pattern) for pattern in patterns)


def name_judge(setting: str, chat: str, system: str) -> str:
    """Return the model that judges what `chat` writes, by the setting `answers.judge`; empty without a judge.

    `system` is the model for the small work, empty when there is none.
    """
    match setting.strip():
        case "off":
            name = ""
        case "model":
            name = "" if chat == EXTRACTIVE else system
        case other:
            name = normalise_model_name(other)
    return "" if name == EXTRACTIVE else name


def find_provider(name: str, settings: Settings, environment: Mapping[str, str]) -> Provider:
    """Return the provider of this name; raise `ModelError` when a setting is missing."""
    known, own = PROVIDER_DEFAULTS.get(name), settings.providers.get(name)
    if known is None and own is None:
        raise _make_unknown_error(name, settings)
    usual, own = known or ProviderDefaults("openai", keyless=True), own or ProviderSettings()
    provider = Provider(
        name=name,
        kind=own.kind or usual.kind,
        url=(own.url or _read_first_variable(usual.urls, environment) or usual.url).rstrip("/"),
        timeout=own.timeout or settings.models.timeout,
        retry=own.retry or usual.retry,
        context=own.context or usual.context,
        key=own.key.get_secret_value() or _read_first_variable(usual.keys, environment),
        variables=usual.keys,
    )
    if not provider.url:
        variables = "".join(f"Set {variable}, or " for variable in usual.urls)
        hint = f"{variables}providers.{name}.url in pincite.toml, such as http://localhost:8000/v1."
        raise ModelError(
            f"It is not said where the provider `{name}` is.",
            hint[:1].upper() + hint[1:],
            reason="no_address",
            params={"provider": name},
        )
    import httpx2

    try:
        urlsplit(provider.url), httpx2.URL(provider.url)  # each accepts addresses that the other refuses
    except (ValueError, httpx2.InvalidURL):
        where = " or ".join([*usual.urls, f"providers.{name}.url in pincite.toml"])
        raise ModelError(
            f"The address of the provider `{name}` is none.",
            f"Correct {where}: it is like http://localhost:8000/v1.",
            reason="bad_address",
            params={"provider": name},
        ) from None
    if not (provider.key or usual.keyless):
        # A private gateway may need no key; a hosted provider does.
        if own.url and provider.local:
            return provider
        raise ModelError(
            f"There is no key for the provider `{name}`.",
            f"Paste it in the settings of the page, or set {provider.key_location}; or choose another model.",
            reason="no_key",
            params={"provider": name},
        )
    return provider


def list_configured_providers(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """List the providers in use: by a table, by a key or an address in the environment, or by a role."""
    roles = (settings.models.chat, settings.models.system)
    found = [normalise_model_name(name).partition(":")[0] for name in roles if ":" in name]
    found += [
        name for name, known in PROVIDER_DEFAULTS.items() if _read_first_variable(known.keys + known.urls, environment)
    ]
    return list(dict.fromkeys([*found, *settings.providers]))


def split_model_name(name: str, settings: Settings) -> tuple[str, str]:
    """Split `provider:model` into both; raise `Misnamed` for any other form."""
    provider, colon, model = normalise_model_name(name).partition(":")
    if provider and model:
        return provider, model
    if name.lower() in {*PROVIDER_DEFAULTS, *_ALIASES, *settings.providers} or colon:
        raise Misnamed(
            f"`{name}` names a provider and no model.",
            f"Write the model after it: `{provider}:its-model`.",
            reason="misnamed",
            params={"model": name},
        )
    raise Misnamed(
        f"`{name}` does not say which provider has the model.",
        f"Write it before the name, as in `openai:{name}`; known are {_list_providers(settings)}, and `{EXTRACTIVE}`.",
        reason="misnamed",
        params={"model": name},
    )


def _make_unknown_error(name: str, settings: Settings) -> Misnamed:
    names = [*PROVIDER_DEFAULTS, *_ALIASES, *settings.providers]
    near = difflib.get_close_matches(name, names, n=1)
    guess = f"Did you mean `{near[0]}`? " if near else ""
    return Misnamed(
        f"There is no provider `{name}`.",
        f"{guess}Known are {_list_providers(settings)}; "
        f"any other OpenAI-compatible one is named by providers.{name}.url.",
        reason="no_provider",
        params={"provider": name},
    )


def _list_providers(settings: Settings) -> str:
    return ", ".join(dict.fromkeys([*PROVIDER_DEFAULTS, *settings.providers]))


def has_variable(variables: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Return whether one of these variables has a value."""
    return bool(_read_first_variable(variables, environment))


def _read_first_variable(variables: tuple[str, ...], environment: Mapping[str, str]) -> str:
    return next((environment[name].strip() for name in variables if environment.get(name, "").strip()), "")
