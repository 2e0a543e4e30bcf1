"""Attach content to generations of a document, so that it can be written in parts and shown at once."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")

# Each content table with its columns, and the column that identifies its rows within a generation.
_CONTENT: dict[str, tuple[tuple[str, ...], str]] = {
    "contents": (("part", "blocks"), "part"),
    "texts": (("start", "text"), "start"),
    "pages": (("number", "start", "end", "width", "height", "boxes", "label"), "number"),
    "concordances": (("part", "version", "data"), "part"),
}
_PASSAGES = ("ordinal", "start", "end", "headings", "first_page", "last_page")


def upgrade() -> None:
    op.create_table(
        "generations",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        sa.Column("document", sa.String, nullable=False),
        sa.Column("writer", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index(None, "generations", ["document"])
    op.add_column("documents", sa.Column("generation", sa.BigInteger))
    op.execute(
        "INSERT INTO generations (document, writer) SELECT id, '' FROM documents "
        "WHERE EXISTS (SELECT 1 FROM contents WHERE contents.document = documents.id) ORDER BY created, id"
    )
    op.execute(
        "UPDATE documents SET generation = (SELECT generations.id FROM generations WHERE document = documents.id)"
    )
    op.create_index(None, "documents", ["generation"])
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        _alter()


def downgrade() -> None:
    raise NotImplementedError("To downgrade, restore a copy of the database from before the upgrade.")


def _alter() -> None:
    """Change the tables in place, on PostgreSQL."""
    for name in ("contents", "concordances"):
        op.add_column(name, sa.Column("part", sa.Integer, nullable=False, server_default="0"))
        op.alter_column(name, "part", server_default=None)
    for name in (*_CONTENT, "passages"):
        op.add_column(name, sa.Column("generation", sa.BigInteger))
        op.execute(
            f"UPDATE {name} SET generation = documents.generation FROM documents WHERE documents.id = {name}.document"
        )
        op.alter_column(name, "generation", nullable=False)
        op.drop_column(name, "document")  # this also drops every constraint that contains the column
        op.create_foreign_key(None, name, "generations", ["generation"], ["id"], ondelete="CASCADE")
    for name, (_, key) in _CONTENT.items():
        op.create_primary_key(f"pk_{name}", name, ["generation", key])
    op.create_unique_constraint(None, "passages", ["generation", "ordinal"])
    op.drop_column("passages", "owner")


def _rebuild() -> None:
    """Write each table anew, and the index tables too, because SQLite cannot change a key."""
    for trigger in ("passages_words", "vectors_removals"):
        op.execute(f"DROP TRIGGER {trigger}")
    # Read before the tables are dropped: an id must never be used twice, even if the last rows were removed.
    numbered = ("passages", "vectors")
    known = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = :name), 0)"
    last = {name: op.get_bind().scalar(sa.text(known), {"name": name}) for name in numbered}
    for name in (*_CONTENT, "passages", "vectors"):
        op.rename_table(name, f"old_{name}")
    op.execute("DROP INDEX ix_vectors_document")
    _create_tables()
    for name, (columns, _) in _CONTENT.items():
        _copy(name, columns, {"part": "0"})
    _copy("passages", ("id", *_PASSAGES), {})
    _copy("vectors", ("id", "model", "passages", "vectors"), {})
    for name in (*_CONTENT, *numbered):
        op.execute(f"DROP TABLE old_{name}")
    for name, number in last.items():
        op.get_bind().execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
        op.get_bind().execute(
            sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), {"name": name, "number": number}
        )
    for statement in _TRIGGERS:
        op.execute(statement)


def _create_tables() -> None:
    op.create_table(
        "contents",
        _generation(),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("blocks", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("generation", "part"),
    )
    op.create_table(
        "texts",
        _generation(),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("generation", "start"),
    )
    op.create_table(
        "pages",
        _generation(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("width", sa.Double, nullable=False),
        sa.Column("height", sa.Double, nullable=False),
        sa.Column("boxes", sa.LargeBinary, nullable=False),
        sa.Column("label", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("generation", "number"),
    )
    op.create_table(
        "concordances",
        _generation(),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("generation", "part"),
    )
    op.create_table(
        "passages",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        _generation(),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("first_page", sa.Integer, nullable=False),
        sa.Column("last_page", sa.Integer, nullable=False),
        sa.UniqueConstraint("generation", "ordinal"),
        sqlite_autoincrement=True,
    )
    op.execute(
        "CREATE TABLE vectors ("
        "id INTEGER PRIMARY KEY AUTOINCREMENT, "
        "generation BIGINT NOT NULL REFERENCES generations (id) ON DELETE CASCADE, "
        "model TEXT NOT NULL, passages BLOB NOT NULL, vectors BLOB NOT NULL)"
    )
    op.execute("CREATE INDEX ix_vectors_generation ON vectors (generation)")


def _generation() -> "sa.Column[int]":
    return sa.Column("generation", sa.BigInteger, sa.ForeignKey("generations.id", ondelete="CASCADE"), nullable=False)


def _copy(name: str, columns: tuple[str, ...], made: dict[str, str]) -> None:
    quoted = ", ".join(f'"{column}"' for column in columns)
    taken = ", ".join(made.get(column, f'o."{column}"') for column in columns)
    op.execute(
        f"INSERT INTO {name} (generation, {quoted}) SELECT d.generation, {taken} "
        f"FROM old_{name} o JOIN documents d ON d.id = o.document WHERE d.generation IS NOT NULL ORDER BY o.rowid"
    )


# Words are removed with their passages. The state counts only changes of visible rows: no search finds the rows of a
# generation that no document refers to, so writing and removing them changes nothing.
_TRIGGERS = (
    "CREATE TRIGGER passages_words AFTER DELETE ON passages BEGIN DELETE FROM words WHERE rowid = old.id; END",
    "CREATE TRIGGER vectors_removals AFTER DELETE ON vectors "
    "WHEN EXISTS (SELECT 1 FROM documents WHERE generation = old.generation) "
    "BEGIN UPDATE index_state SET value = value + 1 WHERE name = 'vectors_removed'; END",
    "CREATE TRIGGER documents_removals AFTER DELETE ON documents WHEN old.generation IS NOT NULL "
    "BEGIN UPDATE index_state SET value = value + 1 WHERE name IN ('words_changed', 'vectors_removed'); END",
    "CREATE TRIGGER documents_generations AFTER UPDATE OF generation ON documents "
    "WHEN old.generation IS NOT new.generation "
    "BEGIN UPDATE index_state SET value = value + 1 WHERE name = 'words_added'; "
    "UPDATE index_state SET value = value + 1 WHERE name IN ('words_changed', 'vectors_removed') "
    "AND old.generation IS NOT NULL; END",
)
