"""Run the migrations on the connection of `store.database`; there is no offline mode."""

from alembic import context

from pincite.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
