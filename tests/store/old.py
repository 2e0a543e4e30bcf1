"""Databases of earlier versions, made by their own migrations and filled with rows as they were then."""

from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from pincite.store import database as module
from pincite.store.content_slices import pack_blocks
from pincite.store.database import Database
from pincite.types import Block


def clear(database: Database) -> None:
    """Leave a database without any table."""
    if not database.sqlite:
        with database.writing() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        return
    database.close()
    for suffix in ("", "-wal", "-shm"):
        Path(f"{database.engine.url.database}{suffix}").unlink(missing_ok=True)


def migrate_to(connection: Connection, revision: str) -> None:
    """Make the tables of an earlier revision."""
    config = Config()
    config.set_main_option("script_location", str(Path(module.__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def put_old_document(connection: Connection, id: str, paragraphs: Sequence[str], owner: str = "local") -> None:
    """A document that was read before there were generations, each paragraph a passage with its words."""
    whole = "\n\n".join(paragraphs)
    connection.execute(
        text(
            "INSERT INTO documents (id, owner, sha256, kind, title, name, language, status, error, problems, pages, "
            "passages, bytes, metadata, analysis, cut, created, updated) VALUES (:id, :owner, :sha, 'text', :title, "
            ":title, 'en', 'ready', '', '[]', 1, :passages, 10, '{}', 1, '1500:200', 1.0, 1.0)"
        ),
        {"id": id, "owner": owner, "sha": id.ljust(64, "0"), "title": id, "passages": len(paragraphs)},
    )
    blocks = pack_blocks([Block("paragraph", 0, len(whole), 0)])
    connection.execute(
        text("INSERT INTO contents (document, blocks) VALUES (:id, :blocks)"), {"id": id, "blocks": blocks}
    )
    connection.execute(
        text("INSERT INTO texts (document, start, text) VALUES (:id, 0, :text)"), {"id": id, "text": whole}
    )
    connection.execute(
        text(
            'INSERT INTO pages (document, number, start, "end", width, height, boxes) '
            "VALUES (:id, 1, 0, :end, 100, 100, :boxes)"
        ),
        {"id": id, "end": len(whole), "boxes": b"boxes"},
    )
    at = 0
    for ordinal, paragraph in enumerate(paragraphs):
        made = connection.execute(
            text(
                'INSERT INTO passages (document, owner, ordinal, start, "end", headings, first_page, last_page) '
                "VALUES (:id, :owner, :ordinal, :start, :end, '[]', 1, 1) RETURNING id"
            ),
            {"id": id, "owner": owner, "ordinal": ordinal, "start": at, "end": at + len(paragraph)},
        ).scalar_one()
        at += len(paragraph) + 2
        if connection.dialect.name == "sqlite":
            words = {"id": made, "body": paragraph.lower().rstrip(".")}
            connection.execute(text("INSERT INTO words (rowid, context, body) VALUES (:id, '', :body)"), words)
