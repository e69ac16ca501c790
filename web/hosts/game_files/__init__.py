"""Files of games on a computer: checked, and taken from collections."""
