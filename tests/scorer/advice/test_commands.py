"""The commands `odds`, `advise`, `analyse` and `solve` as users script against them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer.advice import reports, solution_cache
from scorer.advice.sheet.one_column import OneColumnSolution
from tests.scorer.advice.solved import random_solution
from tests.scorer.playing import keep, score, throw
from tests.test_rollcall import assert_refused, run, run_json

pytestmark = pytest.mark.whole

ACTIONS = [throw(1, 1, 6, 6, 3), keep(6, 6), throw(6, 2, 3)]


def record(folder: Path, **changes: object) -> str:
    path = folder / "game.json"
    game = {"format": 1, "game": "kosci", "players": ["Ada", "Bob"], "actions": ACTIONS, **changes}
    path.write_text(json.dumps(game))
    return str(path)


def test_odds_of_every_choice_of_a_first_throw(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "odds", "yahtzee", "1", "1", "6", "6", "3")
    assert (document["game"], document["dice"]) == ("yahtzee", [1, 1, 6, 6, 3])
    by_action = {json.dumps(each["action"]): each for each in document["choices"]}
    assert by_action[json.dumps(score("sixes"))]["points"] == 12
    pairs = by_action[json.dumps(keep(1, 1, 6, 6))]["odds"]
    assert pairs["full"] == {"fraction": "5/9", "chance": pytest.approx(5 / 9)}
    assert len(document["choices"]) == 13 + 17
    status, out, _ = run(capsys, "odds", "yahtzee", "1", "1", "6", "6", "3")
    assert status == 0
    assert "keep 1 1 6 6" in out
    assert "Full house 55.6 %" in out


@pytest.mark.parametrize("key", [info.key for info in scorer.all_games()])
def test_the_chances_have_names_that_people_know(key: str) -> None:
    """The JSON has keys; a person reads titles: "Three alike", not `three`."""
    game = scorer.game(key)
    throw, *_ = game.legal(game.start(players=1))
    if "count" not in throw:
        with pytest.raises(scorer.IllegalAction):
            reports.odds_of_throw(game, [1])
        return
    document = reports.odds_of_throw(game, [each % 6 + 1 for each in range(throw["count"])])
    keys = {name for choice in document["choices"] for name in choice["odds"]} - {"bust"}
    said = re.findall(r"[(,] ?(\D[^,(]*?) [\d.]+ %", "\n".join(reports.odds_in_words(game, document)))
    assert bool(said) >= bool(keys)
    assert keys.isdisjoint(said)


def test_advice_lists_every_legal_action_best_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "advise", record(tmp_path))
    assert (document["unit"], document["exact"], document["player"]) == ("points", True, 0)
    best = document["choices"][0]
    assert best["action"] == keep(6, 6, 6)
    assert (best["value"], best["loss"]) == (document["value"], 0)
    assert best["odds"]["general"]["fraction"] == "1/36"
    losses = [each["loss"] for each in document["choices"]]
    assert losses == sorted(losses)
    assert sum(each["action"]["do"] == "score" for each in document["choices"]) == 13
    assert "keep 6 6 6: best" in run(capsys, "advise", record(tmp_path))[1]


def test_before_a_throw_there_is_nothing_to_choose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "advise", record(tmp_path, actions=[]))
    assert document["choices"] == []
    assert document["value"] == pytest.approx(250.2161, abs=2e-4)
    assert "nothing to choose" in run(capsys, "advise", record(tmp_path, actions=[]))[1]


def test_luck_and_losses_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "analyse", record(tmp_path))
    ada, bob = document["players"]
    assert ada["mean"] + ada["luck"] - ada["mistakes"] == pytest.approx(ada["result"])
    assert (bob["luck"], bob["mistakes"]) == (0, 0)
    assert [each["number"] for each in document["actions"]] == [1, 2, 3]
    out = run(capsys, "analyse", record(tmp_path))[1]
    assert "Ada: expected now" in out
    assert "throw of the evening: Ada, action 3" in out


def test_a_game_that_is_over_and_a_wrong_record_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = record(tmp_path, actions=[{"do": "adjust", "what": "game", "over": True}])
    assert_refused(run(capsys, "advise", over, "--json"), "the game is over")
    assert run(capsys, "analyse", over)[0] == 0
    for command in ("advise", "analyse"):
        assert_refused(run(capsys, command, record(tmp_path, actions=[keep(1)]), "--json"), "action 1: ")
        assert_refused(run(capsys, command, str(tmp_path / "none.json")), "cannot read")
    assert_refused(run(capsys, "odds", "yahtzee", "1", "7", "6", "6", "3"), "7")
    assert_refused(run(capsys, "odds", "bridge", "1"), "bridge")
    assert_refused(run(capsys, "solve", "kosci", "--option", "target=5"), "target")


def test_a_house_rule_that_is_not_solved_names_the_command_that_solves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = record(tmp_path, options={"first_general_is_joker": True})
    for command in ("advise", "analyse"):
        told = run(capsys, command, house, "--data", str(tmp_path / "data"))
        where = tmp_path / "data"  # else it would be kept where it is not looked for
        assert_refused(told, f"rollcall solve kosci --option first_general_is_joker=true --data {where}")


def test_where_nothing_can_be_chosen_odds_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "odds", "sequence", "1", "2", "2", "4", "5", "6")[1] == (
        "there is nothing to choose after this throw\n"
    )


def test_what_was_solved_is_kept_in_the_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Numbers that mean nothing in place of half a minute's work.
    def quickly(game: Any, progress: Any, players: int) -> OneColumnSolution:
        assert progress is None  # standard error is no terminal here
        return random_solution(game)

    monkeypatch.setattr(solution_cache, "solve", quickly)
    options = ("kosci", "--option", "first_general_is_joker=true", "--data", str(tmp_path / "data"))
    document = run_json(capsys, "solve", *options)
    assert document["game"] == "kosci"
    assert document["options"] == {"first_general_is_joker": True, "hundreds_need_first": True}
    assert (document["exact"], document["states"]) == (True, 894_080)
    assert {"value", "seconds"} <= document.keys()
    house = record(tmp_path, options={"first_general_is_joker": True})
    assert run_json(capsys, "advise", house, "--data", str(tmp_path / "data"))["choices"]
    assert [path.suffix for path in (tmp_path / "data" / "advice").iterdir()] == [".npz"]


def test_a_terminal_sees_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(game: Any, progress: Any, players: int) -> OneColumnSolution:
        progress(0.5)
        return random_solution(game)

    monkeypatch.setattr(solution_cache, "solve", half)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, out, err = run(capsys, "solve", "yahtzee", "--json", "--data", str(tmp_path))
    assert status == 0
    assert json.loads(out)["game"] == "yahtzee"
    assert f"solving yahtzee [{'#' * 20}{' ' * 20}]  50%" in err
    assert err.endswith("\n")


def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution_cache, "solve", lambda game, progress, players: random_solution(game))
    (tmp_path / "advice").write_text("a file")
    assert_refused(run(capsys, "solve", "kosci", "--data", str(tmp_path)), "cannot be used")


def test_a_damaged_table_counts_as_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = record(tmp_path, game="kosci-single", options={"zero_only_if_nothing_fits": True})
    assert_refused(run(capsys, "advise", house, "--data", str(tmp_path)), "rollcall solve kosci-single")
    game = scorer.game("kosci-single", zero_only_if_nothing_fits=True)
    (tmp_path / "advice").mkdir()
    (tmp_path / "advice" / solution_cache.name_of(game)).write_bytes(b"nothing")
    assert_refused(run(capsys, "advise", house, "--data", str(tmp_path)), "rollcall solve kosci-single")


def test_two_who_race_for_a_target_are_told_chances_to_win(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thrown = {"game": "six-dice", "actions": [throw(1, 1, 6, 6, 3, 4)]}
    of_two = run_json(capsys, "advise", record(tmp_path, **thrown))
    assert (of_two["unit"], of_two["exact"]) == ("win", True)
    assert 0.5 < of_two["value"] < 0.6
    assert run_json(capsys, "advise", record(tmp_path, **thrown, players=["Ada"]))["unit"] == "points"
    # Not solved for two: points are the next best, and `solve --race` says what cannot be solved so.
    other = {**thrown, "options": {"target": 9000}}
    assert run_json(capsys, "advise", record(tmp_path, **other), "--data", str(tmp_path))["unit"] == "points"
    assert_refused(run(capsys, "solve", "yahtzee", "--race"), "leave out --race")


def test_a_race_is_solved_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--option", "target=600", "--option", "minimum=100"]
    solved = run_json(capsys, "solve", "ones-and-fives", *short, "--race", "--data", str(tmp_path))
    assert solved["unit"] == "win"
    assert 0.5 < solved["value"] < 1
    played = {"game": "ones-and-fives", "options": {"target": 600, "minimum": 100}}
    told = run_json(
        capsys, "advise", record(tmp_path, **played, actions=[throw(1, 1, 6, 6, 3, 4)]), "--data", str(tmp_path)
    )
    assert told["unit"] == "win"


def test_a_game_whose_players_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    joined = {"do": "adjust", "what": "player-added", "name": "Cid"}
    path = record(tmp_path, game="yahtzee", actions=[joined, throw(1, 1, 6, 6, 3)])
    for command in ("advise", "analyse"):
        assert_refused(run(capsys, command, path), "players joined, left or changed places")
    renamed = {"do": "adjust", "what": "player-renamed", "player": 0, "name": "Eva"}
    path = record(tmp_path, game="yahtzee", actions=[renamed, throw(1, 1, 6, 6, 3)])
    assert run_json(capsys, "advise", path)["exact"]


def test_a_hand_alone_has_nobody_to_beat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record(tmp_path, game="threes", players=["Ada"], actions=[throw(1, 1, 3, 3, 2)])
    assert_refused(run(capsys, "advise", path), "nobody to beat")
    path = record(tmp_path, game="threes", players=["Ada", "Bob"], actions=[throw(1, 1, 3, 3, 2)])
    assert run_json(capsys, "advise", path)["exact"]
