"""Harnesses for what docs/reliability.md promises. Each has a short form here and a long one, marked `slow`."""
