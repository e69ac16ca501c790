"""Ten-thousand games, whose turns are banked or lost.

`throws`: what throws offer. `turns`: solves a turn. `points`: play for the most points a turn, and the odds, with
`reach_probability`. `race`: the chance to win, for two players by `duel`, for more by `turns_needed`.
"""
