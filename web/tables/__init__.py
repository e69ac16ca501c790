"""The running tables: their games, the store that keeps them, and what they add up to."""
