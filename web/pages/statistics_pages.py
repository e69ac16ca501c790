"""The pages of statistics: one table's course and dice, one player's results in a game; and all of it as CSV."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response, current_app, make_response, render_template, request
from flask.blueprints import BlueprintSetupState
from markupsafe import Markup

import scorer
from web.errors import Problem
from web.pages import charts
from web.pages.access import rooms, table_of
from web.pages.devices import device_id
from web.pages.luck_page import amount, of_hundred, worth_shown
from web.pages.spreadsheets import as_csv
from web.tables import statistics
from web.tables.course import Course, Courses
from web.tables.fairness import LEAST_DICE, Fairness, together
from web.tables.names import folded
from web.tables.playing import Playing
from web.tables.series import series
from web.tables.store import Json, Result, TableRow
from web.texts.languages import say
from web.texts.moments import local_stamp
from web.texts.numbers import mean

SHOWN_RESULTS = 60  # the latest: more of them are one dark band
LEAST_CHANCE = 0.0005  # what is less is said to be less than 0.1 %
RARE = 0.01
ANALYSED = 30  # games, the latest, of which luck and mistakes are told
LOOK_AGAIN_S = 3

blueprint = Blueprint("statistics", __name__)


@blueprint.record_once
def _register(state: BlueprintSetupState) -> None:
    state.app.extensions["rollcall.courses"] = Courses()


@blueprint.get("/tables/<key>/statistics")
def table(key: str) -> str:
    """The course of one game, running or over, its players' turns and its dice. `?part` gives the picture alone."""
    parts, row = table_of(key)
    found = _running_course(key)
    dice_set = parts.store.dice_set(row.id)
    same = _same_dice(row, found, dice_set) if dice_set else None
    picture = _course_picture(found)
    if "part" in request.args:
        return render_template("course-part.html", picture=picture)
    return render_template(
        "table-statistics.html",
        row=row,
        title=scorer.game(row.game).info.title,
        course=found,
        picture=picture,
        dice=_dice_picture(found.fairness, "dice", say("The dice")),
        fairness=found.fairness,
        chance=_chance(found.fairness),
        dice_set=dice_set,
        same=same
        and {
            "games": same[0],
            "fairness": same[1],
            "dice": _dice_picture(same[1], "same-dice", dice_set),
            "chance": _chance(same[1]),
        },
        least=LEAST_DICE,
        series=series(rooms().store, row, itself=True),
    )


@blueprint.get("/tables/<key>/turns.csv")
def turns(key: str) -> Response:
    """What each turn brought and the score after it."""
    found = _running_course(key)
    lines = [
        (turn + 1, name, found.gains(player)[turn], found.totals[player][turn])
        for turn in range(found.turns)
        for player, name in enumerate(found.players)
        if turn < len(found.totals[player])
    ]
    return as_csv("turns", (say("Turn"), say("Player"), say("Points"), say("Total")), lines)


@blueprint.get("/tables/<key>/throws.csv")
def throws(key: str) -> Response:
    """Every throw of the game: its step, who threw, the dice."""
    parts, _ = table_of(key)
    moves = parts.playing.history(key)["moves"]
    names = [player["name"] for player in parts.playing.standing(key)["players"]]
    lines = [
        (
            number,
            "" if move["player"] is None else names[move["player"]],
            local_stamp(move["at"]),
            " ".join(map(str, move["action"]["dice"])),
        )
        for number, move in enumerate(moves, start=1)
        if move["action"]["do"] == "throw"
    ]
    return as_csv("throws", (say("Step"), say("Player"), say("Time"), say("Dice")), lines)


@blueprint.get("/history/player")
def player() -> Response:
    """The results of one player in one game: `?name=` and `?game=`, at the tables of this phone. With `?luck` also what
    luck brought and mistakes cost him; while that is being worked out, the page looks again by itself."""
    name, game = request.args.get("name", ""), request.args.get("game", "")
    results = statistics.once(rooms().store.results_of(device_id()))
    mine = statistics.of_player(results, name, game)
    if not mine:
        raise Problem("not-found", 404)
    (summary,) = statistics.summaries(mine)
    luck = _luck_of(mine[-ANALYSED:]) if "luck" in request.args else None
    page = render_template(
        "player.html",
        summary=summary,
        title=scorer.game(game).info.title,
        picture=_results_picture(summary.name, mine),
        results=mine[::-1],
        turns=_turns_of(mine),
        opponents=statistics.head_to_head(results, name, game),
        luck=luck,
        asked={"name": name, "game": game, "luck": 1},
    )
    response = make_response(page)
    if luck is not None and luck["waiting"]:
        response.headers["Refresh"] = str(LOOK_AGAIN_S)
    return response


@blueprint.get("/history.csv")
def results() -> Response:
    """Every result of every finished game at the tables of this phone, the oldest first."""
    found = statistics.once(rooms().store.results_of(device_id()))
    titles = {info.key: say(info.title) for info in scorer.games()}
    lines = [
        (
            local_stamp(result.table.finished_at or result.table.active_at),
            titles[result.table.game],
            result.name,
            result.score,
            result.place,
        )
        for result in found
    ]
    return as_csv("results", (say("Time"), say("Game"), say("Player"), say("Points"), say("Place")), lines)


