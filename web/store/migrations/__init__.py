"""Makes older stores newer."""
