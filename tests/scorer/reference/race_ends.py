"""Who still plays once the target is reached, from the table of ends in docs/rules.md ("The words of races")."""

from collections.abc import Sequence


def turns_to_come(end: str, order: Sequence[int], player: int) -> list[int]:
    """Whose turns follow, one after the other, when `player` has reached the target; `order`: in which they play."""
    at = order.index(player)
    behind, before = list(order[at + 1 :]), list(order[:at])
    return {
        "at-once": [],
        "exact": [],
        "finish-round": behind,
        "one-more-turn": behind + before,
        "round-then-one-more-turn": behind + [each for each in order if each != player],
    }[end]
