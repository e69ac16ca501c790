"""Solving beside the server: the true command in a process of its own."""

import sys
from pathlib import Path

import pytest

import rollcall
import scorer
from scorer.advice import solution_cache
from tests.web.waiting import wait_until
from web.advising import solver
from web.advising.solver import Solver
from web.hosts.threads import ThreadTask


def test_a_game_with_house_rules_is_solved_and_kept(tmp_path: Path) -> None:
    game = scorer.game("farkle", target=5000, opening=350)
    solver = Solver(tmp_path, ThreadTask)
    try:
        assert solver.ask(game)
        wait_until(lambda: solution_cache.load_kept(game, [solution_cache.folder_in(tmp_path)]) is not None)
    finally:
        solver.close()


def test_a_solver_that_is_closed_ends_what_it_solves(tmp_path: Path) -> None:
    solver = Solver(tmp_path, ThreadTask)
    assert solver.ask(scorer.game("kosci", first_general_is_joker=True))
    wait_until(lambda: solver._process is not None)
    solver.close()
    assert solver._process.wait(60) != 0
    assert not solver.ask(scorer.game("kosci", first_general_is_joker=True))


def test_the_folder_is_not_filled_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_KEPT", 2)
    folder = solution_cache.folder_in(tmp_path)
    folder.mkdir()
    for name in ("one.npz", "two.npz"):
        (folder / name).touch()
    assert not Solver(tmp_path, ThreadTask).ask(scorer.game("farkle", target=5000))


def test_a_game_that_fails_is_not_tried_again(tmp_path: Path) -> None:
    game = scorer.game("farkle", target=5000)
    solution_cache.folder_in(tmp_path).write_text("where a folder should be")
    solver = Solver(tmp_path, ThreadTask)
    try:
        assert solver.ask(game)
        wait_until(lambda: not solver.ask(game))
    finally:
        solver.close()


@pytest.mark.parametrize("frozen", [False, True])
def test_the_command_is_this_program_also_when_it_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frozen: bool
) -> None:
    """In a packed folder the interpreter takes no `-m`."""
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    command = solver.command_for(scorer.game("farkle", target=5000), 2, tmp_path)
    arguments = command[1:] if frozen else command[3:]
    assert command[0] == sys.executable
    assert command[1:3] == ["solve", "farkle"] if frozen else ["-m", "rollcall"]
    understood = rollcall.build_parser().parse_args(arguments)
    assert (understood.game, understood.data, understood.race) == ("farkle", tmp_path, True)
    assert "target=5000" in str(understood.option)
