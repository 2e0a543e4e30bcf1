"""Define the table of tags: words by which a library's documents are sorted."""

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, String, Table, Text

from pincite.store.schema_metadata import metadata

# A tag belongs to a document in one library, so that people see the tags of the libraries that they see.
document_tags = Table(
    "document_tags",
    metadata,
    Column("owner", String, nullable=False),
    Column("library", String, nullable=False),
    Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("tag", Text, nullable=False),
    PrimaryKeyConstraint("owner", "library", "document", "tag"),
    Index(None, "document"),
)
