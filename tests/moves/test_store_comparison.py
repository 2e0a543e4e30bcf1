"""Two stores that differ are told apart, and then the store is not switched."""

import pytest
from sqlalchemy import text

from pincite.errors import StorageError
from pincite.library import Library
from pincite.moves.store_comparison import check_stores
from pincite.moves.store_move import StoreMove
from pincite.store import conversations
from pincite.store.row_copy import CopiedTable
from tests.moves.stores import move_store, opened_target

LOCAL = "local"


@pytest.mark.slow
def test_a_difference_keeps_the_store_from_being_switched(
    full: Library, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = CopiedTable.write

    def forget(self: CopiedTable, connection: object, rows: list[tuple[object, ...]]) -> None:
        write(self, connection, rows[1:] if self.name == "messages" else rows)  # type: ignore[arg-type]

    monkeypatch.setattr(CopiedTable, "write", forget)
    with pytest.raises(StorageError, match="in messages") as refused:
        move_store(full.database, empty_postgres)
    assert refused.value.reason == "differs"
    monkeypatch.undo()
    with full.database.writing() as connection:
        conversations.create(connection, LOCAL, "Still in use")
    move_store(full.database, empty_postgres)


def test_the_comparison_finds_a_changed_row_word_and_vector(full: Library, empty_postgres: str) -> None:
    with opened_target(empty_postgres) as target:
        StoreMove(full.database, target).run()
        assert check_stores(full.database, target).is_equal
        with target.writing() as connection:
            connection.execute(text("UPDATE messages SET content = content || '!' WHERE position = 1"))
            connection.execute(text("DELETE FROM word_postings WHERE term = 'qzkvada' AND is_body"))
            connection.execute(
                text("DELETE FROM passage_vectors WHERE passage = (SELECT min(passage) FROM passage_vectors)")
            )
        found = check_stores(full.database, target)
    assert not found.is_equal
    assert found.differing.keys() == {"messages", "passages", "vectors of a generation"}
    assert found.differing["messages"] == 3
