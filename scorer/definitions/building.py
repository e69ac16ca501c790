"""A definition as the class of a game, like those written in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from math import gcd
from typing import Any, ClassVar

from scorer.actions import MOST_POINTS
from scorer.combinations import Combination
from scorer.counter import CounterGame
from scorer.definitions.definition import (
    Definition,
    Origins,
    definition_of,
    in_one_language,
    read_definition,
    read_tables,
    refusal_of,
    variants,
)
from scorer.definitions.examples import check_example
from scorer.definitions.game_file import (
    FAMILIES,
    CounterRules,
    FamilyRules,
    GameFile,
    HouseOption,
    SheetRules,
    TenThousandRules,
)
from scorer.definitions.rule_tables import categories_of, check_counter, factors_of, jokers_of, scoring_table
from scorer.definitions.shapes import Bounds, Path, WrongShape, bounds_of, name_of, read_value, types_of
from scorer.game import Game, Outcome
from scorer.options import Flag, Option, OptionChoice, WholeNumber
from scorer.refusals import Refusal
from scorer.sentences import BANK, SCORE, SCORE_IN_COLUMN, THROW
from scorer.sheet import SheetGame, adjustments_of
from scorer.ten_thousand import TenThousand
from scorer.texts import Rules, Section, T, Text

# The titles of rules that are a number or a yes-or-no: a table may be given the choice of each.
RULE_TITLES: dict[str, Text] = {
    "target": T("points that win the game"),
    "minimum": T("points that a turn needs to be banked"),
    "opening": T("points that a player's first banked turn needs"),
    "bank_with_at_most": T("most dice left to throw when banking"),
    "busts_to_penalty": T("turns in a row without points that cost points; 0: never"),
    "penalty": T("points that they cost"),
    "upper_threshold": T("upper sum that brings the bonus"),
    "upper_bonus": T("points of the upper bonus"),
    "rounds": T("turns of each player"),
    "saved_throws": T("unused throws that are saved for later turns, at most; 0: none"),
    "zero_only_if_nothing_fits": T("a 0 may be written only when nothing fits"),
    "forced": T("everything that scores is set aside by itself"),
    "nothing_scores": T("points for a first throw in which nothing scores; 0: the turn is lost"),
    "throws": T("throws of a turn"),
    "joker_bonus": T("points more for further five alike"),
    "first_general_is_joker": T("a player's first five alike may go anywhere too"),
    "hundreds_need_first": T("further ones bring points only if the first stand in their cell"),
    "low_wins": T("the lowest total wins"),
    "lose_turn": T("a face that loses the turn"),
    "lose_all": T("a face that loses all points when all dice show it"),
    "alike_wanted": T("points for all dice alike of the wanted face"),
    "alike_other": T("points for all dice alike of another face"),
}


class FromFile(Game[Any]):
    """What games from files have in common: options that change their rules, and paragraphs of their own."""

    definition: ClassVar[Definition]

    def __init__(self, /, **options: Any) -> None:
        try:
            super().__init__(**options)
        except Refusal as refusal:
            raise self._with_wordings(refusal) from None

    def apply(self, state: Any, action: Any) -> Outcome[Any]:
        try:
            return super().apply(state, action)
        except Refusal as refusal:
            raise self._with_wordings(refusal) from None

    def _with_wordings(self, refusal: Refusal) -> Refusal:
        if self.own_file is not None:
            refusal.wordings = self.definition.wordings
        return refusal

    def apply_settings(self) -> None:
        super().apply_settings()
        if self.settings != {option.name: option.default for option in self.options}:
            patches = patches_of(self.definition.file, self.settings)
            for name, value in attributes_of(self.definition.rules_with(patches)).items():
                setattr(self, name, value)

    def rules(self) -> Rules:
        rules = super().rules()  # type: ignore[safe-super]  # a family has them
        paragraphs = tuple(Text(text.english) for text in self.definition.file.text)
        if not paragraphs:
            return rules
        return Rules(rules.title, (*rules.sections, Section(T("More about this game"), paragraphs)))


class TenThousandFromFile(FromFile, TenThousand):
    scoring: tuple[Combination, ...]

    def combinations(self) -> tuple[Combination, ...]:
        return self.scoring


class SheetFromFile(FromFile, SheetGame):
    pass


class CounterFromFile(FromFile, CounterGame):
    pass


BASES: dict[str, type[FromFile]] = {
    "ten-thousand": TenThousandFromFile,
    "sheet": SheetFromFile,
    "counter": CounterFromFile,
}


def game_from_text(text: str, key: str, comes_along: bool = False) -> type[FromFile]:
    """The class of the game in a file of this name, without its ending; its examples hold. Raises DefinitionError.

    `comes_along`: whether the file is one of Rollcall's own, so that records need not carry it.
    """
    definition = read_definition(text, key)
    try:
        found = checked_class(definition)
    except WrongShape as wrong:
        raise refusal_of(wrong, text, f"{key}.toml") from None
    found.own_file = None if comes_along else text
    return found


def class_in_language(text: str, key: str, language: str) -> type[FromFile]:
    """The class of the game in a file that was checked before, its own texts in one language where they have it."""
    tables = in_one_language(read_tables(text, key), language)
    found = game_class(definition_of(tables, key, text))
    found.own_file = text
    return found


def checked_class(definition: Definition) -> type[FromFile]:
    """The class of a game whose options can be and whose examples hold. Raises WrongShape."""
    for patches, origins in variants(definition.file):
        _check_variant(definition, patches, origins)
    found = game_class(definition)
    for place, example in enumerate(definition.file.example):
        check_example(found, example, ("example", place))
    return found


def _check_variant(definition: Definition, patches: Mapping[str, Any], origins: Origins) -> None:
    """Raises WrongShape for rules that cannot be, at the option that brings them."""
    try:
        attributes_of(definition.rules_with(patches))
    except WrongShape as wrong:
        origin = origins.get(str(wrong.path[1])) if len(wrong.path) > 1 else None
        if origin is None:
            raise
        raise WrongShape((*origin, *wrong.path[2:]), wrong.reason, **wrong.params) from None


def game_class(definition: Definition) -> type[FromFile]:
    file = definition.file
    rules = definition.rules_with(patches_of(file, {}))
    attributes: dict[str, Any] = {
        "__module__": __name__,
        "definition": definition,
        "key": definition.key,
        "title": file.title.english,
        "summary": file.summary.english,
        "order": file.order,
        "most_players": file.players,
        "options": tuple(_option(file, rules, option, place) for place, option in enumerate(file.option)),
        **attributes_of(rules),
    }
    name = "".join(part.capitalize() for part in definition.key.replace("_", "-").split("-"))
    found: type[FromFile] = type(name, (BASES[file.family],), attributes)
    return found


def attributes_of(rules: FamilyRules) -> dict[str, Any]:
    """The attributes of the family's class that these rules are. Raises WrongShape for contradictions."""
    if isinstance(rules, TenThousandRules):
        return _ten_thousand(rules)
    if isinstance(rules, SheetRules):
        return _sheet(rules)
    check_counter(rules)
    return _fields(rules)


