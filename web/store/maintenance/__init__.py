"""Keeps a store whole: checks, recovery of damaged files, locks, backups."""
