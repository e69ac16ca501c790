"""Checks games from outside, in a process of its own with bounds of time and memory."""
