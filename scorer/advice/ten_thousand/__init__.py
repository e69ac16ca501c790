"""Ten-thousand games, whose turns are banked or lost.

`throw_arrays`: what throws offer. `turns`: solves a turn. `points`: play for the most points a turn. `race`: the
chance to win, for two players by `duel`, for more by `turns_needed`. `fewest`: the fewest turns, where turns are not
all worth the same; `turn_columns` and `turn_arrays` have what a turn holds beside its points.
"""
