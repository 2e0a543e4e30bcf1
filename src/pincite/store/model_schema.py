"""Define the tables of the models that are set on the page or with `pincite models`. They belong to the server."""

from sqlalchemy import Boolean, Column, Double, String, Table, Text

from pincite.store.schema_metadata import metadata

# A provider that was set on the page: its address, empty for the usual one, and its encrypted key, empty without one.
model_providers = Table(
    "model_providers",
    metadata,
    Column("name", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("url", Text, nullable=False),
    Column("encrypted", Text, nullable=False),
    Column("changed", Double, nullable=False),
)

# A model that was tried or added, as `provider:model`. A result is null if it is not known.
known_models = Table(
    "known_models",
    metadata,
    Column("name", String, primary_key=True),
    Column("added", Double),
    Column("tried", Double),
    Column("streams", Boolean),
    Column("tools", Boolean),
    Column("judges", Boolean),
)
