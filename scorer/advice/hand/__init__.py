"""Hands: `turn` solves one turn for any worth of what it may end with.

`rounds` has the chance to win where rounds or lives count, `points` and `fewest` what totals want.
"""
