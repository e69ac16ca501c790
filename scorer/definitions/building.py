"""A definition as a game with its options, like those written in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from scorer.actions import FACES
from scorer.counter import CounterGame
from scorer.definitions.definition import (
    Definition,
    check_options,
    definition_of,
    faults_refused,
    in_one_language,
    read_definition,
    read_tables,
    refusal_of,
)
from scorer.definitions.examples import check_example
from scorer.definitions.game_file import (
    FAMILIES,
    CounterRules,
    FamilyRules,
    GameFile,
    HouseOption,
    TenThousandRules,
)
from scorer.definitions.hand_rules import HandRules
from scorer.definitions.shapes import (
    Bounds,
    Path,
    WrongShape,
    bounds_of,
    describe,
    types_of,
    wrong_value,
)
from scorer.definitions.winnable import why_nobody_wins
from scorer.game import Game, GameType
from scorer.options import Flag, Option, OptionChoice, WholeNumber
from scorer.pad import PadGame
from scorer.refusals import Refusal
from scorer.rounds_won import RoundsWon
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.texts import T, Text
from scorer.turns.hand import HandGame

# The titles of rules that are a number or a yes-or-no: a table may be given the choice of each.
RULE_TITLES: dict[str, Text] = {
    "target": T("points that win the game"),
    "minimum": T("points that a turn needs to be banked"),
    "opening": T("points that a player's first banked turn needs"),
    "bank_with_at_most": T("most dice left to throw when banking"),
    "penalty": T("turns in a row without points, and the points that they cost, such as 3, 500"),
    "take_over": T("a turn may begin with the dice that the one before left, and with its points: taking over"),
    "overshoot_to": T("points that are left of the total when a turn passes the target; nothing written: all of them"),
    "choose_dice": T("the player chooses how many dice he throws"),
    "progress": T("numbers that a throw makes at most, one after the other; 0: throws count by the table"),
    "alike_again": T("dice alike must be thrown again before banking"),
    "limit": T("points that a turn may not pass; 0: any"),
    "round_target": T("points in a round that win it at once; 0: the best of one turn each"),
    "rounds": T("turns of each player"),
    "saved_throws": T("unused throws that are saved for later turns, at most; 0: none"),
    "zero_only_if_nothing_fits": T("a 0 may be written only when nothing fits"),
    "forced": T("everything that scores is set aside by itself"),
    "nothing_scores": T("points for a first throw in which nothing scores; 0: the turn is lost"),
    "throws": T("throws of a turn"),
    "hundreds_need_first": T("further ones bring points only if the first stand in their cell"),
    "low_wins": T("the lowest total wins"),
    "teams": T("teams; 0: everybody plays alone"),
    "lives": T("lives"),
    "keep_at_least": T("dice to set aside after each throw, at least"),
    "first_sets_throws": T("nobody may throw more often than the first player of the round"),
    "ranked": T("an earlier line beats a later one"),
}

MOST_VARIANTS = 400  # of a file, that are checked

Settings = Mapping[str, Any]  # the values of options by name; a missing one has its default

# How games are played, by their family.
GAMES: dict[str, type[Game[Any]]] = {
    "ten-thousand": TenThousand,
    "sheet": SheetGame,
    "counter": CounterGame,
    "pad": PadGame,
    "hand": HandGame,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class GameFromFile(GameType):
    """A game from a file: its options change the file's rules."""

    definition: Definition

    def __call__(self, /, **options: Any) -> Game[Any]:
        try:
            return super().__call__(**options)
        except Refusal as refusal:
            refusal.wordings = self.wordings
            raise
        except WrongShape as wrong:  # of a variant that nobody checked
            raise refusal_of(wrong, self.definition.text, f"{self.key}.toml") from None

    def family_of(self, rules: FamilyRules) -> type[Game[Any]]:
        return RoundsWon if isinstance(rules, CounterRules) and rules.counts == "rounds" else self.family

    @property
    def paragraphs(self) -> tuple[Text, ...]:
        return tuple(Text(text.english) for text in self.definition.file.text)

    @property
    def wordings(self) -> Mapping[str, Mapping[str, str]]:
        return {} if self.own_file is None else self.definition.wordings


def game_from_text(text: str, key: str, comes_along: bool = False) -> GameFromFile:
    """The game in a file of this name, without its ending; its examples hold. Raises DefinitionError.

    `comes_along`: whether the file is one of Rollcall's own, so that records need not carry it.
    """
    definition = read_definition(text, key)
    try:
        with faults_refused(f"{key}.toml"):
            return checked_kind(definition, own_file=None if comes_along else text)
    except WrongShape as wrong:
        raise refusal_of(wrong, text, f"{key}.toml") from None


def unchecked_game(text: str, key: str, comes_along: bool = False) -> GameFromFile:
    """As `game_from_text`, but no variant and no example is checked. Raises DefinitionError."""
    definition = read_definition(text, key)
    try:
        with faults_refused(f"{key}.toml"):
            return kind_of(definition, own_file=None if comes_along else text)
    except WrongShape as wrong:
        raise refusal_of(wrong, text, f"{key}.toml") from None


