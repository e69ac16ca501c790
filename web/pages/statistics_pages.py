"""Pages of statistics: a table's score history and dice, a player's results in a game; and all of it as CSV."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup

from web.limits.recent import Recent
from web.pages import charts, my_tables
from web.pages.access import game_of_table, services, table_of
from web.pages.devices import device_id
from web.pages.luck_page import amount, of_hundred, worth_text
from web.pages.my_tables import parse_number
from web.pages.responses import as_csv, download
from web.pages.server_api import BGG_IDS, FinishedGamePage, finished_games
from web.problems.problem import Problem
from web.statistics import player_games, summaries
from web.statistics.fairness import LEAST_DICE, Fairness, fairness
from web.statistics.player_games import PlayerGame
from web.statistics.summaries import series
from web.table.names import name_key
from web.table.score_history import ScoreHistory, score_history
from web.table.stored_table import Json, TableRow
from web.texts.formats import local_stamp, mean
from web.texts.languages import say

SHOWN_RESULTS = 60  # the latest: more would be one dark band
LEAST_CHANCE = 0.0005  # a lower one is shown as "less than 0.1 %"
RARE = 0.01
SAME_DICE = 1000  # latest games with the same dice that count
ANALYSED = 30  # latest games whose luck and mistakes are shown
LOOK_AGAIN_S = 3
HISTORIES: Recent[str, ScoreHistory] = Recent(300)  # by the table and the stamp of its state

blueprint = Blueprint("statistics", __name__)


@blueprint.get("/tables/<key>/statistics")
def table(key: str) -> str:
    """A game's score history, turns and dice, running or over. `?part` gives the chart alone."""
    row = table_of(key)
    found = _running_history(key)
    dice_set = services().runner.look(key).settings.dice_set
    picture = _history_picture(found)
    if "part" in request.args:
        return render_template("score-history-part.html", picture=picture)
    same = _same_dice(row, found, dice_set) if dice_set else None
    return render_template(
        "table-statistics.html",
        row=row,
        title=game_of_table(row).title,
        history=found,
        picture=picture,
        dice=_dice_values(fairness(found.fell), "dice", say("The dice")),
        dice_set=dice_set,
        same=same,
        least=LEAST_DICE,
        series=series(services().store, row, itself=True),
        ended_early=services().runner.look(key).table.ended_early,
    )


@blueprint.get("/tables/<key>/turns.csv")
def turns(key: str) -> Response:
    found = _running_history(key)
    gains = [found.gains(player) for player in range(len(found.players))]
    lines = [
        (turn + 1, name, gains[player][turn], found.totals[player][turn])
        for turn in range(found.turns)
        for player, name in enumerate(found.players)
        if turn < len(found.totals[player])
    ]
    return as_csv("turns", (say("Turn"), say("Player"), say("Points"), say("Total")), lines)


@blueprint.get("/tables/<key>/throws.csv")
def throws(key: str) -> Response:
    """Every throw of the game: its step, player, time and dice."""
    state = services().runner.look(key)
    moves, names = state.moves, state.table.players
    lines = [
        (
            number,
            "" if move.player is None else names[move.player],
            local_stamp(move.at),
            " ".join(map(str, move.action["dice"])),
        )
        for number, move in enumerate(moves, start=1)
        if move.action["do"] == "throw"
    ]
    return as_csv("throws", (say("Step"), say("Player"), say("Time"), say("Dice")), lines)


