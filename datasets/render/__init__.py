"""The picture maker: physically lit pictures of dice on tables, with exact boxes, values and pips.

`rollcall render` is `add_arguments` and `run`; `datasets.render.picture` has the functions. Rendering needs numba
(the extra `train`); importing this package does not.
"""

from datasets.render.cli import add_arguments, run

__all__ = ["add_arguments", "run"]
