"""How well the reader reads."""
