"""Where models are had: the providers we know by name, and those that the settings name."""

import difflib
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

from pincite.errors import Misnamed, ModelError
from pincite.settings import ProviderKind, ProviderSettings, Settings

Retry = Literal["connection", "timeout"]
_CONTEXT = 32_768  # tokens that a model takes which somebody runs themselves, where no setting says otherwise
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class Known:
    """What is usual for a provider: its API, its address, and the variables that hold its key and its address."""

    kind: ProviderKind
    url: str = ""
    keys: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    keyless: bool = False
    retry: Retry = "connection"

    @property
    def context(self) -> int | None:
        """Tokens that its models take; hosted ones, which need a key, take more than is ever sent to them."""
        return _CONTEXT if self.keyless else None


KNOWN = {
    "openai": Known("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",), ("OPENAI_BASE_URL",)),
    "anthropic": Known("anthropic", "https://api.anthropic.com", ("ANTHROPIC_API_KEY",)),
    "mistral": Known("mistral", "https://api.mistral.ai", ("MISTRAL_API_KEY",)),
    "google": Known("google", "https://generativelanguage.googleapis.com", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    "groq": Known("groq", "https://api.groq.com", ("GROQ_API_KEY",)),
    # Its answers may be long in coming while the connection is well: it is the time-out that is tried again.
    "deepseek": Known("deepseek", "https://api.deepseek.com", ("DEEPSEEK_API_KEY",), retry="timeout"),
    "openrouter": Known("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "ollama": Known("ollama", "http://localhost:11434/v1", ("OLLAMA_API_KEY",), ("OLLAMA_BASE_URL",), keyless=True),
    "lmstudio": Known("openai", "http://localhost:1234/v1", keyless=True),
    "llamacpp": Known("openai", "http://localhost:8080/v1", keyless=True),
    "vllm": Known("vllm", "http://localhost:8000/v1", ("VLLM_API_KEY",), ("VLLM_BASE_URL",), keyless=True),
    "chocolatine": Known("vllm", "", ("CHOCOLATINE_API_KEY",), ("CHOCOLATINE_API_URL",), keyless=True),
}
_ALIASES = {"gemini": "google", "claude": "anthropic", "llama.cpp": "llamacpp", "lm-studio": "lmstudio"}


@dataclass(frozen=True, slots=True)
class Provider:
    """One place where models are had, with all that is needed to ask it."""

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
        """Whether what is asked stays on this machine or its network."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return host == "localhost" or "." not in host or host.endswith((".local", ".internal", ".localhost"))

    @property
    def address(self) -> str:
        """Where it is, for people to read: without a name and password that may stand in its url."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def where_the_key_stands(self) -> str:
        """For a hint: the variable or the setting that holds the key."""
        return " or ".join([*self.variables, f"providers.{self.name}.key in pincite.toml"])


def canonical(name: str) -> str:
    """A model's name as we write it: the provider in small letters and under the one name it has here."""
    provider, colon, model = name.strip().partition(":")
    provider = provider.strip().lower() if colon or provider.strip().lower() == EXTRACTIVE else provider
    return f"{_ALIASES.get(provider, provider)}{colon}{model.strip()}"


def name_judge(setting: str, chat: str, system: str) -> str:
    """The model that judges what `chat` writes, by the setting `answers.judge`; empty when none does.

    `system` is the model for the small work, empty when there is none.
    """
    match setting.strip():
        case "off":
            name = ""
        case "model":
            name = "" if chat == EXTRACTIVE else system
        case other:
            name = canonical(other)
    return "" if name == EXTRACTIVE else name


def named(name: str, settings: Settings, environment: Mapping[str, str]) -> Provider:
    """The provider of this name, or a `ModelError` that says what it lacks."""
    known, own = KNOWN.get(name), settings.providers.get(name)
    if known is None and own is None:
        raise _unknown(name, settings)
    usual, own = known or Known("openai", keyless=True), own or ProviderSettings()
    provider = Provider(
        name=name,
        kind=own.kind or usual.kind,
        url=(own.url or _first(usual.urls, environment) or usual.url).rstrip("/"),
        timeout=own.timeout or settings.models.timeout,
        retry=own.retry or usual.retry,
        context=own.context or usual.context,
        key=own.key.get_secret_value() or _first(usual.keys, environment),
        variables=usual.keys,
    )
    if not provider.url:
        variables = "".join(f"Set {variable}, or " for variable in usual.urls)
        hint = f"{variables}providers.{name}.url in pincite.toml, such as http://localhost:8000/v1."
        raise ModelError(f"It is not said where the provider `{name}` is.", hint[:1].upper() + hint[1:])
    import httpx2

    try:
        urlsplit(provider.url), httpx2.URL(provider.url)  # each takes what the other refuses
    except (ValueError, httpx2.InvalidURL):
        where = " or ".join([*usual.urls, f"providers.{name}.url in pincite.toml"])
        raise ModelError(
            f"The address of the provider `{name}` is none.", f"Correct {where}: it is like http://localhost:8000/v1."
        ) from None
    if not (provider.key or usual.keyless):
        # A gateway of one's own may need no key, but what is asked of a company does.
        if own.url and provider.local:
            return provider
        raise ModelError(
            f"There is no key for the provider `{name}`.",
            f"Set {provider.where_the_key_stands}, or choose another model.",
        )
    return provider


def configured(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """The providers that someone has set up: by a table, by a key or an address in the environment, or by a role."""
    roles = (settings.models.chat, settings.models.system)
    found = [canonical(name).partition(":")[0] for name in roles if ":" in name]
    found += [name for name, known in KNOWN.items() if _first(known.keys + known.urls, environment)]
    return list(dict.fromkeys([*found, *settings.providers]))


def split(name: str, settings: Settings) -> tuple[str, str]:
    """`provider:model` in, both out; `Misnamed` when it is not of this form."""
    provider, colon, model = canonical(name).partition(":")
    if provider and model:
        return provider, model
    if name.lower() in {*KNOWN, *_ALIASES, *settings.providers} or colon:
        raise Misnamed(f"`{name}` names a provider and no model.", f"Write the model after it: `{provider}:its-model`.")
    raise Misnamed(
        f"`{name}` does not say which provider has the model.",
        f"Write it before the name, as in `openai:{name}`; known are {_listed(settings)}, and `{EXTRACTIVE}`.",
    )


def _unknown(name: str, settings: Settings) -> Misnamed:
    names = [*KNOWN, *_ALIASES, *settings.providers]
    near = difflib.get_close_matches(name, names, n=1)
    guess = f"Did you mean `{near[0]}`? " if near else ""
    return Misnamed(
        f"There is no provider `{name}`.",
        f"{guess}Known are {_listed(settings)}; any other OpenAI-compatible one is named by providers.{name}.url.",
    )


def _listed(settings: Settings) -> str:
    return ", ".join(dict.fromkeys([*KNOWN, *settings.providers]))


def _first(variables: tuple[str, ...], environment: Mapping[str, str]) -> str:
    return next((environment[name].strip() for name in variables if environment.get(name, "").strip()), "")
