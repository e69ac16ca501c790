"""Hands: `turn` solves one turn for any worth of what it may end with.

`rounds` has the chance to win where rounds or lives count, `hand_totals` and `hand_target` what totals want.
"""
