"""Work that one thread does at a time."""

import threading

import pytest

from web.tasks.exclusive import Exclusive


def test_others_are_told_no_and_do_not_wait() -> None:
    work, found = Exclusive(), list[bool]()

    def ask() -> None:
        with work.enter() as is_in:
            found.append(is_in)

    with work.enter() as is_in:
        assert is_in
        other = threading.Thread(target=ask)
        other.start()
        other.join(10)
        ask()  # the same thread is not let in twice either
    assert found == [False, False]
    ask()
    assert found[2:] == [True]


def test_work_that_failed_leaves_room_for_the_next() -> None:
    work = Exclusive()
    with pytest.raises(ZeroDivisionError), work.enter():
        raise ZeroDivisionError
    with work.enter() as is_in:
        assert is_in