def _courses() -> Courses:
    found: Courses = current_app.extensions["rollcall.courses"]
    return found


def _running_course(key: str) -> Course:
    playing = rooms().playing
    return _courses().of(f"{key} {playing.stamp(key)}", lambda: playing.record(key))


def _finished_course(row: TableRow) -> Course | None:
    """The course of a finished game; None where it can no longer be replayed."""
    try:
        return _courses().of(row.digest, lambda: rooms().playing.record_of(row))
    except scorer.Refusal:
        return None


def _luck_of(results: Sequence[Result]) -> dict[str, Any]:
    """Mean luck and mistakes of a player, for each unit in which some of his games were analysed."""
    playing = rooms().playing
    games = [
        (result.table.digest or f"{result.table.key} {result.table.finished_at}", _record_of(playing, result.table))
        for result in results
    ]
    so_far = rooms().lucks.sums_of(games)
    told: dict[str, list[tuple[float, float]]] = {}
    for result, sums in zip(results, so_far.games, strict=True):
        if sums is not None:
            told.setdefault(sums.unit, []).append((sums.luck[result.player], sums.mistakes[result.player]))
    means = [
        {
            "unit": _unit_in_words(unit),
            "games": len(each),
            "luck": amount(worth_shown(sum(luck for luck, _ in each) / len(each), unit), unit, sign=True),
            "mistakes": amount(of_hundred(sum(lost for _, lost in each) / len(each), unit), unit),
        }
        for unit, each in told.items()
    ]
    return {"means": means, "waiting": so_far.waiting, "known": sum(map(len, told.values())), "of": len(results)}


def _record_of(playing: Playing, row: TableRow) -> Callable[[], Json]:
    return lambda: playing.record_of(row)


def _unit_in_words(unit: str) -> str:
    return {"win": say("in chances to win"), "points": say("in points"), "turns": say("in turns")}[unit]


def _turns_of(results: Sequence[Result]) -> dict[str, int | None]:
    """The best turn of a player and how many of his turns were busts; None where the game knows no such thing."""
    courses = [(_finished_course(result.table), result.player) for result in results]
    best = [course.best_turn(player) for course, player in courses if course is not None]
    busts = [course.busts[player] for course, player in courses if course is not None and course.busts is not None]
    return {
        "best": max((points for points in best if points is not None), default=None),
        "busts": sum(busts) if busts else None,
        "turns": sum(len(course.totals[player]) for course, player in courses if course is not None),
    }


def _course_picture(course: Course) -> Markup | None:
    """The score of each player after each turn; None before the first."""
    if not course.turns:
        return None
    lines = [charts.Line(name, (0, *totals)) for name, totals in zip(course.players, course.totals, strict=True)]
    told = "; ".join(f"{line.name}: {line.values[-1]}" for line in lines)
    return charts.curves(
        "course", say("The course of the game"), say("Points after each turn. Now: {scores}.", scores=told), lines
    )


def _same_dice(row: TableRow, course: Course, dice_set: str) -> tuple[int, Fairness]:
    """How many games were played with the dice of this name, and what they say of them: this one, and those that are
    over at the tables that this phone has been at, as `statistics.once` counts them."""
    store = rooms().store
    called = {key for key, name in store.dice_sets_of(device_id()).items() if folded(name) == folded(dice_set)}
    over = {result.table.id: result.table for result in statistics.once(store.results_of(device_id()))}
    copied = row.digest if row.id not in over else None  # of a game that was imported here once more
    courses = [
        _finished_course(other)
        for other in over.values()
        if other.id in called and other.id != row.id and (copied is None or other.digest != copied)
    ]
    games = [course.fairness, *(each.fairness for each in courses if each is not None)]
    return len(games), together(games)


def _dice_picture(fairness: Fairness, name: str, title: str) -> Markup | None:
    counts = fairness.counts
    if not fairness.dice:
        return None
    told = ", ".join(f"{face}: {count}" for face, count in enumerate(counts, start=1))
    description = say("How often each value fell: {counts}.", counts=told)
    return charts.bars(name, title, description, counts, fairness.expected)


def _results_picture(name: str, results: Sequence[Result]) -> Markup:
    """The scores of the latest games, with a star at each that was won."""
    shown = results[-SHOWN_RESULTS:]
    won = {step for step, result in enumerate(shown) if result.place == 1}
    line = charts.Line(name, [result.score for result in shown], won)
    told = ", ".join(str(result.score) for result in shown)
    description = say("Points in each game, the oldest first: {scores}. A star stands at a win.", scores=told)
    return charts.curves(
        "results", say("Results over time"), description, [line], first=len(results) - len(shown) + 1, dots=True
    )


def _chance(fairness: Fairness) -> dict[str, Any] | None:
    """The chance of such uneven dice in percent, as people write it, and whether it is small."""
    chance = fairness.chance
    if chance is None:
        return None
    return {"percent": mean(100 * max(chance, 0.001)), "less": chance < LEAST_CHANCE, "rare": chance < RARE}
