"""Counters: games in which a throw counts something.

`turn_chances`: what a turn brings. `chance`: nothing can be chosen, and only dice decide. `points`: a fixed number of
turns, each for the most points. `turns`: the fewest turns to a target. `race`: the chance to win between two.
"""
