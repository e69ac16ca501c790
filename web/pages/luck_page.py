"""The page "Was it luck?": what dice brought each player of a game, running or over, and what his choices cost."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, make_response, render_template, request
from flask.wrappers import Response
from markupsafe import Markup

import scorer
from web.advising.solutions import Unsolved
from web.pages import charts
from web.pages.access import game_of_table, services, table_of
from web.statistics.luck import GameLuck
from web.texts.formats import group_thousands, mean
from web.texts.languages import say, say_count

ALWAYS = ("mean", "luck", "mistakes")  # lines of the bill; others only if they are not 0 for everybody
LOOK_AGAIN_S = {"BUSY": 2, "SOLVING": 10}  # by the reason why there is no analysis

blueprint = Blueprint("luck", __name__)


@blueprint.get("/tables/<key>/luck")
def luck(key: str) -> Response:
    """Each player's luck and mistakes, the throw of the evening, the costliest choice, the curve throw by throw.

    While the analysis is being computed, the page says so and reloads by itself. `?part` gives the sentences alone,
    and nothing while a better analysis is to come: those in points say other things than those in chances to win.
    """
    row = table_of(key)
    state = services().runner.look(key)
    part = "part" in request.args
    found = services().luck.luck_of(f"{key} {state.version}", state.table.record)
    if part and isinstance(found, dict) and found["better_soon"]:
        found = Unsolved.SOLVING
    game = game_of_table(row)
    if isinstance(found, dict):
        values: dict[str, Any] = {"found": found, **_page_values(found, game, state.table.players)}
    else:
        values = {"found": None, "reason": found.name}
    template = "luck-part.html" if part else "luck.html"
    response = make_response(render_template(template, row=row, title=game.title, **values))
    if not isinstance(found, dict) and found.name in LOOK_AGAIN_S:
        response.headers["Refresh"] = str(LOOK_AGAIN_S[found.name])
    return response


def _page_values(found: GameLuck, game: scorer.Game[Any], names: Sequence[str]) -> dict[str, object]:
    """What the page says of an analysis. `worth`: of a value, in words."""
    costly, unit = found["costliest_choice"], found["unit"]
    return {
        "names": names,
        "answer": answer(found, names),
        "sentences": sentences(found, names),
        "costly": costly_sentence(found, names, game),
        "sums": _sums(found),
        "curve_title": _curve_title(found),
        "picture": _picture(found, names),
        "worth": functools.partial(worth_text, unit=unit),
        "loss": costly and (_amount(costly["loss"], unit) or amount(of_hundred(costly["loss"], unit), unit)),
    }


def _sums(found: GameLuck) -> list[tuple[str, list[str], bool]]:
    """The lines of the bill: name, amount of each player, whether it is the sum of the lines above."""
    unit = found["unit"]
    # In tenths of the shown unit, rounded so that they add up.
    tenths = [
        round_to_sum([10 * worth_shown(part, unit) for part in result_parts(player)]) for player in found["players"]
    ]
    parts = {
        "mean": say("Before the first throw"),
        "luck": say("Luck"),
        "mistakes": say("Mistakes"),
        "others": say("Choices of others"),
        "settled": say("Settled by hand"),
    }
    lines = []
    for number, (part, name) in enumerate(parts.items()):
        values = [each[number] for each in tenths]
        if part in ALWAYS or any(values):
            shown = [amount(value / 10, found["unit"], sign=part != "mean") for value in values]
            lines.append((name, shown, False))
    result = say("Result") if found["over"] else say("Expected now")
    return [*lines, (result, [amount(sum(each) / 10, found["unit"]) for each in tenths], True)]


def round_to_sum(parts: Sequence[float]) -> list[int]:
    """Rounds each part up or down so that the whole numbers add up to the rounded sum (largest remainders)."""
    whole = [math.floor(part) for part in parts]
    missing = round(sum(parts)) - sum(whole)
    largest = sorted(range(len(parts)), key=lambda number: whole[number] - parts[number])
    for number in largest[:missing]:
        whole[number] += 1
    return whole


def amount(value: float, unit: str, sign: bool = False) -> str:
    """A value with one decimal: a chance to win in per cent, points or turns."""
    value = round(value, 1) + 0.0  # no zero below zero
    text = f"{'+' if sign and value > 0 else ''}{mean(value)}"
    return say("{number}%", number=text).replace(" ", "\u00a0") if unit == WIN else text


def of_hundred(value: float, unit: str) -> float:
    return 100 * value if unit == WIN else value


def worth_shown(value: float, unit: str) -> float:
    """A worth, or a change of one, as the page shows it: a worth in turns is negative, but people count upwards."""
    return -value if unit == TURNS else of_hundred(value, unit)


def worth_text(value: float, unit: str, sign: bool = False) -> str:
    return amount(worth_shown(value, unit), unit, sign)


def _picture(found: GameLuck, names: Sequence[str]) -> Markup | None:
    """A chart of the worth of the game to each player after each throw; None before the first."""
    if not found["actions"]:
        return None
    lines = []
    for number, name in enumerate(names):
        worth = [action["worth"][number] for action in found["actions"]]
        lines.append(charts.Curve(name, [worth_shown(value, found["unit"]) for value in worth]))
    value_list = "; ".join(f"{line.name}: {amount(line.values[-1], found['unit'])}" for line in lines)
    description = say("After each throw. After the last one: {values}.", values=value_list)
    return charts.curves("luck", _curve_title(found), description, lines, first=1, zero=found["unit"] == WIN)


def _curve_title(found: GameLuck) -> str:
    if found["unit"] == WIN:
        return say("Chances to win, throw by throw (%)")
    return say("The expected result, throw by throw")


def choice_in_words(game: scorer.Game[Any], action: Mapping[str, Any]) -> str:
    """A choice in a few words: `keep 5 5`, `write Full house`."""
    return game.choice(action).render(say, say_count)


WIN, TURNS = "win", "turns"  # as in `scorer.advice.solution`, which would load numpy


def answer(found: GameLuck, names: Sequence[str]) -> str:
    """Whether the dice or the choices put the first player before the second; "" if neither did, or one plays alone."""
    if len(names) < 2 or not found["over"]:
        return ""
    ranked = sorted(range(len(names)), key=lambda player: -sum(result_parts(found["players"][player])))
    first, second = (found["players"][player] for player in ranked[:2])
    dice = first["luck"] - second["luck"]
    play = second["mistakes"] - first["mistakes"]
    if max(dice, play) <= 0 or not _amount(max(dice, play), found["unit"]):
        return ""
    who = {"name": names[ranked[0]], "other": names[ranked[1]]}
    if dice >= play:
        return say("Mostly luck: {name} threw better than {other}.", **who)
    return say("Mostly choices: {name} chose better than {other}.", **who)


def sentences(found: GameLuck, names: Sequence[str]) -> list[str]:
    """For each player how many throws were lucky or unlucky, and how many choices were costly."""
    return [_sentence(name, player) for name, player in zip(names, found["players"], strict=True)]


def _sentence(name: str, player: Mapping[str, Any]) -> str:
    lucky, unlucky, costly = player["lucky"], player["unlucky"], player["costly"]
    counts = (
        (lucky, say_count("{count} lucky throw", "{count} lucky throws", lucky)),
        (unlucky, say_count("{count} unlucky throw", "{count} unlucky throws", unlucky)),
        (costly, say_count("{count} costly choice", "{count} costly choices", costly)),
    )
    # No line parts a number from its unit.
    count_list = ", ".join(text.replace(" ", "\u00a0", 1) for count, text in counts if count)
    return say("{name}: {counts}.", name=name, counts=count_list or say("throws and choices as usual"))


def costly_sentence(found: GameLuck, names: Sequence[str], game: scorer.Game[Any]) -> str:
    """What would have been better than the costliest choice; "" if no choice cost anything."""
    costly = found["costliest_choice"]
    if costly is None:
        return ""
    dice = "\u00a0".join(map(str, found["chosen_from"]))
    name = names[costly["player"]]
    words = {
        "who": say("{name}, with {dice}", name=name, dice=dice) if dice else name,
        "chosen": choice_in_words(game, costly["action"]),
        "best": choice_in_words(game, costly["best"]),
    }
    if found["unit"] == WIN:
        return say("The costliest choice: {who}: “{chosen}”. “{best}” would have won more often.", **words)
    if found["unit"] == TURNS:
        return say("The costliest choice: {who}: “{chosen}”. “{best}” would have been quicker.", **words)
    return say("The costliest choice: {who}: “{chosen}”. “{best}” would have brought more.", **words)


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
