"""Create the index on PostgreSQL: words in segments of postings, vectors as rows of pgvector's `halfvec`."""

from alembic import op
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pincite.errors import StorageError

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _require_pgvector(op.get_bind())
        for statement in _STATEMENTS:
            op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER documents_index ON documents")
        op.execute("DROP FUNCTION note_index_change")
        for name in ("word_postings", "word_segments", "passage_vectors", "vector_models", "index_changes"):
            op.execute(f"DROP TABLE {name}")


def _require_pgvector(connection: Connection) -> None:
    """Create the extension if it is not there, and refuse one that cannot continue a search behind a filter."""
    installed = text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    try:
        if connection.scalar(installed) is None:
            connection.execute(text("CREATE EXTENSION vector"))
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise StorageError(
            f"PostgreSQL cannot create the extension `vector` (pgvector), which the search needs: {reason}.",
            "Install pgvector on the database server if it is missing. Then let its administrator run "
            "CREATE EXTENSION vector in this database, and start Pincite again.",
        ) from error
    version = str(connection.scalar(installed))
    if tuple(map(int, version.split(".")[:2])) < (0, 8):
        raise StorageError(
            f"The database has pgvector {version}, and the search needs 0.8 or later.",
            "Install a newer pgvector on the database server, and let its administrator run "
            "ALTER EXTENSION vector UPDATE in this database.",
        )


# `index_changes` has a row for each change that a search can notice; a process compares its largest id and the number
# of rows. A counter in one row would make all writers wait for each other.
_STATEMENTS = (
    "CREATE TABLE index_changes (id BIGSERIAL PRIMARY KEY)",
    "CREATE TABLE word_segments ("
    "id BIGSERIAL PRIMARY KEY, level SMALLINT NOT NULL, size INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 0, "
    "first BIGINT NOT NULL, last BIGINT NOT NULL, merged BYTEA NOT NULL DEFAULT '', "
    "passages BYTEA NOT NULL, generations BYTEA NOT NULL, contexts BYTEA NOT NULL, bodies BYTEA NOT NULL, "
    "removed BYTEA NOT NULL DEFAULT '', without_context BYTEA NOT NULL DEFAULT '')",
    'CREATE TABLE word_postings (term TEXT COLLATE "C" NOT NULL, '
    "segment BIGINT NOT NULL REFERENCES word_segments (id) ON DELETE CASCADE, is_body BOOLEAN NOT NULL, "
    "rows BYTEA NOT NULL, counts BYTEA NOT NULL, PRIMARY KEY (term, segment, is_body))",
    # Postings are read whole and do not compress well.
    "ALTER TABLE word_postings ALTER COLUMN rows SET STORAGE EXTERNAL, ALTER COLUMN counts SET STORAGE EXTERNAL",
    "CREATE INDEX ix_word_postings_segment ON word_postings (segment)",
    "CREATE TABLE vector_models (id SERIAL PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL, "
    "UNIQUE (name, dimension))",
    "CREATE TABLE passage_vectors ("
    "passage BIGINT NOT NULL, model INTEGER NOT NULL REFERENCES vector_models (id), "
    "generation BIGINT NOT NULL REFERENCES generations (id) ON DELETE CASCADE, vector HALFVEC NOT NULL, "
    "PRIMARY KEY (passage, model))",
    # A vector has two bytes a component and is read in every comparison: compressing it would cost more than it saves.
    "ALTER TABLE passage_vectors ALTER COLUMN vector SET STORAGE PLAIN",
    "CREATE INDEX ix_passage_vectors_generation ON passage_vectors (generation, model)",
    "CREATE FUNCTION note_index_change() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN INSERT INTO index_changes DEFAULT VALUES; RETURN NULL; END $$",
    "CREATE TRIGGER documents_index AFTER INSERT OR DELETE OR UPDATE OF generation ON documents "
    "FOR EACH STATEMENT EXECUTE FUNCTION note_index_change()",
)
