"""The ledger: nothing is held beyond a bound, nothing is lost of what was drawn, and no equal gives way to an equal."""

from hypothesis import given
from hypothesis import strategies as some

from web.limits.ledger import BOUNDS, MEMORY, Bound, Ledger, Share

SMALL = Bound(most=40, of_address=30, of_group=20, equals=4)
NAMES = some.sampled_from("abc")
STEPS = some.lists(some.tuples(some.integers(0, 12), some.integers(0, 14), NAMES, NAMES), max_size=80)


@given(STEPS)
def test_sums_hold_whatever_is_drawn_and_given_back(steps: list[tuple[int, int, str, str]]) -> None:
    """A thing that draws 0 gives back what it has. The first three are as in a plain list of what each holds."""
    ledger = Ledger({MEMORY: SMALL})
    held: dict[int, tuple[int, str, str]] = {}
    account = ledger.accounts[MEMORY]
    for thing, amount, address, group in steps:
        if amount == 0:
            ledger.give_back(thing, MEMORY)
            held.pop(thing, None)
        else:
            _, address, group = held.get(thing, (0, address, group))
            before = dict(held)
            held[thing] = amount, address, group
            gone = ledger.draw(MEMORY, thing, amount, address, group)
            for each in gone:
                del held[each]
            assert thing in held or gone[-1] == thing, "who is refused holds nothing"
            for each in gone:
                if each != thing:
                    _, other, _ = before[each]
                    mine = sum(size for size, whose, _ in held.values() if whose == address)
                    theirs = sum(size for size, whose, _ in before.values() if whose == other)
                    assert other == address or theirs > mine, "nobody gives way to one that has more"
        assert {each: account.things[each].size for each in account.things} == {k: v[0] for k, v in held.items()}
        assert 0 <= account.size == sum(size for size, _, _ in held.values()) <= SMALL.most
        for name in "abc":
            own = dict(account.part_of(name).sizes)
            assert sum(own.values()) == account.size_of(name) <= SMALL.of_address
            assert all(0 < size <= SMALL.of_group for size in own.values())
    for thing in held:
        ledger.give_back(thing, MEMORY)
    assert (account.size, account.things, dict(account.parts)) == (0, {}, {})


@given(some.integers(1, 40), some.integers(1, 40))
def test_an_address_that_has_little_finds_room_whatever_another_holds(theirs: int, mine: int) -> None:
    ledger = Ledger({MEMORY: Bound(40, 40, 40, 4)})
    for number in range(theirs):
        ledger.draw(MEMORY, f"greedy {number}", 1, "greedy", f"table {number % 3}")
    found = [ledger.draw(MEMORY, f"honest {number}", 1, "honest", "table") for number in range(mine)]
    refused = sum(f"honest {number}" in gone for number, gone in enumerate(found))
    assert refused == max(0, mine - max(40 - theirs, (40 - 4 + 1) // 2))
    assert ledger.accounts[MEMORY].size == min(40, theirs + mine)


def test_equals_do_not_end_each_other_without_end() -> None:
    ledger = Ledger({MEMORY: Bound(40, 40, 40, 4)})
    for number in range(40):
        ledger.draw(MEMORY, number, 1, "club", f"table {number % 10}")
    for number in range(40, 400):
        assert ledger.draw(MEMORY, number, 1, "club", f"table {number % 10}") == [number]


def test_what_was_spent_counts_for_the_address_and_for_its_group() -> None:
    ledger = Ledger(share=Share(10.0, 0.5, 1, 10.0))
    ledger.spend("club", "greedy", 10.0, now=0.0)
    assert not ledger.within_share("club", None, now=0.0)
    assert not ledger.within_share("club", "greedy", now=0.0)
    assert ledger.within_share("club", "family", now=0.0)
    assert ledger.within_share("other", None, now=0.0)
    assert ledger.within_share("club", None, now=1.0)


def test_all_that_is_held_in_memory_is_less_than_the_promise() -> None:
    """600 MB, of which the program with its detector needs 330."""
    assert sum(BOUNDS[what].most for what in ("states", MEMORY)) <= 270 << 20
