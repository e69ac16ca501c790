"""What finished games say of players."""

from tests.web.statistics.results import Result
from web.statistics.summaries import summaries
from web.table.stored_table import TableRow


def result(game: str, name: str, score: int, place: int) -> Result:
    row = TableRow(1, "key", "CODE", game, {}, ("Ada", "Bob"), False, "", "", "")
    return Result(row, 0, name, score, place)


def test_played_won_best_and_mean() -> None:
    (line,) = summaries([result("farkle", "Ada", 10000, 1), result("farkle", " ada", 5000, 2)])
    assert (line.played, line.won, line.best, line.mean, line.rating) == (2, 1, 10000, 7500.0, None)


def test_the_rating_of_drapky_is_mean_points_by_mean_place() -> None:
    games = [result("drapky", "Ada", 240, 1), result("drapky", "Ada", 200, 2), result("drapky", "Ada", 220, 1)]
    (line,) = summaries(games)
    assert line.rating == 220 / (4 / 3)


def test_players_and_games_are_kept_apart() -> None:
    lines = summaries([result("zilch", "Bob", 1, 1), result("farkle", "Ada", 2, 1), result("farkle", "Bob", 3, 1)])
    assert [(line.name, line.game) for line in lines] == [("Ada", "farkle"), ("Bob", "farkle"), ("Bob", "zilch")]