def kind_in_language(text: str, key: str, language: str) -> GameFromFile:
    """The game in a file that was checked before, its own texts in one language where they have it."""
    tables = in_one_language(read_tables(text, key), language)
    return kind_of(definition_of(tables, key, text), own_file=text)


def checked_kind(definition: Definition, own_file: str | None = None) -> GameFromFile:
    """A game whose options can be and do something, whose examples hold and that can be won in each variant. Raises
    WrongShape."""
    check_options(definition.file)
    found = kind_of(definition, own_file)
    for settings in variants(found.options):
        _check_variant(found, settings)
    refuse_idle_options(found)
    for place, example in enumerate(definition.file.example):
        check_example(found, example, ("example", place))
    return found


def variants(options: Sequence[Option], most: int = MOST_VARIANTS) -> Iterator[Settings]:
    """Every combination of the options' values, without usual ones: of a number its least and its greatest, or all if
    they are as few as faces.

    Those of the fewest changes come first, so that a fault is found where it is brought. Of more than `most`, only
    these are made.
    """
    others = {option.name: values_of(option)[1:] for option in options}
    left = most
    for count in range(len(others) + 1):
        changed = [
            dict(zip(names, values, strict=True))
            for names in combinations(others, count)
            for values in product(*(others[name] for name in names))
        ]
        step = -(-len(changed) // left)
        yield from changed[:: max(1, step)]
        left -= len(changed)
        if left <= 0:
            return


def values_of(option: Option) -> list[Any]:
    """The values of an option that are tried, the usual one first."""
    others: Sequence[Any] = ()
    if isinstance(option, OptionChoice):
        others = list(option.choices)
    elif isinstance(option, Flag):
        others = [False, True]
    elif isinstance(option, WholeNumber):
        every = range(option.low + -option.low % option.step, option.high + 1, option.step)
        others = every if len(every) <= len(FACES) else (every[0], every[-1])
    return list(dict.fromkeys((option.default, *others)))


def _check_variant(kind: GameFromFile, settings: Settings) -> None:
    """Raises WrongShape for rules that cannot be, at the option that brings them, or by which nobody can win.

    A number may be one that says nothing by itself, such as points for what needs another rule.
    """
    file = kind.definition.file
    with _told_at_option(file, settings):
        rules = _rules(kind.definition, settings)
        alone = any(option.name in settings for option in file.option if not option.value and option.rules is None)
        if isinstance(rules, HandRules) or not alone:
            rules.check()
    if why := why_nobody_wins(kind.family_of(rules)(kind, rules, settings)):
        raise in_variant(kind, settings, why)


@contextmanager
def _told_at_option(file: GameFile, settings: Settings) -> Iterator[None]:
    """Raises WrongShape of a rule that a chosen option brings at this option."""
    try:
        yield
    except WrongShape as wrong:
        origins = {name: (*path, name) for path, rules in _chosen_rules(file, settings) for name in rules}
        origin = origins.get(str(wrong.path[1])) if len(wrong.path) > 1 else None
        if origin is None:
            raise
        raise WrongShape((*origin, *wrong.path[2:]), wrong.reason, **wrong.params) from None


def in_variant(kind: GameFromFile, settings: Settings, reason: str, **params: Any) -> WrongShape:
    """That something is wrong with a variant, at the first option that is not chosen as usual."""
    chosen = [
        (place, Text("“{rule}”: {value}", {"rule": option.title, "value": option.describe(settings[option.name])}))
        for place, option in enumerate(kind.options)
        if option.name in settings
    ]
    path: Path = ("option", chosen[0][0]) if chosen else ("rules",)
    variant = [text for _, text in chosen] or T("its usual rules")
    return WrongShape(path, reason, variant=variant, **params)


def _rules(definition: Definition, settings: Settings) -> FamilyRules:
    return definition.rules_with(patches_of(definition.file, settings))


def kind_of(definition: Definition, own_file: str | None = None) -> GameFromFile:
    """A game that was checked before."""
    file = definition.file
    with _told_at_option(file, {}):
        rules = _rules(definition, {})
    options = tuple(_option(definition, rules, option, place) for place, option in enumerate(file.option))
    usual = {option.name: option.default for option in options}

    def rules_with(settings: Mapping[str, Any]) -> FamilyRules:
        return rules if settings == usual else _rules(definition, settings)

    return GameFromFile(
        key=definition.key,
        title=file.title.english,
        summary=file.summary.english,
        order=file.order,
        family=GAMES[file.family],
        rules_with=rules_with,
        options=options,
        most_players=file.players,
        own_file=own_file,
        definition=definition,
    )


# --- options ---------------------------------------------------------------------------------------------------------


def patches_of(file: GameFile, settings: Settings) -> dict[str, Any]:
    """The rules that hold instead of the file's with these settings; without a setting, by default."""
    return {name: value for _, rules in _chosen_rules(file, settings) for name, value in rules.items()}


def _chosen_rules(file: GameFile, settings: Settings) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The rules that each option brings with these settings, and where they stand."""
    for place, option in enumerate(file.option):
        path: Path = ("option", place)
        if option.value:
            names = [str(value.name) for value in option.value]
            number = names.index(settings.get(option.name, names[0]))
            yield (*path, "value", number, "rules"), option.value[number].rules or {}
        elif option.rules is not None:
            yield (*path, "rules"), option.rules if settings.get(option.name) else {}
        elif option.name in settings:
            yield path, {option.name: settings[option.name]}


def refuse_idle_options(kind: GameFromFile) -> None:
    """Raises WrongShape for an option of which two choices make the same rules, or that sets what another sets."""
    file = kind.definition.file
    setting: dict[str, str] = {}
    for place, (option, made) in enumerate(zip(file.option, kind.options, strict=True)):
        path: Path = ("option", place)
        values = values_of(made)
        rules = [_rules(kind.definition, {made.name: value}) for value in values]
        if len(values) == 1 or (not option.value and rules[0] == rules[1]):
            raise WrongShape(path, "definition-idle-option", name=made.name)
        for number, each in enumerate(rules):
            if (same := rules.index(each)) < number:
                choices = {"choice": values[same], "other": values[number]}
                raise WrongShape((*path, "value", number), "definition-equal-choices", name=made.name, **choices)
        named = {name for each in (option.rules, *(value.rules for value in option.value)) for name in each or ()}
        if not option.value and option.rules is None:
            named = {option.name}
        for name in sorted(named & setting.keys()):
            raise WrongShape(path, "definition-options-clash", name=made.name, other=setting[name], rule=name)
        setting |= dict.fromkeys(named, made.name)


def _option(definition: Definition, rules: FamilyRules, option: HouseOption, place: int) -> Option:
    file = definition.file
    title = Text(option.title.english) if option.title else RULE_TITLES.get(option.name, Text(option.name))
    if option.value:
        choices = {str(value.name): Text(value.title.english) for value in option.value}
        return OptionChoice(option.name, option.value[0].name, title, choices)
    if option.rules is not None:
        return Flag(option.name, False, title)
    kind = FAMILIES[file.family]
    default = getattr(rules, option.name) if option.name in types_of(kind) else None
    if option.name == "bank_with_at_most" and isinstance(rules, TenThousandRules) and default is None:
        default = rules.dice
    if isinstance(default, bool):
        return Flag(option.name, default, title)
    if not isinstance(default, int) or option.name in ("dice", "columns"):
        known = [name for name, each in types_of(kind).items() if each is bool or "int" in str(each)]
        raise WrongShape(("option", place), "definition-unknown-rule", name=option.name, known=known)
    low, high = _bounds(option, kind, rules, place)
    if not low <= default <= high:
        raise _out_of_bounds(("rules", option.name), Bounds(low, high), default)
    step = _step_of_target(definition) if option.name == "target" else 1
    return WholeNumber(option.name, default, title, low if step == 1 else max(low, step), high, step)


def _step_of_target(definition: Definition) -> int:
    """What a target is a multiple of, whatever else is chosen."""
    file = definition.file
    given = [(place, each) for place, each in enumerate(file.option) if each.value or each.rules is not None]
    choices = [_option(definition, definition.rules_with({}), each, place) for place, each in given]
    steps = [1]
    for settings in variants(choices):
        with _told_at_option(file, settings):
            rules = _rules(definition, settings)
            steps.append(rules.step_of_target if isinstance(rules, TenThousandRules | CounterRules) else 1)
    return max(steps)


def _bounds(option: HouseOption, kind: type, rules: FamilyRules, place: int) -> Bounds:
    """The numbers that an option may choose: those of its rule, or fewer."""
    bounds = bounds_of(types_of(kind)[option.name])
    if option.name == "bank_with_at_most":
        bounds = Bounds(0, rules.dice)
    if isinstance(rules, CounterRules) and not (rules.rounds and rules.target) and option.name in ("rounds", "target"):
        bounds = Bounds(1, bounds.high)  # else the game would never end
    if isinstance(rules, HandRules) and rules.throws and option.name == "throws":
        bounds = Bounds(1, bounds.high)  # 0 is another rule
    chosen = Bounds(
        bounds.low if option.low is None else option.low, bounds.high if option.high is None else option.high
    )
    for name, number, least in (("low", chosen.low, bounds.low), ("high", chosen.high, max(bounds.low, chosen.low))):
        if not least <= number <= bounds.high:
            raise _out_of_bounds(("option", place, name), Bounds(least, bounds.high), number)
    return chosen


def _out_of_bounds(path: Path, bounds: Bounds, number: int) -> WrongShape:
    return wrong_value(path, describe(int, bounds), str(number))
