"""What keeps a store whole: checks, recovery of damaged files, migrations, locks, backups."""
