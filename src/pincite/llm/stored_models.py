"""Combine the models that were set on the page with those of the settings file.

A provider that the settings file or an environment variable defines is used as it stands there. The other providers
come from the database. The roles that were set on the page override those of the settings file.
"""

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast, get_args

from pydantic import SecretStr

from pincite.errors import ModelError, StorageError
from pincite.llm.key_encryption import decrypt_key, make_locked_error
from pincite.llm.providers import PROVIDER_DEFAULTS, Provider, find_provider, has_variable
from pincite.settings import Settings
from pincite.settings_models import ProviderKind, ProviderSettings
from pincite.store import model_choices
from pincite.store.database import Database
from pincite.store.model_choices import KnownModel, Role, StoredProvider

_KINDS = get_args(ProviderKind)


@dataclass(frozen=True, slots=True)
class StoredModels:
    """The settings with the providers and models of the page; `locked` are the providers whose key is unreadable."""

    settings: Settings
    environment: Mapping[str, str] = field(repr=False)
    providers: tuple[StoredProvider, ...] = ()
    known: tuple[KnownModel, ...] = ()
    roles: Mapping[Role, str] = field(default_factory=dict)
    locked: frozenset[str] = frozenset()

    @property
    def added(self) -> tuple[str, ...]:
        """The models that were added, in the order in which they were."""
        return tuple(each.name for each in self.known if each.added is not None)

    def find_provider(self, name: str) -> Provider:
        """Return a provider; raise `ModelError` if something is missing, or its key cannot be decrypted."""
        if name in self.locked:
            raise make_locked_error(name)
        return find_provider(name, self.settings, self.environment)


def read_stored_models(
    settings: Settings, database: Database, environment: Mapping[str, str] | None = None
) -> StoredModels:
    """Return the models of the page and of the settings file together. An unreadable key concerns its provider only."""
    given = os.environ if environment is None else environment
    with database.reading() as connection:
        stored = model_choices.list_providers(connection)
        known = model_choices.list_models(connection)
        roles = model_choices.get_roles(connection)
    if not (stored or known or roles):
        return StoredModels(settings, given)
    used = [each for each in stored if not is_set_outside(each.name, settings, given)]
    locked: set[str] = set()
    providers = dict(settings.providers)
    for each in used:
        try:
            providers[each.name] = _open_provider(settings, each)
        except (ModelError, StorageError):
            locked.add(each.name)
            providers[each.name] = _describe_provider(each, "")
    without_tools = [glob.escape(each.name) for each in known if each.tools is False]
    models = settings.models.model_copy(
        update={
            "chat": roles.get("chat", settings.models.chat),
            "system": roles.get("system", settings.models.system),
            "without_tools": (*settings.models.without_tools, *without_tools),
        }
    )
    answers = settings.answers.model_copy(update={"judge": roles.get("judge", settings.answers.judge)})
    merged = settings.model_copy(update={"providers": providers, "models": models, "answers": answers})
    return StoredModels(merged, given, tuple(used), tuple(known), roles, frozenset(locked))


def is_set_outside(name: str, settings: Settings, environment: Mapping[str, str]) -> bool:
    """Return whether the settings file or a variable defines a provider. The page then cannot change it."""
    if name in settings.providers:
        return True
    known = PROVIDER_DEFAULTS.get(name)
    return known is not None and has_variable(known.keys + known.urls, environment)


def _open_provider(settings: Settings, stored: StoredProvider) -> ProviderSettings:
    key = decrypt_key(settings.data, stored.name, stored.url, stored.encrypted) if stored.encrypted else ""
    return _describe_provider(stored, key)


def _describe_provider(stored: StoredProvider, key: str) -> ProviderSettings:
    kind = cast("ProviderKind | None", stored.kind if stored.kind in _KINDS else None)
    return ProviderSettings(url=stored.url, key=SecretStr(key), kind=kind)
