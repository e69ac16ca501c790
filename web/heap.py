"""Memory: kept small, and looked through seldom. Only glibc has the knobs of the C library."""

import contextlib
import ctypes
import gc

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h


def use_one_arena() -> None:
    """One heap for all threads, to be called before there are any: each of its own keeps holes that no other fills, a
    tenth of what the server takes after a hundred photos."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def trim() -> None:
    """Pictures of all sizes leave holes: what is free goes back to the system."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def freeze_objects() -> None:
    """To be called once the program is loaded: what it is made of is left out when garbage is looked for.

    Looking through all of it takes up to 0.1 s, in which no phone is answered.
    """
    gc.freeze()
