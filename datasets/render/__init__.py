"""The picture maker: physically lit pictures of dice on tables, with exact boxes, values and pips.

`rollcall workshop render` is in `cli`; `picture` has the functions. Rendering needs numba (the extra `train`).
"""
