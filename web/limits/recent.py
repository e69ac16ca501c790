"""A mapping that forgets the oldest entries, for many threads."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Keeps the `most` entries that were set last.

    No lock: each step is one of `OrderedDict`, which no other thread sees half done.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def get(self, key: Key) -> Value | None:
        return self._entries.get(key)

    def __setitem__(self, key: Key, value: Value) -> None:
        self._entries[key] = value
        self._note_set(key)

    def setdefault(self, key: Key, value: Value) -> Value:
        """The value of this key, `value` if it has none. Either counts as set now."""
        found = self._entries.setdefault(key, value)
        self._note_set(key)
        return found

    def pop(self, key: Key) -> None:
        """Forgets an entry, if it is there."""
        self._entries.pop(key, None)

    def _note_set(self, key: Key) -> None:
        try:
            self._entries.move_to_end(key)
            if len(self._entries) > self._most:
                self._entries.popitem(last=False)
        except KeyError:  # another thread has just forgotten it
            pass
