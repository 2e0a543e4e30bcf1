"""Runs the migrations on the connection that `store.database` gives; offline use is not offered."""

from alembic import context

from pincite.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
