"""The C library's heap, kept small: only glibc has these knobs, elsewhere nothing happens."""

import contextlib
import ctypes

_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h


def share() -> None:
    """One heap for all threads, to be called before there are any: each of its own keeps holes that no other fills, a
    tenth of what the server takes after a hundred photos."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Pictures of all sizes leave holes: what is free goes back to the system."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
