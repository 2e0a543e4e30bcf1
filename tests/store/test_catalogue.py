from pathlib import Path

from pincite.library import Library
from pincite.store import catalogue
from tests import pdfs
from tests.turns import keep


def test_documents_and_their_pages_are_counted_for_their_owner_alone(library: Library, tmp_path: Path) -> None:
    with library.database.reading() as connection:
        assert catalogue.counted(connection, "local") == (0, 0)
    for name, pages in (("a", 2), ("b", 3)):
        keep(library, pdfs.simple(tmp_path / f"{name}.pdf", pages))
    with library.database.reading() as connection:
        assert catalogue.counted(connection, "local") == (2, 5)
        assert catalogue.counted(connection, "somebody else") == (0, 0)
