"""Ten-thousand games, whose turns are banked or lost.

`throw_arrays`: what throws offer. `turns`: solves a turn. `points`: play for the most points a turn. `race`: the
chance to win, for two players by `duel`, for more by `turns_needed`.
"""
