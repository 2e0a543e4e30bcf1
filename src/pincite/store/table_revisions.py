"""Know the revisions of the tables, and upgrade tables from one to another. Alembic is imported when it is needed."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from pincite.errors import StorageError

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0021"
_MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade_known_tables(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables, unless another process has done so meanwhile, or they are those of a newer program."""
    from alembic.migration import MigrationContext

    found = MigrationContext.configure(connection).get_current_revision()
    if found and not is_known_revision(found):
        raise StorageError(
            "The database was made by a newer version of Pincite.",
            "Upgrade Pincite, or set `data` (or `database`) to another location.",
        )
    if not found or revision == "head" or revision in list_later_revisions(found):
        upgrade_tables(connection, revision)


def list_later_revisions(revision: str) -> list[str]:
    """Return the revisions after one, the oldest first; only the last one if it is not known."""
    from alembic.script import ScriptDirectory

    known = [script.revision for script in ScriptDirectory.from_config(_make_config()).walk_revisions()][::-1]
    return known[known.index(revision) + 1 :] if revision in known else ["head"]


def is_known_revision(revision: str) -> bool:
    """Whether this program knows a revision of the tables: it may upgrade them to its own."""
    from alembic.script import ScriptDirectory

    return revision in {script.revision for script in ScriptDirectory.from_config(_make_config()).walk_revisions()}


def upgrade_tables(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, in the caller's transaction. An empty database gets its tables."""
    from alembic import command

    config = _make_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _make_config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config
