"""Makes many pictures or videos by several processes."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

Job = TypeVar("Job")


def make_each(make: Callable[[Job, int], None], job: Job, numbers: Sequence[int], workers: int) -> int:
    """Calls `make(job, number)` for each number in this many processes; returns how many calls it made.

    An error of a call is raised here. `make` must be a module's own function, so that a process can find it.
    """
    if workers <= 1 or len(numbers) <= 1:
        for number in numbers:
            make(job, number)
        return len(numbers)
    with ProcessPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(make, job, number) for number in numbers]):
            future.result()
    return len(numbers)
