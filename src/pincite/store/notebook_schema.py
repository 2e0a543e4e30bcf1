"""Define the tables of notebooks, of the things kept in them, and of highlights and comments on documents."""

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from pincite.store.schema_metadata import metadata

notebooks = Table(
    "notebooks",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Index(None, "owner", "updated"),
)

# A kept thing does not refer to the conversation and the documents that it comes from: it stays when they are removed.
notebook_items = Table(
    "notebook_items",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("notebook", String, ForeignKey("notebooks.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("comment", Text, nullable=False),
    # The question of a kept sentence or answer, and where it was asked.
    Column("question", Text, nullable=False),
    Column("conversation", String, nullable=False),
    Column("message", String, nullable=False),
    # The sentences with their verdicts and the citations with their pins, as they were when the thing was kept.
    Column("proof", JSON, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    CheckConstraint("kind IN ('sentence', 'answer', 'passage', 'text')", name="kind"),
    Index(None, "notebook", "position"),
    Index(None, "owner"),
)

# A highlight, with a comment or without. It belongs to one person, who need not own the document.
annotations = Table(
    "annotations",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("quote", Text, nullable=False),
    Column("page", Integer),
    Column("label", Text, nullable=False),
    Column("colour", String, nullable=False),
    Column("comment", Text, nullable=False),
    # The reading of the document in which the offsets were last checked, and whether the quote was found there.
    Column("generation", BigInteger),
    Column("state", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    CheckConstraint("colour IN ('yellow', 'green', 'blue', 'pink')", name="colour"),
    CheckConstraint("state IN ('found', 'lost')", name="state"),
    Index(None, "owner", "document", "start"),
    Index(None, "document"),
)