def _ten_thousand(rules: TenThousandRules) -> dict[str, Any]:
    step = _step_of_target(rules)
    if rules.target % step:
        allowed = T("a multiple of {step}, {low}..{high}", step=step, low=step, high=MOST_POINTS)
        path = ("rules", "target")
        raise WrongShape(path, "definition-wrong-value", field=name_of(path), allowed=allowed, got=str(rules.target))
    found = {
        "dice": rules.dice,
        "scoring": scoring_table(rules),
        "target": rules.target,
        "minimum": rules.minimum,
        "opening": rules.opening,
        "bank_with_at_most": rules.dice if rules.bank_with_at_most is None else rules.bank_with_at_most,
        "finish_round": rules.end == "finish-round",
        "one_more_turn": rules.end == "one-more-turn",
        "exact": rules.end == "exact",
        "forced": rules.forced,
        "hot_dice": _hot_dice(rules),
        "six_for_nothing": rules.nothing_scores,
        "busts_to_penalty": rules.busts_to_penalty,
        "penalty": rules.penalty,
        "actions": {"throw": THROW, "bank": BANK} if rules.forced else TenThousand.actions,
    }
    if rules.penalty and rules.busts_to_penalty:
        found["may_be_negative"] = frozenset({"total", "turn", "last-turn"})
    return found


def _hot_dice(rules: TenThousandRules) -> str:
    if rules.confirm == "never":
        return rules.hot_dice
    if rules.hot_dice != "may":
        raise WrongShape(("rules", "confirm"), "definition-one-of", field="rules", known=["hot_dice", "confirm"])
    older = {"any": "must", "single-throw": "must-after-one-throw"}
    return older[rules.confirm] if rules.forced else "may"  # files from before hot_dice said it of those alone


