"""What one player does in a turn. `scorer.contest` says how turns make a game."""
