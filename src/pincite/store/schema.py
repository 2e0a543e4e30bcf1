"""Define the tables, the same on SQLite and PostgreSQL.

Times are seconds since the epoch. Every row has an owner, if only through its document.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite assigns row ids only to a column declared exactly INTEGER.
_Serial = BigInteger().with_variant(Integer, "sqlite")

users = Table(
    "users",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Double, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("kind", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("language", String, nullable=False),
    Column("status", String, nullable=False),
    Column("error", Text, nullable=False),
    Column("problems", JSON, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("passages", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("date", String(10)),
    Column("analysis", Integer, nullable=False),
    Column("cut", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    # The code of the error in `error`, for programs.
    Column("error_code", String, nullable=False, server_default=""),
    # The title that a user gave; empty if `title` is the one that was read.
    Column("given_title", Text, nullable=False, server_default=""),
    # The visible content; null until the document was read.
    Column("generation", BigInteger),
    UniqueConstraint("owner", "sha256"),
    CheckConstraint("status IN ('queued', 'reading', 'searchable', 'embedding', 'ready', 'failed')", name="status"),
    Index(None, "owner", "status"),
    Index(None, "language"),
    Index(None, "generation"),
)

# The content of a document from one reading. It is visible if its document refers to it; any other is being written, or
# waits to be removed, a few rows at a time. It has no foreign key, because it outlives its document until it is
# removed.
generations = Table(
    "generations",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("document", String, nullable=False),
    # The process that writes it; empty if none does.
    Column("writer", String, nullable=False),
    Index(None, "document"),
    sqlite_autoincrement=True,
)


def _make_document_column() -> Column[str]:
    return Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), nullable=False)


def _make_generation_column() -> Column[int]:
    return Column("generation", BigInteger, ForeignKey("generations.id", ondelete="CASCADE"), nullable=False)


sources = Table(
    "sources",
    metadata,
    Column("owner", String, nullable=False),
    Column("library", String, nullable=False),
    Column("location", Text, nullable=False),
    _make_document_column(),
    Column("size", BigInteger, nullable=False),
    Column("modified", Double, nullable=False),
    PrimaryKeyConstraint("owner", "library", "location"),
    Index(None, "document"),
)

contents = Table(
    "contents",
    metadata,
    _make_generation_column(),
    Column("part", Integer, nullable=False),
    Column("blocks", LargeBinary, nullable=False),
    PrimaryKeyConstraint("generation", "part"),
)

texts = Table(
    "texts",
    metadata,
    _make_generation_column(),
    Column("start", Integer, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("generation", "start"),
)

pages = Table(
    "pages",
    metadata,
    _make_generation_column(),
    Column("number", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("width", Double, nullable=False),
    Column("height", Double, nullable=False),
    Column("boxes", LargeBinary, nullable=False),
    # The page number as printed, if it differs from `number`.
    Column("label", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("generation", "number"),
)

concordances = Table(
    "concordances",
    metadata,
    _make_generation_column(),
    Column("part", Integer, nullable=False),
    # The version of the code that made it during reading; 0 if it was made later from rows, which contain less about a
    # page.
    Column("version", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("generation", "part"),
)

passages = Table(
    "passages",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    _make_generation_column(),
    Column("ordinal", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("headings", JSON, nullable=False),
    Column("first_page", Integer, nullable=False),
    Column("last_page", Integer, nullable=False),
    UniqueConstraint("generation", "ordinal"),
    # The index stores words and vectors under these ids, so an id must never be used twice.
    sqlite_autoincrement=True,
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("owner", String, nullable=False),
    _make_document_column(),
    Column("step", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("worker", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created", Double, nullable=False),
    UniqueConstraint("document", "step"),
    CheckConstraint("step IN ('read', 'embed')", name="step"),
    CheckConstraint("state IN ('queued', 'running')", name="state"),
    Index(None, "priority", "id"),
    sqlite_autoincrement=True,
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Index(None, "owner", "updated", "id"),
)


def _make_conversation_column() -> Column[str]:
    return Column("conversation", String, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False)


messages = Table(
    "messages",
    metadata,
    Column("id", String, primary_key=True),
    _make_conversation_column(),
    Column("owner", String, nullable=False),
    Column("position", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("asked", JSON, nullable=False),
    Column("answer", JSON(none_as_null=True)),
    Column("model", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    # The number of the conversation's last event before the first of this message.
    Column("after", Integer, nullable=False),
    # The process that writes it, its last heartbeat, and whether a user asked to stop it.
    Column("process", String, nullable=False),
    Column("heartbeat", Double, nullable=False),
    Column("stopping", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("conversation", "position"),
    CheckConstraint("role IN ('user', 'assistant')", name="role"),
    CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name="state"),
)

events = Table(
    "events",
    metadata,
    _make_conversation_column(),
    Column("seq", Integer, nullable=False),
    Column("message", String, nullable=False),
    Column("type", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("conversation", "seq"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("message", String, ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String, nullable=False),
    Column("value", Integer, nullable=False),
    Column("comment", Text, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("message", "owner"),
    CheckConstraint("value IN (-1, 1)", name="value"),
)

usage = Table(
    "usage",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("owner", String, nullable=False),
    # Usage stays when its conversation is removed; it contains no text of it.
    Column("message", String, ForeignKey("messages.id", ondelete="SET NULL")),
    Column("model", String, nullable=False),
    Column("role", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("role IN ('chat', 'system')", name="role"),
    Index(None, "owner", "created"),
    Index(None, "message"),
)

personas = Table(
    "personas",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("instructions", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("owner", "name"),
)

choices = Table(
    "choices",
    metadata,
    Column("owner", String, nullable=False),
    Column("key", String, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("owner", "key"),
)

calibrations = Table(
    "calibrations",
    metadata,
    Column("model", String, primary_key=True),
    Column("agreed", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("passed", Integer, nullable=False),
    Column("doubted", Integer, nullable=False),
    Column("unjudged", Integer, nullable=False),
    Column("version", String, nullable=False),
    Column("when", Double, nullable=False),
)
