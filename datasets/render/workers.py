"""Makes many pictures or videos by several processes."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TypeVar

Job = TypeVar("Job")
Made = TypeVar("Made")


def make_each(make: Callable[[Job, int], Made], job: Job, numbers: Sequence[int], workers: int) -> list[Made]:
    """What `make(job, number)` returns for each number, called in this many processes.

    An error of a call is raised here. `make` must be a module's own function, so that a process can find it.
    """
    if workers <= 1 or len(numbers) <= 1:
        return [make(job, number) for number in numbers]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(partial(make, job), numbers))
