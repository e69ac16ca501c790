"""How turns and games end, in sentences for players: the same for races, contests and pads. Scripts never show them."""

from __future__ import annotations

from scorer.texts import T, Text, counted_text

_ENDS = {
    "at-once": T("When someone reaches {target} points, the game ends at once."),
    "finish-round": T("When someone reaches {target} points, the game ends with that round."),
    "one-more-turn": T("When someone reaches {target} points, every other player has one more turn."),
    "round-then-one-more-turn": T(
        "When someone reaches {target} points, the round is played out; then every other player has one more turn."
    ),
    "exact": T("The first player with a total of exactly {target} points wins at once."),
    "last-left": T("Whoever reaches {target} points is out. The last one left wins."),
}


def total_rules(target: int, end: str, low_wins: bool = False, rounds: int = 0) -> list[Text]:
    """How totals decide the game. `target`: 0 for none, as `rounds`."""
    said = [Text(_ENDS[end].template, {"target": target})] if target else []
    wins = target and (end in ("exact", "last-left") or (end == "at-once" and not low_wins))
    if wins and end == "at-once":
        said = [
            counted_text(
                "The first player with {count} point wins at once.",
                "The first player with {count} points wins at once.",
                target,
            )
        ]
    if wins and not rounds:
        return said
    return [*said, T("The lowest total wins.") if low_wins else T("The highest total wins.")]


def won_rounds_rules(target: int, rounds: int) -> list[Text]:
    """How rounds won decide the game."""
    said = []
    if target:
        said.append(
            counted_text(
                "The first player with {count} round won wins the game.",
                "The first player with {count} rounds won wins the game.",
                target,
            )
        )
    if rounds > 1 or not (rounds or target):
        said.append(T("Whoever has won most rounds wins the game."))
    return said


def team_rules(teams: int) -> list[Text]:
    """Who plays together. `teams`: 0 for nobody."""
    if not teams:
        return []
    return [
        counted_text(
            "There is {count} team: players join it in turn, and their points are added.",
            "There are {count} teams: players join them in turn, and their points are added.",
            teams,
        )
    ]


def limit_rules(limit: int) -> list[Text]:
    """What ends a turn. `limit`: its points, 0 for any."""
    if not limit:
        return []
    return [
        counted_text(
            "A turn with more than {count} point ends, and is worth nothing.",
            "A turn with more than {count} points ends, and is worth nothing.",
            limit,
        )
    ]
