"""What Alembic runs: the revisions, in the transaction that `web.tables.migrating` was given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
