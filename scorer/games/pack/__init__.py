"""Further games, as files. docs/rules.md names where the rules of each are from."""