@blueprint.get("/history/player")
def player() -> Response:
    """One player's results in one game (`?name=`, `?game=`) at this phone's tables, with `?luck` also his luck.

    `?before=NUMBER` shows the games before that one instead of the newest. Games that people ended early do not count.
    While something is being computed, the page reloads by itself.
    """
    name, game = request.args.get("name", ""), request.args.get("game", "")
    before = parse_number(request.args.get("before"))
    mine, all_seats = _games_of_player(name, game)
    if not mine:
        raise Problem("not-found", 404)
    (summary,) = summaries.summaries(mine)
    luck = luck_of(mine[-ANALYSED:]) if "luck" in request.args else None
    earlier = mine if before is None else [result for result in mine if result.table.ended_no < before]
    asked: dict[str, Any] = {"name": name, "game": game}
    shown = earlier[-SHOWN_RESULTS:]
    return reloading_page(
        "player.html",
        luck is not None and luck["waiting"],
        summary=summary,
        title=my_tables.titles(device_id())[game],
        picture=_results_picture(summary.name, shown, len(earlier) - len(shown) + 1) if shown else None,
        results=shown[::-1],
        older={**asked, "before": shown[0].table.ended_no} if len(earlier) > len(shown) else None,
        newest=asked if before is not None else None,
        turns=_turns_of(mine),
        opponents=summaries.head_to_head(all_seats, name, game),
        luck=luck,
        asked={**asked, "luck": 1},
    )


@blueprint.get("/history.csv")
def results() -> Response:
    """The results of finished games at this phone's tables, the oldest first, as many as fit into a file.

    `?after=NUMBER`: results after that one. A header `Link` names the next file if there is one.
    """
    found, more = my_tables.results_after(device_id(), parse_number(request.args.get("after")) or 0)
    titles = my_tables.titles(device_id())
    lines = [
        (
            local_stamp(result.table.finished_at),
            say(titles[result.table.game]),
            result.name,
            result.score,
            result.place,
            say("yes") if result.early else "",
            BGG_IDS.get(result.table.game, ""),
        )
        for result in found
    ]
    heads = say("Time"), say("Game"), say("Player"), say("Points"), say("Place"), say("Ended early"), "BoardGameGeek"
    response = as_csv("results", heads, lines)
    if more is not None:
        response.headers["Link"] = f'<{url_for("statistics.results", after=more)}>; rel="next"'
    return response


@blueprint.get("/history.json")
def results_as_json() -> Response:
    """The same for programs, as the pages of `/api/v1/statistics`."""
    found, more = my_tables.results_after(device_id(), parse_number(request.args.get("after")) or 0)
    page = FinishedGamePage(items=finished_games(found), next=None if more is None else str(more))
    response = download(msgspec.json.encode(page), "application/json", "rollcall-results.json")
    if more is not None:
        response.headers["Link"] = f'<{url_for("statistics.results_as_json", after=more)}>; rel="next"'
    return response


@blueprint.get("/history/files")
def files() -> str:
    return render_template("files.html", files=my_tables.files(device_id()))


def reloading_page(template: str, look_again: bool, **values: Any) -> Response:
    """A page; with `look_again` it reloads by itself."""
    response = make_response(render_template(template, **values))
    if look_again:
        response.headers["Refresh"] = str(LOOK_AGAIN_S)
    return response


def _running_history(key: str) -> ScoreHistory:
    shown = services().runner.snapshot(key)
    name = f"{key} {shown.stamp}"
    found = HISTORIES.get(name)
    if found is None:
        found = HISTORIES[name] = score_history(shown.state.table)
    return found


def _games_of_player(name: str, game: str) -> tuple[list[PlayerGame], list[PlayerGame]]:
    """A player's results in one game, each game once, the oldest first; and the results of all players in them.

    Without games that people ended early.
    """
    person, device = name_key(name), device_id()
    with services().store.read() as connection:
        every = player_games.drop_copies(player_games.games_of_player(connection, device, person, game))
        mine = [result for result in every if not result.early]
        return mine, player_games.games_at_tables(connection, list(dict.fromkeys(result.table.id for result in mine)))


