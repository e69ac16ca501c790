"""The chances after an action: a module for each family of games, and for each game that is one. It needs no numpy.

`throws` and `reach_probability`: of ten-thousand games.
"""
