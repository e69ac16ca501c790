"""Files from anywhere are played before they are called fine: whatever stops a game becomes one refusal."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

import scorer
from scorer.definitions import trial
from scorer.definitions.building import GameFromFile, game_from_text, values_of, variants
from scorer.definitions.definition import DefinitionError
from scorer.definitions.game_file import CounterRules
from scorer.definitions.shapes import WrongShape
from scorer.games import from_file, keys, text_of
from scorer.options import WholeNumber
from scorer.ten_thousand import TenThousand

FILES = [key for key in keys() if from_file(key)]
RACE = """family = "ten-thousand"
title = "Ours"
summary = "Ours."
[rules]
[[rules.combination]]
dice = [1]
points = 100
[[option]]
name = "short"
title = "a short game"
rules = { target = 1000 }
[[option]]
name = "hot"
title = "hot dice"
[[option.value]]
name = "may"
title = "as you like"
[[option.value]]
name = "must"
title = "all again"
rules = { hot_dice = "must" }
"""
SHEET = 'family = "sheet"\ntitle = "T"\nsummary = "s"\n[rules]\n'


@pytest.mark.parametrize("key", FILES)
def test_a_game_that_comes_along_is_played_in_all_its_variants_and_few_steps(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Counter[str] = Counter()
    played = []
    do, make = scorer.Table.do, GameFromFile.__call__

    def counted(table: scorer.Table, action: Any) -> None:
        done[action["do"]] += 1
        do(table, action)

    def made(kind: GameFromFile, /, **settings: Any) -> Any:
        played.append(settings)
        return make(kind, **settings)

    monkeypatch.setattr(scorer.Table, "do", counted)
    monkeypatch.setattr(GameFromFile, "__call__", made)
    kind = trial.playable_game(text_of(key), "ours")
    assert done.total() < 2 * (trial.MOST_STEPS // trial.STEPS_OF_ACTION + 3 * len(played))
    assert done["throw"] + done["write"] > 1
    usual = {option.name: option.default for option in kind.options}
    of_all = [{**usual, **settings} for settings in played]
    for option in kind.options:
        if isinstance(option, WholeNumber):
            assert {option.low, option.high, option.default} <= {each[option.name] for each in of_all}
    for one, other in combinations([option for option in kind.options if not isinstance(option, WholeNumber)], 2):
        pairs = {(each[one.name], each[other.name]) for each in of_all}
        assert len(pairs) == len({pair[0] for pair in pairs}) * len({pair[1] for pair in pairs}) >= 4


def test_a_file_of_many_options_is_played_in_so_many_variants_and_each_value_at_least_once() -> None:
    numbers = ("minimum", "opening", "forced", "take_over", "nothing_scores", "bank_with_at_most")
    kind = game_from_text(RACE + "".join(f'[[option]]\nname = "{name}"\n' for name in numbers) + "low = 1\n", "ours")
    settings = list(variants(kind.options, trial.MOST_GAMES))
    assert len(settings) <= trial.MOST_GAMES
    for option in kind.options:
        assert {each.get(option.name, option.default) for each in settings} == set(values_of(option))
    assert any(each.get("short") and each.get("hot") == "must" for each in settings)
    trial.try_variants(kind)


class FailsOnHotDice(TenThousand):
    """A race that cannot be banked where hot dice must be thrown, which no check foresaw."""

    def legal(self, state: Any) -> list[dict[str, Any]]:
        if self.rules.hot_dice == "must":
            raise ZeroDivisionError
        return super().legal(state)


class RefusesItsOwnSteps(TenThousand):
    def legal(self, state: Any) -> list[dict[str, Any]]:
        return [{"do": "bank", "points": 0}]


class HasNoRules(TenThousand):
    def short_rules(self) -> Any:
        raise KeyError("target")


class ForgetsItsTarget(TenThousand):
    def extras(self, state: Any) -> dict[str, Any]:
        return {**super().extras(state), "game": id(self)}


class ShowsWhatIsNoJson(TenThousand):
    def turn(self, state: Any) -> dict[str, Any]:
        return {**super().turn(state), "dice": {1, 2}}


@pytest.mark.parametrize(
    ("family", "path", "variant", "step"),
    [
        (FailsOnHotDice, ("option", 1), "“hot dice”: all again", "what may be done next"),
        (RefusesItsOwnSteps, ("rules",), "its usual rules", "the step “bank”"),
        (HasNoRules, ("rules",), "its usual rules", "its rules for players"),
        (ForgetsItsTarget, ("rules",), "its usual rules", "its record"),
        (ShowsWhatIsNoJson, ("rules",), "its usual rules", "what may be done next"),
    ],
)
def test_a_fault_that_no_check_foresaw_is_told_with_its_variant_and_its_step(
    family: type[TenThousand], path: tuple[str | int, ...], variant: str, step: str
) -> None:
    kind = replace(game_from_text(RACE, "ours"), family=family)
    with pytest.raises(WrongShape) as found:
        trial.try_variants(kind)
    assert (found.value.path, found.value.reason) == (path, "definition-unplayable")
    told = DefinitionError(found.value.reason, where="ours.toml", **found.value.params)
    assert str(told) == f"ours.toml: a short game with {variant} fails at {step}; please report it, with the file"
    assert found.value.__cause__ is not None


def test_an_error_while_a_file_is_checked_is_a_refusal_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rules: CounterRules) -> None:
        raise RecursionError

    monkeypatch.setattr(CounterRules, "check", fail)
    with pytest.raises(DefinitionError, match=r"ours\.toml: Rollcall cannot make a game of this") as found:
        trial.playable_game(text_of("pig"), "ours")
    assert isinstance(found.value.__cause__, RecursionError)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("upper = [1, 1]\n", "ours.toml, line 5: rules.upper 1 stands twice"),
        ("upper = [6, 2, 3, 2]\n", "ours.toml, line 5: rules.upper 2 stands twice"),
        ('[[rules.cell]]\nkey = "ones"\ntitle = "O"\n', "line 6: rules.cell 1.key ones stands twice"),
    ],
)
def test_what_may_stand_once_is_refused_where_it_stands_again(rules: str, said: str) -> None:
    with pytest.raises(DefinitionError) as found:
        trial.playable_game(SHEET + rules, "ours")
    assert said in str(found.value)
