"""Costly work that strangers ask for, done in a process of its own with bounds of time and memory."""
