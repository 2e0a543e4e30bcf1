"""Set the providers and models of a server, as the page and `pincite models` do it.

A provider is stored only when it has listed its models with the given key and address: a wrong key is noticed at once.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

from pincite.errors import Misuse, NotFound
from pincite.llm.key_encryption import encrypt_key
from pincite.llm.list_models import list_models
from pincite.llm.model_roles import Models
from pincite.llm.providers import (
    EXTRACTIVE,
    PROVIDER_DEFAULTS,
    PROVIDER_TITLES,
    Provider,
    find_provider,
    has_variable,
    normalise_model_name,
    split_model_name,
)
from pincite.llm.stored_models import StoredModels, is_set_outside
from pincite.settings import Settings
from pincite.settings_models import ProviderKind, ProviderSettings
from pincite.store import model_choices
from pincite.store.database import Connection, Database
from pincite.store.model_choices import Role, StoredProvider

SET_IN_FILE, PLAIN_HTTP, KEY_AGAIN = "set_in_file", "plain_http", "key_again"  # reasons of Misuse
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_LONGEST_KEY, _LONGEST_URL = 4000, 2000
_OWN_PATHS = ("anthropic", "mistral", "google", "groq")  # kinds whose address does not end in /v1

Record = Callable[[Connection, str, str], None]  # notes an action and its target in the transaction that does it


@dataclass(frozen=True, slots=True)
class GivenProvider:
    """A provider as a person gives it. `key` None keeps the stored one; `plain` allows a key over plain HTTP."""

    name: str
    key: str | None = field(default=None, repr=False)
    url: str = ""
    kind: ProviderKind | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class ProviderState:
    """A provider for people to see, without its key: where it was set, and whether its key can be read."""

    name: str
    title: str
    address: str
    needs_key: bool
    has_key: bool
    local: bool
    set_in: Literal["page", "file", ""]
    is_locked: bool = False


class ModelSetup:
    """Reads and changes the providers and models of a server."""

    def __init__(self, settings: Settings, database: Database, models: Models) -> None:
        self._settings = settings
        self._database = database
        self._models = models

    def read(self) -> StoredModels:
        """Return the models of the page and of the settings file together."""
        return self._models.read_stored()

    def list_providers(self) -> list[ProviderState]:
        """Return all providers that can be used or set, those in use first."""
        stored = self.read()
        own = [each.name for each in stored.providers]
        names = dict.fromkeys([*own, *self._settings.providers, *PROVIDER_DEFAULTS])
        found = [_describe_provider(name, stored, name in own, self._settings) for name in names]
        return sorted(found, key=lambda each: not each.set_in)

    async def save_provider(self, given: GivenProvider, now: float, record: Record) -> list[str]:
        """Check and store a provider, and return the models that it lists; raise `Misuse` or `ModelError` if it fails.

        Nothing is stored when the provider cannot be asked or refuses the key.
        """
        stored = await asyncio.to_thread(self.read)
        name = self._check_name(given.name, stored)
        before = next((each for each in stored.providers if each.name == name), None)
        url = normalise_address(given.url, given.kind or _get_kind(name))
        key = _check_key(given.key) if given.key else ""
        if not key and before and before.encrypted and name not in stored.locked:
            if before.url != url:
                raise Misuse(
                    "The stored key belongs to another address.", "Paste the key again for this address.", KEY_AGAIN
                )
            key = stored.find_provider(name).key
        provider = self._make_provider(name, url, key, given.kind, stored)
        if key and provider.url.startswith("http://") and not provider.local and not given.plain:
            raise Misuse(
                f"The key would be sent to {provider.address} without encryption.",
                "Use an address that begins with https://, or allow it.",
                PLAIN_HTTP,
            )
        found = await list_models(provider)
        await asyncio.to_thread(self._store, StoredProvider(name, given.kind or "", url, "", now), key, record)
        return found

    async def list_models(self, name: str) -> list[str]:
        """Return the models that a provider lists now, without the provider's name."""
        stored = await asyncio.to_thread(self.read)
        return await list_models(stored.find_provider(normalise_model_name(f"{name}:").rstrip(":")))

    def remove_provider(self, name: str, record: Record) -> None:
        """Forget a provider, its key, its models and their roles; raise `NotFound` if nothing is stored of it."""
        name = normalise_model_name(f"{name}:").rstrip(":")
        with self._database.writing() as connection:
            if not model_choices.remove_provider(connection, name):
                raise NotFound(f"No provider `{name}` is stored.", "`pincite models list` lists them.", "provider")
            record(connection, "models.forget", name)

    def set_roles(self, given: Mapping[Role, str], now: float, record: Record) -> None:
        """Give roles to models and offer these, all of it or nothing; "" restores the settings file.

        Raise `ModelError` for a name that means no model.
        """
        stored = self.read()
        models = {role: self._check_model(name, stored, role) if name else "" for role, name in given.items()}
        with self._database.writing() as connection:
            for role, model in models.items():
                model_choices.set_role(connection, role, model)
                if ":" in model:
                    model_choices.add_model(connection, model, now)
                record(connection, "models.choose", f"{role} {model}".strip())

    def add_model(self, name: str, now: float, record: Record) -> str:
        """Offer a model at the question; return its full name."""
        model = self._check_model(name, self.read(), None)
        with self._database.writing() as connection:
            model_choices.add_model(connection, model, now)
            record(connection, "models.add", model)
        return model

    def remove_model(self, name: str, record: Record) -> None:
        """Offer a model no longer; raise `NotFound` if it was not offered."""
        model = normalise_model_name(name)
        with self._database.writing() as connection:
            if not model_choices.remove_model(connection, model):
                raise NotFound(f"The model {model} was not added.", "`pincite models list` lists them.", "model")
            record(connection, "models.remove", model)

    def _check_name(self, given: str, stored: StoredModels) -> str:
        name = normalise_model_name(f"{given.strip()}:").rstrip(":")
        if not _NAME.fullmatch(name) or name == EXTRACTIVE:
            raise Misuse(
                "A provider's name has small letters, digits, - and _.", "Choose another name.", "provider_name"
            )
        if is_set_outside(name, self._settings, stored.environment):
            raise Misuse(
                f"The provider `{name}` is set by the settings file or an environment variable.",
                "Change it there, or remove it there to set it here.",
                SET_IN_FILE,
            )
        return name

    def _make_provider(
        self, name: str, url: str, key: str, kind: ProviderKind | None, stored: StoredModels
    ) -> Provider:
        own = ProviderSettings(url=url, key=SecretStr(key), kind=kind)
        settings = self._settings.model_copy(update={"providers": {**self._settings.providers, name: own}})
        return find_provider(name, settings, stored.environment)

    def _store(self, provider: StoredProvider, key: str, record: Record) -> None:
        encrypted = encrypt_key(self._settings.data, provider.name, provider.url, key) if key else ""
        with self._database.writing() as connection:
            model_choices.put_provider(connection, replace(provider, encrypted=encrypted))
            record(connection, "models.provider", provider.name)

    def _check_model(self, name: str, stored: StoredModels, role: Role | None) -> str:
        model = normalise_model_name(name)
        if role == "judge" and model in ("model", "off"):
            return model
        if role is not None and role != "judge" and model == EXTRACTIVE:
            return model
        provider, own = split_model_name(model, stored.settings)
        return f"{stored.find_provider(provider).name}:{own}"


