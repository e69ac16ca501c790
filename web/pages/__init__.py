"""HTML pages for people, and JSON for scripts and programs."""
