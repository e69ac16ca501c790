"""The page "Was it luck?": what dice brought each player of a game, running or over, and what his choices cost."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, make_response, render_template, request
from flask.wrappers import Response
from markupsafe import Markup

import scorer
from web.pages import charts
from web.pages.access import game_of_table, services, table_of
from web.pages.luck_sentences import TURNS, WIN, answer, result_parts, sentences
from web.statistics.luck import GameLuck
from web.texts.languages import say, say_count
from web.texts.numbers import mean

ALWAYS = ("mean", "luck", "mistakes")  # lines of the bill; others only if they are not 0 for everybody
LOOK_AGAIN_S = {"BUSY": 2, "SOLVING": 10}  # by the reason why there is no analysis

blueprint = Blueprint("luck", __name__)


@blueprint.get("/tables/<key>/luck")
def luck(key: str) -> Response:
    """Each player's luck and mistakes, the throw of the evening, the costliest choice, the curve throw by throw.

    While the analysis is being computed, the page says so and reloads by itself. `?part` gives the sentences alone,
    nothing while there is no analysis.
    """
    row = table_of(key)
    state = services().sessions.look(key)
    found = services().luck_analyzer.luck_of(f"{key} {state.version}", state.table.record)
    game = game_of_table(row)
    if isinstance(found, dict):
        values: dict[str, Any] = {"found": found, **_page_values(found, game, state.table.players)}
    else:
        values = {"found": None, "sentence": _reason_text(found.name)}
    template = "luck-part.html" if "part" in request.args else "luck.html"
    response = make_response(render_template(template, row=row, title=game.title, **values))
    if not isinstance(found, dict) and found.name in LOOK_AGAIN_S:
        response.headers["Refresh"] = str(LOOK_AGAIN_S[found.name])
    return response


def _reason_text(reason: str) -> str:
    """Why there is no analysis, by the name of a `NotAnalysed` or `Unsolved`."""
    sentences = {
        "BUSY": say("This is being worked out. The page looks again by itself."),
        "SOLVING": say(
            "Best play with these house rules is being worked out; that may take some minutes. The page looks again "
            "by itself."
        ),
        "FAILED": say("Best play with these house rules could not be worked out."),
        "MEMORY": say("The computer has not enough free memory for that now."),
        "COMPUTER": say("Luck is worked out on a computer only."),
        "LONG": say("This game is too long for luck to be worked out."),
        "PLAYERS": say("Players joined, left or changed places in this game, so luck is not worked out for it."),
    }
    return sentences[reason]


def _page_values(found: GameLuck, game: scorer.Game[Any], names: Sequence[str]) -> dict[str, object]:
    """What the page says of an analysis: `best_throw` and `costliest` are None where there is none."""
    best, costly, unit = found["throw_of_the_evening"], found["costliest_choice"], found["unit"]
    return {
        "names": names,
        "unit": _unit(found),
        "answer": answer(found, names),
        "sentences": sentences(found, names),
        "sums": _sums(found),
        "curve_title": _curve_title(found),
        "picture": _picture(found, names),
        "best_throw": best
        and {
            "name": names[best["player"]],
            "dice": _dice(best["action"]["dice"]),
            "step": best["number"],
            "luck": worth_text(best["luck"], unit, sign=True),
        },
        "costliest": costly
        and {
            "name": names[costly["player"]],
            "step": costly["number"],
            "dice": _dice(found["chosen_from"]),
            "chosen": choice_in_words(game, costly["action"]),
            "best": choice_in_words(game, costly["best"]),
            "loss": amount(of_hundred(costly["loss"], unit), unit),
        },
        "throws": [
            (
                names[judged["player"]],
                _dice(judged["action"]["dice"]),
                worth_text(judged["luck"], unit, sign=True),
                [worth_text(value, unit) for value in judged["worth"]],
            )
            for judged in found["actions"]
        ],
    }


def _unit(found: GameLuck) -> str:
    """The page's sentence about its unit, and about solutions that are not exact."""
    unit = {
        WIN: say("Everything in chances to win, with best play of everybody from there on."),
        "points": say("Everything in points, against what best play brings on average."),
        "turns": say("Everything in turns to the end of the game, against best play: fewer turns are better."),
    }[found["unit"]]
    return unit if found["exact"] else unit + " " + say("Best play of this game is known only about.")


def _sums(found: GameLuck) -> list[tuple[str, list[str], bool]]:
    """The lines of the bill: name, amount of each player, whether it is the sum of the lines above."""
    tenths = [_tenths(player, found["unit"]) for player in found["players"]]
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


def _tenths(player: Mapping[str, Any], unit: str) -> list[int]:
    """The parts of a player's result in tenths of the shown unit, rounded so that they add up."""
    return round_to_sum([10 * worth_shown(part, unit) for part in result_parts(player)])


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
    return say("{number}%", number=text) if unit == WIN else text


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
    told = "; ".join(f"{line.name}: {amount(line.values[-1], found['unit'])}" for line in lines)
    description = say("After each throw. After the last one: {values}.", values=told)
    return charts.curves("luck", _curve_title(found), description, lines, first=1, zero=found["unit"] == WIN)


def _curve_title(found: GameLuck) -> str:
    if found["unit"] == WIN:
        return say("Chances to win, throw by throw (%)")
    return say("The expected result, throw by throw")


def choice_in_words(game: scorer.Game[Any], action: Mapping[str, Any]) -> str:
    """A choice in a few words: `keep 5 5`, `write Full house`."""
    return game.choice(action).render(say, say_count)


def _dice(dice: Sequence[int]) -> str:
    """Dice joined by spaces that never break."""
    return "\u00a0".join(map(str, dice))
