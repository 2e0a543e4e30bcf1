"""Store the providers, the models and the roles that were set on the page or with `pincite models`."""

from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import Connection, delete, select, update

from pincite.store import user_settings
from pincite.store.model_schema import known_models, model_providers
from pincite.store.upsert import upsert

SERVER = ""  # the owner of choices that hold for the whole server
Role = Literal["chat", "system", "judge"]
ROLE_KEYS: dict[Role, str] = {"chat": "models.chat", "system": "models.system", "judge": "answers.judge"}


@dataclass(frozen=True, slots=True)
class StoredProvider:
    """A provider: the API that it implements, its address, and its encrypted key; each is empty where none is set."""

    name: str
    kind: str
    url: str
    encrypted: str = field(repr=False)
    changed: float


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model as `provider:model`: when it was added and tried, and the results of the trial; None is not known."""

    name: str
    added: float | None = None
    tried: float | None = None
    streams: bool | None = None
    tools: bool | None = None
    judges: bool | None = None


def list_providers(connection: Connection) -> list[StoredProvider]:
    """Return the providers that are stored, by name."""
    return [StoredProvider(*row) for row in connection.execute(select(model_providers).order_by("name"))]


def put_provider(connection: Connection, provider: StoredProvider) -> None:
    """Store a provider in place of the earlier one of this name."""
    values = {name: getattr(provider, name) for name in ("name", "kind", "url", "encrypted", "changed")}
    upsert(connection, model_providers, values, ("name",))


def remove_provider(connection: Connection, name: str) -> bool:
    """Remove a provider, its models and the roles of its models; return whether there was anything."""
    removed = connection.execute(delete(model_providers).where(model_providers.c.name == name)).rowcount
    for known in list_models(connection):
        if known.name.partition(":")[0] == name:
            removed += connection.execute(delete(known_models).where(known_models.c.name == known.name)).rowcount
    for role, model in get_roles(connection).items():
        if model.partition(":")[0] == name:
            set_role(connection, role, "")
            removed += 1
    return removed > 0


def list_models(connection: Connection) -> list[KnownModel]:
    """Return the models that were added or tried, the first added one first."""
    query = select(known_models).order_by(known_models.c.added, known_models.c.name)
    return [KnownModel(*row) for row in connection.execute(query)]


def add_model(connection: Connection, name: str, now: float) -> None:
    """Offer a model at the question. A model that is offered already keeps its place."""
    known = {each.name: each for each in list_models(connection)}.get(name)
    if known is None or known.added is None:
        upsert(connection, known_models, {"name": name, "added": now}, ("name",))


def remove_model(connection: Connection, name: str) -> bool:
    """Offer a model no longer, and take its roles away; return whether it was offered or had one."""
    query = update(known_models).where(known_models.c.name == name, known_models.c.added.is_not(None))
    removed = connection.execute(query.values(added=None)).rowcount
    for role, model in get_roles(connection).items():
        if model == name:
            set_role(connection, role, "")
            removed += 1
    return removed > 0


def save_trial(connection: Connection, tried: KnownModel) -> None:
    """Store the results of a trial in place of the model's earlier ones."""
    values = {name: getattr(tried, name) for name in ("name", "tried", "streams", "tools", "judges")}
    upsert(connection, known_models, values, ("name",))


def get_roles(connection: Connection) -> dict[Role, str]:
    """Return the model of each role that was set."""
    found = {role: user_settings.get_choice(connection, SERVER, key) for role, key in ROLE_KEYS.items()}
    return {role: name for role, name in found.items() if name}


def set_role(connection: Connection, role: Role, name: str) -> None:
    """Set the model of a role; "" restores that of the settings file."""
    user_settings.set_choice(connection, SERVER, ROLE_KEYS[role], name)
