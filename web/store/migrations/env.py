"""What Alembic runs: the revisions, in the transaction that `web.store.migrations.upgrade` was given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
