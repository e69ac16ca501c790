"""One Rollcall in many processes: the store in PostgreSQL, and the calls between the processes.

A server without `--database` loads nothing of it.
"""
