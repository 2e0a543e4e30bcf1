"""Define the tables, the same on SQLite and PostgreSQL.

The tables of accounts, credits and workspaces are in modules of their own. Times are seconds since the epoch. Every row
has an owner, if only through its document.
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
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from pincite.store import account_schema as account_schema
from pincite.store import credit_schema as credit_schema
from pincite.store import model_schema as model_schema
from pincite.store import notebook_schema as notebook_schema
from pincite.store import tag_schema as tag_schema
from pincite.store import workspace_schema as workspace_schema
from pincite.store.schema_metadata import Serial
from pincite.store.schema_metadata import metadata as metadata

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
    Column("id", Serial, primary_key=True, autoincrement=True),
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
    Column("id", Serial, primary_key=True, autoincrement=True),
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
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("owner", String, nullable=False),
    _make_document_column(),
    Column("step", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("worker", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Column("not_before", Double, nullable=False, server_default="0"),
    Column("done", Integer, nullable=False, server_default="0"),
    Column("total", Integer, nullable=False, server_default="0"),
    UniqueConstraint("document", "step"),
    CheckConstraint("step IN ('read', 'embed')", name="step"),
    CheckConstraint("state IN ('queued', 'running')", name="state"),
    Index(
        "ix_jobs_queued",
        "step",
        "priority",
        "turn",
        "id",
        sqlite_where=text("state = 'queued'"),
    ),
    Index("ix_jobs_running", "lease_until", sqlite_where=text("state = 'running'")),
    Index(None, "owner", "priority", "step", "turn"),
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


# Anybody with the link may read the conversation, until the row is removed or expires.
conversation_links = Table(
    "conversation_links",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret", String(64), nullable=False),
    _make_conversation_column(),
    Column("owner", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),
    UniqueConstraint("secret"),
    Index(None, "conversation"),
    Index(None, "owner"),
)

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
    # The process that writes it, its last heartbeat, and whether a user asked to stop it or its searches.
    Column("process", String, nullable=False),
    Column("heartbeat", Double, nullable=False),
    Column("stopping", Boolean, nullable=False),
    Column("stopping_retrieval", Boolean, nullable=False, server_default=false()),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    # The message before a question: "" for a first question, null for the one before it by position.
    Column("parent", String),
    # Of several versions of a question, the one with the greatest number is shown.
    Column("chosen", Integer, nullable=False, server_default="0"),
    UniqueConstraint("conversation", "position"),
    CheckConstraint("role IN ('user', 'assistant')", name="role"),
    CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name="state"),
)

_RUNNING = text("state = 'running'")
Index("ix_messages_running", messages.c.conversation, sqlite_where=_RUNNING)

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
    Column("id", Serial, primary_key=True, autoincrement=True),
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

# A move of the whole store to another database. The source gets a row with the role `source`, which ends as `moved`:
# from then on the source refuses changes. The target gets one with the role `target`, which ends as `complete`: until
# then nobody may use the target. Both have the same id.
moves = Table(
    "moves",
    metadata,
    Column("id", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("state", String, nullable=False),
    # The address of the other database, without a password.
    Column("other", Text, nullable=False),
    # What is copied so far, and what has to be put back when everything is.
    Column("progress", JSON, nullable=False),
    Column("started", Double, nullable=False),
    Column("ended", Double),
    CheckConstraint("role IN ('source', 'target')", name="role"),
    CheckConstraint("state IN ('copying', 'moved', 'complete')", name="state"),
)

# The rows that changed while a move copies the others, noted by triggers: a table and the key, as a JSON list.
move_changes = Table(
    "move_changes",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
    Column("changed", String, nullable=False),
    Column("key", Text, nullable=False),
    sqlite_autoincrement=True,
)

# The limits of requests in a minute, shared by all servers. A bucket is the time at which it is full again.
rate_buckets = Table(
    "rate_buckets",
    metadata,
    Column("key", String, primary_key=True),
    Column("full_at", Double, nullable=False),
)

# Passwords of documents that wait to be read by a worker elsewhere, encrypted; removed when the reading is over.
document_passwords = Table(
    "document_passwords",
    metadata,
    Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("encrypted", String, nullable=False),
)
