"""What somebody chose on the page, as rows: it wins over the settings' file."""

from typing import Literal

from sqlalchemy import Connection, delete, select

from pincite.settings import WebSettings
from pincite.store.tables import choices
from pincite.store.upsert import upsert

Where = Literal["page", "file", ""]
SEARCH_URL = "web.search_url"


def get(connection: Connection, owner: str, key: str) -> str:
    """What an owner chose for a setting, "" when nothing was."""
    query = select(choices.c.value).where(choices.c.owner == owner, choices.c.key == key)
    return connection.scalar(query) or ""


def search_url(connection: Connection, owner: str, settings: WebSettings) -> tuple[str, Where]:
    """Where the web is searched, "" when nowhere, and who says so."""
    if chosen := get(connection, owner, SEARCH_URL):
        return chosen, "page"
    return settings.search_url, "file" if settings.search_url else ""


def keep(connection: Connection, owner: str, key: str, value: str) -> None:
    """Choose a value for a setting in place of the one before; "" takes the choice back."""
    if not value:
        connection.execute(delete(choices).where(choices.c.owner == owner, choices.c.key == key))
        return
    # Two pages may choose at the same moment: the later wins.
    upsert(connection, choices, {"owner": owner, "key": key, "value": value}, ("owner", "key"))
