"""The content of a document is seen when it is whole, and stays what it was through an upgrade."""

import pytest
from sqlalchemy import Connection, func, select, text

from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import list_question_terms
from pincite.store import document_layout, document_text, documents, generations, stored_passages
from pincite.store.database import Database
from pincite.store.schema import metadata
from pincite.store.table_revisions import HEAD
from pincite.types import Block, Document, Page, Passage
from tests.store.old import clear, migrate_to, put_old_document

OLD = Document("text", "Herons nest here.", pages=(Page(1, 0, 17),), blocks=(Block("paragraph", 0, 17, 0),))
NEW = "Otters live here."


def add(connection: Connection, letter: str = "a") -> str:
    id = documents.create(connection, "local", letter * 64, f"{letter}.txt", 10)[0].id
    documents.write_content(connection, id, OLD, [Passage(0, 17, first_page=1, last_page=1)])
    return id


def write_hidden(connection: Connection, id: str, count: int = 1) -> int:
    generation = generations.begin(connection, id, "a writer")
    generations.add_texts(connection, generation, [(0, NEW)])
    generations.add_pages(connection, generation, [Page(1, 0, 17, boxes=b"new", label="i")])
    generations.add_blocks(connection, generation, 0, [Block("heading", 0, 17, 1)])
    generations.add_passages(connection, generation, 0, [Passage(0, 6 + i) for i in range(count)])
    return generation


def test_a_hidden_generation_is_nowhere_until_shown_and_then_everywhere(either: Database) -> None:
    with either.writing() as connection:
        id = add(connection)
        former = documents.get(connection, id).generation
        hidden = write_hidden(connection, id)
        assert document_text.load_document(connection, id).text == document_layout.load_text(connection, id) == OLD.text
        assert document_text.read_text(connection, id, 0, 6) == "Herons"
        assert [page.label for page in document_layout.list_pages(connection, id)] == [""]
        assert document_layout.load_blocks(connection, id) == OLD.blocks
        assert len(stored_passages.list_ids(connection, id)) == 1
        others = select(text("id")).select_from(text("passages")).where(text(f"generation = {hidden}"))
        new = list(connection.scalars(others))
        assert stored_passages.get(connection, new) == []
        assert stored_passages.map_to_documents(connection, new) == {}
        documents.show_generation(connection, id, hidden, OLD, documents.Count(1, 1), "")
        assert document_text.read_text(connection, id, 0, 6) == "Otters"
        assert [page.label for page in document_layout.list_pages(connection, id)] == ["i"]
        assert document_layout.load_blocks(connection, id)[0].kind == "heading"
        assert stored_passages.list_ids(connection, id) == new
        assert generations.list_removable(connection) == [former]


def test_a_hidden_generation_is_removed_a_few_rows_at_a_time_and_a_visible_one_never(either: Database) -> None:
    with either.writing() as connection:
        id = add(connection)
        hidden = write_hidden(connection, id, 25)
        before = connection.execute(select(func.count()).select_from(metadata.tables["passages"])).scalar_one()
        assert generations.clear(connection, hidden, 10) is False
        left = connection.execute(select(func.count()).select_from(metadata.tables["passages"])).scalar_one()
        assert before - left == 10
        while not generations.clear(connection, hidden, 10):
            pass
        assert document_text.load_document(connection, id) == OLD
        shown = documents.get(connection, id).generation
        assert shown is not None
        with pytest.raises(ValueError):
            generations.clear(connection, shown, 10)


def test_hidden_passages_change_no_score(database: Database) -> None:
    index = SqliteIndex()
    asked = list_question_terms("herons otters", ["en"])
    with database.writing() as connection:
        first = add(connection)
        index.add_words(connection, [(stored_passages.list_ids(connection, first)[0], "", "heron nest here")])
    with database.reading() as connection:
        alone = SqliteIndex().lexical(connection, asked, None, 10)
        assert index.lexical(connection, asked, None, 10) == alone
    with database.writing() as connection:
        hidden = generations.begin(connection, first)
        ids = generations.add_passages(connection, hidden, 0, [Passage(0, 6)] * 1)
        index.add_words(connection, [(ids[0], "", "heron otter " * 50)])
    for looking in (index, SqliteIndex()):
        with database.reading() as connection:
            assert looking.lexical(connection, asked, None, 10) == alone
    with database.writing() as connection:
        other = add(connection, "b")  # published while the first is still hidden, with a larger id
        index.add_words(connection, [(stored_passages.list_ids(connection, other)[0], "", "otter")])
        connection.exec_driver_sql("UPDATE index_state SET value = value + 1 WHERE name = 'words_added'")
    with database.reading() as connection:
        found = {id for id, _ in index.lexical(connection, asked, None, 10)}
        assert found == {stored_passages.list_ids(connection, first)[0], stored_passages.list_ids(connection, other)[0]}
    with database.writing() as connection:
        documents.show_generation(connection, first, hidden, OLD, documents.Count(0, 1), "")
    with database.reading() as connection:
        assert index.lexical(connection, asked, None, 10) == SqliteIndex().lexical(connection, asked, None, 10)
        assert ids[0] in {id for id, _ in index.lexical(connection, asked, None, 10)}


def test_vectors_of_a_former_generation_are_not_compared(database: Database) -> None:
    import numpy as np

    index, near = SqliteIndex(), np.ones(4, np.float32)
    with database.writing() as connection:
        id = add(connection)
        old = stored_passages.list_ids(connection, id)
        index.add_vectors(connection, id, "model", old, np.ones((1, 4), np.float32))
    with database.reading() as connection:
        assert [found for found, _ in index.dense(connection, near, "model", None, 5)] == old
    with database.writing() as connection:
        documents.show_generation(connection, id, write_hidden(connection, id), OLD, documents.Count(1, 1), "")
    for looking in (index, SqliteIndex()):
        with database.reading() as connection:
            assert looking.dense(connection, near, "model", None, 5) == []
            assert looking.models(connection) == {}
            assert looking.list_unembedded(connection, id, "model", 5) == stored_passages.list_ids(connection, id)


def test_a_database_from_before_keeps_documents_words_and_numbers(either: Database) -> None:
    clear(either)
    with either.writing() as connection:
        migrate_to(connection, "0006")
        put_old_document(connection, "lakes", ["Herons nest here.", "Otters live there."])
        put_old_document(connection, "gone", ["Removed before the upgrade."])
        last = connection.scalar(text("SELECT max(id) FROM passages"))
        connection.execute(text("DELETE FROM documents WHERE id = 'gone'"))
    either.migrate()
    assert either.revision() == HEAD
    with either.reading() as connection:
        found = document_text.load_document(connection, "lakes", boxes=True)
        assert found.text == "Herons nest here.\n\nOtters live there."
        assert found.pages[0].boxes == b"boxes"
        assert [block.kind for block in found.blocks] == ["paragraph"]
        ids = stored_passages.list_ids(connection, "lakes")
        assert [row.passage.start for row in stored_passages.get(connection, ids)] == [0, 19]
        assert generations.list_removable(connection) == []
        if either.sqlite:
            hits = SqliteIndex().lexical(connection, list_question_terms("otters", [""]), None, 5)
            assert [id for id, _ in hits] == ids[1:]
    with either.writing() as connection:
        add(connection)
        assert max(connection.scalars(text("SELECT id FROM passages"))) > last
        assert documents.remove(connection, "lakes")
