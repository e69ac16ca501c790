"""One Rollcall in many processes on many machines: the store on PostgreSQL, and what the processes tell each other.

Nothing here is loaded by a server without `--database`.
"""
