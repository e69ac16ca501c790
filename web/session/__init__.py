"""One table: what may be asked of it, what happens, and what phones are shown."""
