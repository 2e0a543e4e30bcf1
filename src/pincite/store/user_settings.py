"""Store the settings that a user chose on the page. They override the settings file."""

from typing import Literal

from sqlalchemy import Connection, delete, select

from pincite.settings_web import WebSettings
from pincite.store.schema import choices
from pincite.store.upsert import insert_if_absent, upsert

Where = Literal["page", "file", ""]
SEARCH_URL = "web.search_url"


def get_choice(connection: Connection, owner: str, key: str) -> str:
    """Return the owner's value for a setting, or ""."""
    query = select(choices.c.value).where(choices.c.owner == owner, choices.c.key == key)
    return connection.scalar(query) or ""


def find_search_url(connection: Connection, owner: str, settings: WebSettings) -> tuple[str, Where]:
    """Return the address of the search engine, "" if there is none, and where it was set."""
    if chosen := get_choice(connection, owner, SEARCH_URL):
        return chosen, "page"
    return settings.search_url, "file" if settings.search_url else ""


def set_choice(connection: Connection, owner: str, key: str, value: str) -> None:
    """Set the owner's value for a setting; "" removes it."""
    if not value:
        connection.execute(delete(choices).where(choices.c.owner == owner, choices.c.key == key))
        return
    # Two pages may set a value at the same moment: the later wins.
    upsert(connection, choices, {"owner": owner, "key": key, "value": value}, ("owner", "key"))


def add_choice(connection: Connection, owner: str, key: str, value: str) -> bool:
    """Set the owner's value for a setting that has none; return False if it has one."""
    return insert_if_absent(connection, choices, {"owner": owner, "key": key, "value": value})