def _sheet(rules: SheetRules) -> dict[str, Any]:
    return {
        "actions": {**SheetGame.actions, "score": SCORE_IN_COLUMN if rules.columns > 1 else SCORE},
        "adjustments": adjustments_of(rules.columns, rules.saved_throws),
        "dice": rules.dice,
        "categories": categories_of(rules),
        "throws": rules.throws,
        "columns": factors_of(rules),
        "upper_threshold": rules.upper_threshold,
        "upper_bonus": rules.upper_bonus,
        "jokers": jokers_of(rules),
        "joker_cell": str(rules.joker_cell),  # plain, as JSON needs it
        "joker_bonus": rules.joker_bonus,
        "in_order": rules.order == "forced",
        "first_general_is_joker": rules.first_general_is_joker,
        "hundreds_need_first": rules.hundreds_need_first,
        "low_wins": rules.low_wins,
        "zero_only_if_nothing_fits": rules.zero_only_if_nothing_fits,
        "saved_throws": rules.saved_throws,
    }


def _fields(rules: CounterRules) -> dict[str, Any]:
    found = {field.name: getattr(rules, field.name) for field in fields(rules)}
    turn_of = found.pop("turn")  # a game's `turn` is a method
    return {**found, "turn_of": turn_of}


# --- options ---------------------------------------------------------------------------------------------------------


def patches_of(file: GameFile, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that hold instead of the file's with these settings; without a setting, by default."""
    patches: dict[str, Any] = {}
    for option in file.option:
        if option.value:
            chosen = settings.get(option.name, option.value[0].name)
            patches.update(next(value.rules or {} for value in option.value if value.name == chosen))
        elif option.rules is not None:
            patches.update(option.rules if settings.get(option.name) else {})
        elif option.name in settings:
            patches[option.name] = settings[option.name]
    return patches


def _option(file: GameFile, rules: FamilyRules, option: HouseOption, place: int) -> Option:
    title = Text(option.title.english) if option.title else RULE_TITLES.get(option.name, Text(option.name))
    if option.value:
        choices = {str(value.name): Text(value.title.english) for value in option.value}
        return OptionChoice(option.name, option.value[0].name, title, choices)
    if option.rules is not None:
        return Flag(option.name, False, title)
    default = getattr(rules, option.name, None)
    if option.name == "bank_with_at_most" and isinstance(rules, TenThousandRules):
        default = rules.dice if default is None else default
    if isinstance(default, bool):
        return Flag(option.name, default, title, option.before if isinstance(option.before, bool) else None)
    if not isinstance(default, int) or option.name in ("dice", "columns"):
        known = [name for name, kind in types_of(FAMILIES[file.family]).items() if kind is bool or "int" in str(kind)]
        raise WrongShape(("option", place), "definition-unknown-rule", name=option.name, known=known)
    low, high = _bounds(option, FAMILIES[file.family], rules, place)
    if not low <= default <= high:
        raise _out_of_bounds(("rules", option.name), option.name, Bounds(low, high), default)
    step = max(map(_step_of_target, _all_rules(file))) if option.name == "target" else 1
    before = None if isinstance(option.before, bool) else option.before
    return WholeNumber(option.name, default, title, low if step == 1 else max(low, step), high, step, before)


def _all_rules(file: GameFile) -> Iterator[FamilyRules]:
    kind = FAMILIES[file.family]
    return (read_value(kind, {**file.rules, **patches}, ("rules",)) for patches, _ in variants(file))


def _step_of_target(rules: FamilyRules) -> int:
    """What a target is a multiple of: points must be able to reach one that nothing may pass."""
    if not isinstance(rules, TenThousandRules) or rules.end != "exact":
        return 1
    points = (points for each in scoring_table(rules) for _, points in each.dice)
    return gcd(*points, rules.nothing_scores, rules.penalty if rules.busts_to_penalty else 0)


def _bounds(option: HouseOption, kind: type, rules: FamilyRules, place: int) -> Bounds:
    """The numbers that an option may choose: those of its rule, or fewer."""
    bounds = bounds_of(types_of(kind)[option.name])
    if option.name == "bank_with_at_most":
        bounds = Bounds(0, rules.dice)
    if isinstance(rules, CounterRules) and not (rules.rounds and rules.target) and option.name in ("rounds", "target"):
        bounds = Bounds(1, bounds.high)  # else the game would never end
    chosen = Bounds(
        bounds.low if option.low is None else option.low, bounds.high if option.high is None else option.high
    )
    for name, number in zip(("low", "high"), chosen, strict=True):
        if not bounds.low <= number <= bounds.high:
            raise _out_of_bounds(("option", place, name), name, bounds, number)
    return chosen


def _out_of_bounds(path: Path, field: str, bounds: Bounds, number: int) -> WrongShape:
    allowed = T("a whole number {low}..{high}", low=bounds.low, high=bounds.high)
    return WrongShape(path, "definition-wrong-value", field=field, allowed=allowed, got=str(number))