def luck_of(results: Sequence[PlayerGame]) -> dict[str, Any]:
    """A player's mean luck and mistakes, for each unit of his analysed games."""
    games = [
        (result.table.digest or f"{result.table.key} {result.table.finished_at}", partial(_record_of, result.table.key))
        for result in results
    ]
    so_far = services().luck.sums_of(games)
    by_unit: dict[str, list[tuple[float, float]]] = {}
    for result, sums in zip(results, so_far.games, strict=True):
        if sums is not None:
            by_unit.setdefault(sums.unit, []).append((sums.luck[result.player], sums.mistakes[result.player]))
    means = [
        {
            "unit": unit,
            "games": len(each),
            "luck": worth_text(sum(luck for luck, _ in each) / len(each), unit, sign=True),
            "mistakes": amount(of_hundred(sum(lost for _, lost in each) / len(each), unit), unit),
        }
        for unit, each in by_unit.items()
    ]
    return {"means": means, "waiting": so_far.waiting, "known": sum(map(len, by_unit.values())), "of": len(results)}


def _record_of(key: str) -> Json:
    row = services().runner.row(key)
    return services().runner.replay(row).record()


def _turns_of(results: Sequence[PlayerGame]) -> dict[str, int | None]:
    """A player's best turn, his number of busts (each None in games without it), and his number of turns."""
    busts = [result.busts for result in results if result.busts is not None]
    return {
        "best": max((result.best for result in results if result.best is not None), default=None),
        "busts": sum(busts) if busts else None,
        "turns": sum(result.turns for result in results),
    }


def _history_picture(history: ScoreHistory) -> Markup | None:
    """A chart of each player's score after each turn; None before the first."""
    if not history.turns:
        return None
    curves = zip(history.players, history.totals, strict=True)
    lines = [charts.Curve(name, (history.start, *totals)) for name, totals in curves]
    score_list = "; ".join(f"{line.name}: {line.values[-1]}" for line in lines)
    return charts.curves(
        "course", say("The course of the game"), say("Points after each turn. Now: {scores}.", scores=score_list), lines
    )


def _same_dice(row: TableRow, history: ScoreHistory, dice_set: str) -> dict[str, Any]:
    """How many games count for the dice of this name, and what they say of the dice.

    Counted are this game and the newest finished ones at this phone's tables, each once (`player_games.drop_copies`).
    """
    device = device_id()
    with services().store.read() as connection:
        games = player_games.games_with_dice(connection, device, dice_set, SAME_DICE)
        copies = player_games.copies(connection, device, games, row.digest)
        counted = row.id not in copies and player_games.has_visited(connection, device, row.id)
    copied = None if counted else row.digest  # of a game that was imported here once more
    others = [game for game in games if game.table.id != row.id and game.table.id not in copies]
    others = [game for game in others if copied is None or game.table.digest != copied]
    found = [history.fell, *(game.fell for game in others)]
    return {"games": len(found), **_dice_values(fairness(*found), "same-dice", dice_set)}


def _dice_values(found: Fairness, name: str, title: str) -> dict[str, Any]:
    """How often each value fell, the picture of it, and the chance of such uneven dice in percent, as people write it.

    `picture`: None before the first throw. `chance`: None for too few dice.
    """
    count_list = ", ".join(f"{face}: {count}" for face, count in enumerate(found.counts, start=1))
    description, chance = say("How often each value fell: {counts}.", counts=count_list), found.chance
    return {
        "fairness": found,
        "picture": charts.bars(name, title, description, found.counts, found.expected) if found.dice else None,
        "chance": None
        if chance is None
        else {"percent": mean(100 * max(chance, 0.001)), "less": chance < LEAST_CHANCE, "rare": chance < RARE},
    }


def _results_picture(name: str, shown: Sequence[PlayerGame], first: int) -> Markup:
    """A chart of the scores of some games, counted from `first`, with a star at each win."""
    won = {step for step, result in enumerate(shown) if result.place == 1}
    line = charts.Curve(name, [result.score for result in shown], won)
    score_list = ", ".join(str(result.score) for result in shown)
    description = say("Points in each game, the oldest first: {scores}. A star stands at a win.", scores=score_list)
    return charts.curves("results", say("Results over time"), description, [line], first=first, dots=True)
