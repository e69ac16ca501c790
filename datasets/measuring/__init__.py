"""Measures how well the reader reads."""
