"""Create documents, their text and passages, jobs, and (on SQLite) the index tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _document(primary_key: bool = False) -> "sa.Column[str]":
    reference = sa.ForeignKey("documents.id", ondelete="CASCADE")
    return sa.Column("document", sa.String, reference, nullable=False, primary_key=primary_key)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("problems", sa.JSON, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("passages", sa.Integer, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("metadata", sa.JSON, nullable=False),
        sa.Column("date", sa.String(10)),
        sa.Column("analysis", sa.Integer, nullable=False),
        sa.Column("cut", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.UniqueConstraint("owner", "sha256"),
        sa.CheckConstraint(
            "status IN ('queued', 'reading', 'searchable', 'embedding', 'ready', 'failed')", name="status"
        ),
    )
    op.create_index(None, "documents", ["owner", "status"])
    op.create_index(None, "documents", ["language"])
    op.create_table(
        "sources",
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("library", sa.String, nullable=False),
        sa.Column("location", sa.Text, nullable=False),
        _document(),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("modified", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("owner", "library", "location"),
    )
    op.create_index(None, "sources", ["document"])
    op.create_table("contents", _document(primary_key=True), sa.Column("blocks", sa.LargeBinary, nullable=False))
    op.create_table(
        "texts",
        _document(),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("document", "start"),
    )
    op.create_table(
        "pages",
        _document(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("width", sa.Double, nullable=False),
        sa.Column("height", sa.Double, nullable=False),
        sa.Column("boxes", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("document", "number"),
    )
    op.create_table(
        "passages",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        _document(),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("first_page", sa.Integer, nullable=False),
        sa.Column("last_page", sa.Integer, nullable=False),
        sa.UniqueConstraint("document", "ordinal"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "jobs",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        sa.Column("owner", sa.String, nullable=False),
        _document(),
        sa.Column("step", sa.String, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("worker", sa.String, nullable=False),
        sa.Column("lease_until", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("document", "step"),
        sa.CheckConstraint("step IN ('read', 'embed')", name="step"),
        sa.CheckConstraint("state IN ('queued', 'running')", name="state"),
        sqlite_autoincrement=True,
    )
    op.create_index(None, "jobs", ["priority", "id"])
    if op.get_bind().dialect.name == "sqlite":
        for statement in _SQLITE_INDEX:
            op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for name in ("words_terms", "words", "vectors", "index_state"):
            op.execute(f"DROP TABLE {name}")
    for name in ("jobs", "passages", "pages", "texts", "contents", "sources", "documents", "users"):
        op.drop_table(name)


# `index.terms` makes the terms, so the tokenizer must only split at spaces. Triggers remove words and vectors with
# their passages and count the removals, including those of a cascade.
_SQLITE_INDEX = (
    "CREATE VIRTUAL TABLE words USING fts5(context, body, tokenize = \"ascii tokenchars '.+#&_-'\")",
    "CREATE VIRTUAL TABLE words_terms USING fts5vocab(words, instance)",
    "CREATE TABLE vectors ("
    "id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "document VARCHAR NOT NULL REFERENCES documents (id) ON DELETE CASCADE, "
    "model TEXT NOT NULL, passages BLOB NOT NULL, vectors BLOB NOT NULL)",
    "CREATE INDEX ix_vectors_document ON vectors (document)",
    "CREATE TABLE index_state (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    "INSERT INTO index_state VALUES ('vectors_removed', 0), ('words_added', 0), ('words_changed', 0)",
    "CREATE TRIGGER passages_words AFTER DELETE ON passages "
    "BEGIN DELETE FROM words WHERE rowid = old.id; DELETE FROM vectors WHERE document = old.document; "
    "UPDATE index_state SET value = value + 1 WHERE name = 'words_changed'; END",
    "CREATE TRIGGER vectors_removals AFTER DELETE ON vectors "
    "BEGIN UPDATE index_state SET value = value + 1 WHERE name = 'vectors_removed'; END",
)
