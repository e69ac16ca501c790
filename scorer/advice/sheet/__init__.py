"""Games with a sheet: five dice, some of them kept, three throws, one cell a turn.

`keep_values`: five dice, kept and thrown. `one_column`: best play, exactly. `columns`: a policy for several columns,
with `slack_turns`. `upper_bonus`: its chance at any time in the game. `table_packing`: small files.
"""
