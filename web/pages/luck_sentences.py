"""Luck in words: whether a game was won by dice or by play, and one sentence of dice and mistakes for each player."""

from collections.abc import Mapping, Sequence
from typing import Any

from web.statistics.luck import GameLuck
from web.texts.languages import say, say_count
from web.texts.numbers import group_thousands, mean

WIN, TURNS = "win", "turns"  # as in `scorer.advice.solution`, which would load numpy
# Of the chance to win. Sums of such chances, "116% mistakes", tell nobody anything.
LUCKY = 0.15  # more is luck
CAREFUL, CARELESS = 0.1, 0.3  # mistakes


def answer(found: GameLuck, names: Sequence[str]) -> str:
    """Whether the dice or the choices put the first player before the second; "" if neither did, or one plays alone."""
    if len(names) < 2 or not found["over"]:
        return ""
    ranked = sorted(range(len(names)), key=lambda player: -sum(result_parts(found["players"][player])))
    first, second = (found["players"][player] for player in ranked[:2])
    dice = first["luck"] - second["luck"]
    play = second["mistakes"] - first["mistakes"]
    gap = _amount(max(dice, play), found["unit"])
    if not gap or max(dice, play) <= 0:
        return ""
    who = {"name": names[ranked[0]], "other": names[ranked[1]], "amount": gap}
    if found["unit"] == WIN:
        if dice >= play:
            return say("Mostly luck: {name} threw better than {other}.", **who)
        return say("Mostly choices: {name} chose better than {other}.", **who)
    if dice >= play:
        return say("Mostly luck: {name} threw better than {other} (by {amount}).", **who)
    return say("Mostly choices: {other} lost more by mistakes than {name} (by {amount}).", **who)


def sentences(found: GameLuck, names: Sequence[str]) -> list[str]:
    """For each player what the dice brought, and what his mistakes cost."""
    unit = found["unit"]
    return [
        f"{_dice_sentence(name, player['luck'], unit)} {_mistakes_sentence(player['mistakes'], unit)}"
        for name, player in zip(names, found["players"], strict=True)
    ]


def _dice_sentence(name: str, luck: float, unit: str) -> str:
    amount = _amount(abs(luck), unit)
    if not amount or (unit == WIN and abs(luck) < LUCKY):
        return say("{name} threw just as the average.", name=name)
    good = luck > 0
    if unit == WIN:
        return say("{name} had lucky throws.", name=name) if good else say("{name} had unlucky throws.", name=name)
    if good:
        return say("{name} threw {amount} better than the average.", name=name, amount=amount)
    return say("{name} threw {amount} worse than the average.", name=name, amount=amount)


def _mistakes_sentence(mistakes: float, unit: str) -> str:
    amount = _amount(mistakes, unit)
    if amount and unit == WIN:
        if mistakes < CAREFUL:
            return say("Nearly all choices were the best ones.")
        if mistakes < CARELESS:
            return say("Some choices could have been better.")
        return say("Other choices would have won more often.")
    return say("Mistakes cost {amount}.", amount=amount) if amount else say("No mistakes.")


def _amount(value: float, unit: str) -> str:
    """A loss or gain with its unit, which no line parts from it; "" if it rounds to nothing."""
    text = ""
    if unit == WIN and round(100 * value):
        text = say("{number}%", number=round(100 * value))
    elif unit == TURNS and round(value, 1):
        text = say("{number} turns", number=mean(round(value, 1)))
    elif unit not in (WIN, TURNS) and round(value):
        text = group_thousands(say_count("{count} point", "{count} points", round(value)))
    return text.replace(" ", "\u00a0")


def result_parts(player: Mapping[str, Any]) -> list[float]:
    """What makes up a player's result: mean, luck, mistakes (below 0), choices of others, settled by hand."""
    return [player["mean"], player["luck"], -player["mistakes"], player["others"], player["settled"]]