def normalise_address(url: str, kind: str) -> str:
    """Return the address of an API; "" stays the usual one. Raise `Misuse` if it is none, or contains a password.

    `/v1` is added to an address without a path, where the API has one.
    """
    url = url.strip().rstrip("/")
    if not url:
        return ""
    try:
        parts, parsed = urlsplit(url), httpx2.URL(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) and parsed.host
    except (ValueError, httpx2.InvalidURL):
        is_whole = False
    if not is_whole or len(url) > _LONGEST_URL or re.search(r"[\s\x00-\x1f]", url):
        raise Misuse("This is no address of a server.", "It is like http://localhost:8000/v1.", "model_address")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Misuse(
            "The address contains more than a server and a path.",
            "Leave out names, passwords, ? and #: the key has a field of its own.",
            "model_address",
        )
    return f"{url}/v1" if not parts.path and kind not in _OWN_PATHS else url


def _check_key(given: str) -> str:
    key = given.strip()
    if not key or len(key) > _LONGEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        raise Misuse("This is no key: it has other characters than a key has.", "Copy it again.", "model_key")
    return key


def _get_kind(name: str) -> str:
    known = PROVIDER_DEFAULTS.get(name)
    return known.kind if known else "openai"


def name_provider(name: str, stored: StoredModels) -> str:
    """Return a provider's name for people. A server that was set by its address on the page is named by its host."""
    if name in PROVIDER_TITLES:
        return PROVIDER_TITLES[name]
    url = next((each.url for each in stored.providers if each.name == name), "")
    return urlsplit(url).netloc or name


def _describe_provider(name: str, stored: StoredModels, is_own: bool, settings: Settings) -> ProviderState:
    known = PROVIDER_DEFAULTS.get(name)
    own = stored.settings.providers.get(name)
    key = own.key.get_secret_value() if own else ""
    has_key = bool(key) or (known is not None and has_variable(known.keys, stored.environment))
    url = own.url if own and own.url else known.url if known else ""
    # Only the parts of an address that people may see.
    shown = Provider(name, "openai", url, 1, "connection")
    outside = is_set_outside(name, settings, stored.environment)
    return ProviderState(
        name=name,
        title=name_provider(name, stored),
        address=shown.address if url else "",
        needs_key=known is not None and not known.keyless,
        has_key=has_key,
        local=bool(url) and shown.local,
        set_in="file" if outside else "page" if is_own else "",
        is_locked=name in stored.locked,
    )
