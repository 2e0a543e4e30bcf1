"""The addresses that a kept web page names: its links, and those that stand in its text."""

from typing import TYPE_CHECKING

from pincite.reading.html import text_of
from pincite.store import documents
from pincite.web.addresses import addresses
from pincite.web.links import list_links

if TYPE_CHECKING:
    from pincite.library import Library

_BYTES = 5_000_000  # of a page in which links are looked for
_CHARACTERS = 200_000  # of a text in which addresses are looked for


def list_page_links(library: "Library", document: str) -> list[str]:
    """The addresses that a document fetched from the web leads to, as it spells them."""
    with library.database.reading() as connection:
        stored = documents.get(connection, document)
        text = documents.text(connection, document, 0, _CHARACTERS)
    found = list(addresses(text))
    if stored.kind == "html":
        with library.file(stored).open("rb") as file:
            found += list_links(text_of(file.read(_BYTES)), stored.metadata.get("url", ""), heeds_robots=False)
    return found
