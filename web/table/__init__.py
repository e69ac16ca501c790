"""One table: its commands, its events, its state, and what phones are shown."""
