"""Files of games on a computer: written, checked, played while they are written, and taken from collections."""
