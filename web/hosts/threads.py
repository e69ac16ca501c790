"""Work beside requests, as a computer does it: in threads."""

import threading

from web.common.background import ENDS_WITHIN_S, Step, attempt


class ThreadTask:
    """A task in a thread of its own, from the first step to the end: libraries keep memory for each thread."""

    def __init__(self, name: str, step: Step) -> None:
        self._name, self._step = name, step
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._ended = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        with self._lock:
            self._woken.set()
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        with self._lock:
            self._ended = True
            self._woken.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(within_s)

    def _run(self) -> None:
        while True:
            self._woken.clear()
            if self._ended:  # asked after that, or the end could go unnoticed
                return
            self._woken.wait(attempt(self._name, self._step))
