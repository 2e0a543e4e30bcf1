"""Define the tables of workspaces: the libraries, conversations, notebooks and instructions of a piece of work."""

from sqlalchemy import Column, Double, ForeignKey, Index, PrimaryKeyConstraint, String, Table, Text, UniqueConstraint

from pincite.store.schema_metadata import metadata

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("instructions", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("owner", "name"),
)

workspace_libraries = Table(
    "workspace_libraries",
    metadata,
    Column("workspace", String, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String, nullable=False),
    # The id of the person who owns the library; empty for a library of one's own.
    Column("library_owner", String, nullable=False),
    Column("library", Text, nullable=False),
    PrimaryKeyConstraint("workspace", "library_owner", "library"),
    Index(None, "owner"),
    Index(None, "library_owner"),
)

# A conversation is in one workspace at most.
workspace_conversations = Table(
    "workspace_conversations",
    metadata,
    Column("conversation", String, ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("workspace", String, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String, nullable=False),
    Index(None, "workspace"),
    Index(None, "owner"),
)

# A notebook is in one workspace at most.
workspace_notebooks = Table(
    "workspace_notebooks",
    metadata,
    Column("notebook", String, ForeignKey("notebooks.id", ondelete="CASCADE"), primary_key=True),
    Column("workspace", String, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String, nullable=False),
    Index(None, "workspace"),
    Index(None, "owner"),
)
