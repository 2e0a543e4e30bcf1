"""List the addresses in a stored web page: its links, and addresses in its text."""

from typing import TYPE_CHECKING

from pincite.reading.html import decode_page
from pincite.store import document_text, documents
from pincite.web.addresses import find_addresses
from pincite.web.html_links import list_links

if TYPE_CHECKING:
    from pincite.library import Library

_BYTES = 5_000_000  # of a page that is searched for links
_CHARACTERS = 200_000  # of a text that is searched for addresses


def list_page_links(library: "Library", person: str, document: str) -> list[str]:
    """Return the addresses that a document from the web links to, as written there."""
    with library.database.reading() as connection:
        stored = documents.get_visible(connection, person, document)
        text = document_text.read_text(connection, document, 0, _CHARACTERS)
    found = list(find_addresses(text))
    if stored.kind == "html":
        page = b"".join(library.files.read(stored.sha256, 0, _BYTES))
        found += list_links(decode_page(page), stored.metadata.get("url", ""), heeds_robots=False)
    return found
