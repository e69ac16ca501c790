"""Work beside requests where there are no threads: the shell has it done between two requests."""

import time

from web.tasks.background import ENDS_WITHIN_S, Later, Step, attempt


class CooperativeTasks:
    """Tasks whose steps are done in turn, whenever `work` is called."""

    def __init__(self) -> None:
        self._tasks: list[_CooperativeTask] = []
        self.later: Later = self._add

    def work(self) -> float | None:
        """Does one step of each task that is due. Returns after how many seconds the next is; None: none is waited
        for."""
        now = time.monotonic()
        for task in [each for each in self._tasks if each.due is not None and each.due <= now]:
            task.step()
        left = [each.due for each in self._tasks if each.due is not None]
        return max(0.0, min(left) - time.monotonic()) if left else None

    def _add(self, name: str, step: Step) -> "_CooperativeTask":
        task = _CooperativeTask(self._tasks, name, step)
        self._tasks.append(task)
        return task


class _CooperativeTask:
    """One task: `web.tasks.background.BackgroundTask`. `due`: when its next step is, by `time.monotonic`."""

    def __init__(self, tasks: "list[_CooperativeTask]", name: str, step: Step) -> None:
        self._tasks, self._name, self._step = tasks, name, step
        self.due: float | None = None

    def wake(self) -> None:
        self.due = 0.0

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        if self in self._tasks:
            self._tasks.remove(self)

    def step(self) -> None:
        self.due = None  # a step may wake its own task
        wait_s = attempt(self._name, self._step)
        if wait_s is not None and self.due is None:
            self.due = time.monotonic() + wait_s
