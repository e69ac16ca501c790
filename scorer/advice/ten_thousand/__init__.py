"""Ten-thousand games: a turn is banked or lost.

`throws`: what throws offer. `turns`: a turn, solved. `points`: the most points a turn, and the odds, with
`reach_probability`. `race`: the chance to win, of two by `duel`, of more by `turns_needed`.
"""
