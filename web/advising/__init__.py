"""Odds and best play at a table: solved games in memory, the solver beside the server."""
