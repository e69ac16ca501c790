"""What was kept lately, by many threads at once."""

import random
import threading

from web.limits.recent import Recent


def test_the_oldest_entries_are_forgotten_and_setting_counts() -> None:
    recent: Recent[str, int] = Recent(2)
    recent["ada"], recent["bob"] = 1, 2
    recent["ada"] = 3
    recent["cid"] = 4
    assert [(who, recent.get(who), who in recent) for who in ("ada", "bob", "cid")] == [
        ("ada", 3, True),
        ("bob", None, False),
        ("cid", 4, True),
    ]
    assert recent.setdefault("ada", 9) == 3
    assert recent.setdefault("dan", 5) == 5
    assert "cid" not in recent, "asking for the default of ada counted as setting it"
    recent.pop("dan")
    recent.pop("dan")
    assert len(recent) == 1


def test_many_threads_use_it_at_once() -> None:
    recent: Recent[int, int] = Recent(50)
    wrong: list[object] = []

    def use(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(5000):
            key = chance.randrange(100)
            found = [recent.get(key), recent.setdefault(key, -key)]
            if any(value not in (None, key, -key) for value in found):
                wrong.append(found)
            recent[key] = key
            if chance.random() < 0.1:
                recent.pop(key)

    threads = [threading.Thread(target=use, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(recent) <= 50
