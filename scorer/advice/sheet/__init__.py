"""Games with a sheet: five dice, some of them kept, three throws, one cell a turn.

`keep_values`: five dice, kept and thrown. `one_column`: best play, exactly. `columns`: a policy for several columns,
with `slack_turns`. `sheet_odds`: the chances of a choice, with `upper_bonus`. `compression`: small files.
"""
