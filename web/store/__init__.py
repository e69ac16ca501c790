"""The log of each table on a disk, and what is kept beside it."""
