"""The order in which every transaction takes its locks on PostgreSQL.

Two transactions that take the same locks in different orders wait for each other, until the server ends one of them:
that one fails with `RowsLocked`. So a transaction takes those of the following that it needs in this order.

1. The lock of all credits (`credits.lock_credits`), or the lock of a file's bytes (`unused_files.lock_file`).
2. People: the owners of the server (`people.lock_owners`), then one person. Then what belongs to people: sessions,
   tokens, links.
3. Conversations. Then what belongs to them: messages, events, links.
4. Documents by id (`lock_documents`). Then what belongs to them: jobs, sources, tags, passwords.
5. Generations. Then what belongs to them, and the segments of the index by id.

A row that others belong to comes before them: its removal removes them, and a new one of them locks it by its foreign
key. Rows that a transaction has just inserted are seen by nobody else, and may come anywhere.
"""

from collections.abc import Collection

from sqlalchemy import Connection, select

from pincite.store.schema import documents


def lock_documents(connection: Connection, ids: Collection[str], *, removes: bool = False) -> set[str]:
    """Lock documents before what belongs to them, and return those that are still there.

    A transaction that may remove one of them says so. On SQLite a transaction that writes is alone.
    """
    if connection.dialect.name == "sqlite" or not ids:
        return set(ids)
    query = select(documents.c.id).where(documents.c.id.in_(ids)).order_by(documents.c.id)
    return set(connection.scalars(query.with_for_update(key_share=not removes)))
