"""The journal: what happened at each table, as events in a database. A table's state is the fold of its events."""
