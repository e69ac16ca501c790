"""What Alembic runs: the migrations, in the transaction that `web.cluster.migrating` has begun."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
