"""A file is fine if somebody can win, whatever is chosen, and if each choice of its house rules does something."""

import random
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

from scorer.actions import FACES
from scorer.definitions.building import MOST_VARIANTS, kind_of, values_of, variants
from scorer.definitions.definition import DefinitionError, definition_of
from scorer.definitions.shapes import WrongShape
from scorer.definitions.toml_writer import toml_text
from scorer.definitions.trial import ends_by_chance, playable_game
from scorer.definitions.winnable import NO_END, NO_TURN, NOTHING_COUNTS, why_nobody_wins
from scorer.game import Game

FAMILY = {"race": "ten-thousand", "counter": "counter", "sheet": "sheet", "pad": "pad"}
ONES = [{"dice": [1], "points": 100}]
TRIPLES = [{"alike": 3, "points": 300}]
EVERY_FACE = [{"alike": 1, "points": 50}]


def worth(points: str, bust: int = 0, **more: Any) -> dict[str, Any]:
    """A value table of one line, and of one before it by which a face is a bust."""
    first = [{"dice": [bust], "points": "bust"}] if bust else []
    return {"worth": [*first, {"points": points, "says": "in words", **more}]}


HOW_MANY, IF_WANTED, TWOS_ALONE = worth("n(wanted)"), worth("sum * (sum = wanted)"), worth("sum(2)")
PROVED = [{"dice": [1], "points": 100, "confirm": 50}]
UNTIL_A_SIX = {"dice": 1, **worth("sum - sum(6)", bust=6), "turn": "while-it-counts"}
TWOS = {"dice": 2, "upper": [], "cell": [{"key": "pair", "alike": 2}]}


def cell(**more: Any) -> dict[str, Any]:
    return {"dice": 2, "upper": [], "cell": [{"key": "one", "title": "One", **more}]}


def tables(family: str, rules: dict[str, Any], *options: dict[str, Any]) -> dict[str, Any]:
    named = [{"title": each["name"], **each} if "rules" in each or "value" in each else each for each in options]
    return {"family": FAMILY[family], "title": "T", "summary": "s", "rules": rules} | (
        {"option": named} if named else {}
    )


def refusal(*given: Any) -> DefinitionError:
    with pytest.raises(DefinitionError) as found:
        playable_game(toml_text(tables(*given)), "ours")
    return found.value


# Each with rules that differ in one value, by which somebody can win.
UNFAIR: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    # no throw counts
    (NOTHING_COUNTS, "race", {"combination": ONES, "wiped_by": [1]}, {"wiped_by": [1, 1]}),
    (NOTHING_COUNTS, "sheet", cell(points=0), {"cell": [{"key": "one", "title": "One", "points": 1}]}),
    (NOTHING_COUNTS, "sheet", cell(alike=2, sum=7), cell(alike=2, sum=8)),
    (NOTHING_COUNTS, "sheet", cell(alike=1, exactly=True, sum=12), cell(sum=12)),
    (NOTHING_COUNTS, "sheet", {**TWOS, "tiers": [[13, 5]]}, {"tiers": [[12, 5]]}),
    (NOTHING_COUNTS, "sheet", {**TWOS, "tiers": [[0, 5], [12, 5]]}, {"tiers": [[0, 5], [12, 6]]}),
    (NOTHING_COUNTS, "counter", {"dice": 2, **IF_WANTED, "wanted": [72], "target": 10}, {"wanted": [12]}),
    (NOTHING_COUNTS, "counter", {"dice": 2, **HOW_MANY, "wanted": [7], "rounds": 3}, {"wanted": [6]}),
    (
        NOTHING_COUNTS,
        "counter",
        {"dice": 2, **IF_WANTED, "wanted": [12, 13], "wiped_by": [6, 6], "target": 9},
        {"wiped_by": [5, 5]},
    ),
    (NOTHING_COUNTS, "counter", {"dice": 2, **worth("0", run=[1, 2]), "rounds": 3}, worth("1", run=[1, 2])),
    (NOTHING_COUNTS, "counter", {"dice": 2, **worth("0"), "rounds": 3}, worth("1", alike=2)),
    (NOTHING_COUNTS, "counter", {"dice": 3, **worth("sum(2)", bust=2), "rounds": 3}, worth("sum(2)", bust=3)),
    (NOTHING_COUNTS, "counter", {"dice": 3, **worth("sum"), "turn": "bank", "limit": 2, "rounds": 3}, {"limit": 3}),
    (NOTHING_COUNTS, "counter", {"dice": 3, **TWOS_ALONE, "leave": [2], "rounds": 3}, {"leave": [3]}),
    (
        NOTHING_COUNTS,
        "counter",
        {"dice": 2, **worth("n(wanted)", bust=5), "wanted": [5, 1], "wiped_by": [1], "rounds": 3},
        worth("n(wanted)", bust=4),
    ),
    # no turn can be banked, or ends with points
    (NO_TURN, "race", {"combination": TRIPLES, "dice": 5, "minimum": 301}, {"minimum": 300}),
    (NO_TURN, "race", {"combination": TRIPLES, "dice": 5, "opening": 500}, {"dice": 6}),
    (NO_TURN, "race", {"combination": TRIPLES, "dice": 5, "bank_with_at_most": 1}, {"bank_with_at_most": 2}),
    (NO_TURN, "race", {"combination": PROVED, "target": 500}, {"nothing_scores": 10}),
    (NO_TURN, "race", {"combination": PROVED, "target": 500}, {"combination": [*PROVED, *ONES]}),
    (NO_TURN, "race", {"combination": PROVED, "target": 500}, {"end": "exact"}),
    (NO_TURN, "race", {"combination": ONES, "bank_with_at_most": 0, "hot_dice": "must"}, {"hot_dice": "may"}),
    (NO_TURN, "race", {"combination": TRIPLES, "dice": 3, "hot_dice": "must-after-one-throw"}, {"combination": ONES}),
    (NO_TURN, "race", {"combination": EVERY_FACE, "forced": True, "hot_dice": "must"}, {"forced": False}),
    (
        NO_TURN,
        "race",
        {"combination": TRIPLES, "dice": 4, "end": "exact", "minimum": 400, "target": 600},
        {"minimum": 300},
    ),
    (NO_TURN, "counter", {**UNTIL_A_SIX, "rounds": 3}, worth("sum - sum(5) - sum(6)", bust=6)),
    (NO_TURN, "counter", {"dice": 2, "leave": [3], **worth("sum", bust=3), "target": 50}, {"leave": [2, 3]}),
    # nobody reaches the end
    (
        NO_END,
        "race",
        {
            "combination": [{"dice": [1], "points": 300}, {"dice": [5], "points": 400}],
            "dice": 1,
            "end": "exact",
            "target": 500,
        },
        {"target": 700},
    ),
    (NO_END, "counter", {"dice": 2, "end": "exact", "target": 1}, {"target": 2}),
    (NO_END, "counter", {"dice": 2, "end": "exact", "target": 2, "turn": "one-die-less"}, {"target": 3}),
    (NO_END, "counter", {"dice": 2, "end": "exact", "target": 1, "overshoot_to": 1}, {"target": 3, "overshoot_to": 1}),
    (NO_END, "counter", {"dice": 2, **HOW_MANY, "wanted": [1, 7], "counts": "rounds", "target": 2}, {"target": 1}),
    (NO_END, "counter", {"dice": 2, **HOW_MANY, "wanted": [1, 1, 7], "counts": "rounds", "rounds": 3}, {"rounds": 2}),
    (NO_END, "counter", {**UNTIL_A_SIX, "counts": "rounds", "rounds": 1}, worth("sum - sum(6)", bust=5)),
]


@pytest.mark.parametrize(("reason", "family", "rules", "fair"), UNFAIR)
def test_a_file_that_nobody_can_win_is_refused_and_one_like_it_is_not(
    reason: str, family: str, rules: dict[str, Any], fair: dict[str, Any]
) -> None:
    said = refusal(family, rules)
    assert said.reason == reason
    assert str(said).startswith("ours.toml, line 5: with its usual rules, ")
    playable_game(toml_text(tables(family, {**rules, **fair})), "ours")


# Those that one choice can make of a game that can be won.
CHOSEN = [each for each in UNFAIR if each[2].keys() & each[3].keys() and each[1] != "pad"]


@pytest.mark.parametrize(("reason", "family", "rules", "fair"), CHOSEN)
def test_a_choice_by_which_nobody_can_win_is_refused_by_its_title(
    reason: str, family: str, rules: dict[str, Any], fair: dict[str, Any]
) -> None:
    good = {**rules, **fair}
    changed = {name: rules[name] for name in fair if name in rules}
    fine = {"name": "fair", "title": "Fair"}
    said = refusal(family, good, {"name": "ours", "value": [fine, {"name": "bad", "title": "Bad", "rules": changed}]})
    assert said.reason == reason
    assert " with “ours”: Bad, " in str(said)


def test_a_number_by_which_nobody_can_win_is_refused_until_it_is_bounded() -> None:
    rules = {"combination": TRIPLES, "dice": 5}
    said = refusal("race", rules, {"name": "minimum"})
    assert str(said) == (
        "ours.toml, line 12: with “points that a turn needs to be banked”: 1000000, no turn can be banked or end with"
        " points; some turn must"
    )
    playable_game(toml_text(tables("race", rules, {"name": "minimum", "high": 300})), "ours")
    lost = {"dice": 3, **worth("sum"), "turn": "bank", "limit": 9, "rounds": 3}
    assert "0: any”: 2, no throw" in str(refusal("counter", lost, {"name": "limit", "low": 2}))
    playable_game(toml_text(tables("counter", lost, {"name": "limit", "low": 3})), "ours")
    both = [{"name": "rounds"}, {"name": "target"}]
    assert refusal("counter", {"dice": 2, "rounds": 5, "target": 50}, *both).reason == NO_END
    both[1]["low"] = 1
    playable_game(toml_text(tables("counter", {"dice": 2, "rounds": 5, "target": 50}, *both)), "ours")


# --- what no throw, turn or game brings, by the games' own rules -----------------------------------------------------


def small_rules(family: str, rng: random.Random) -> dict[str, Any]:
    """Rules of few dice and points, of which one in ten cannot be won."""
    dice = rng.choice([1, 2, 2])
    faces = [rng.randint(1, 6) for _ in range(rng.randint(1, dice))]
    target = rng.randint(1, 9)
    if family == "race":
        rules: dict[str, Any] = {
            "combination": [{"alike": rng.randint(1, dice), "points": rng.randint(1, 5)} for _ in range(2)],
            "target": target,
        }
        if rng.random() < 0.4:
            rules["combination"] = [{"dice": faces, "points": 2}]
        if rng.random() < 0.3:
            rng.choice(rules["combination"])["confirm"] = rng.randint(1, 6)
        more = {
            "minimum": rng.randint(1, 9),
            "opening": rng.randint(1, 9),
            "bank_with_at_most": rng.randint(0, 1),
            "hot_dice": rng.choice(["must", "must-after-one-throw", "multiply"]),
            "end": "exact",
            "forced": True,
            "wiped_by": faces,
            "take_over": True,
        }
    else:
        turn = rng.choice(["one-throw", "one-die-less", "while-it-counts", "bank"])
        tables = [
            worth("sum"),
            worth("max"),
            HOW_MANY,
            IF_WANTED,
            worth("2", run=[1, 2]),
            worth("0"),
            worth("2", alike=2),
            worth("sum", bust=rng.randint(1, 6)),
        ]
        rules = {**rng.choice(tables), "turn": turn, "target": target}
        rules |= {"leave": faces} if turn == "one-throw" and rng.random() < 0.5 else {}
        more = {"wiped_by": faces, "alike_again": True, "end": "exact", "wanted": [rng.randint(1, 13)]}
    return {"dice": dice, **rules, **{name: more[name] for name in rng.sample(sorted(more), rng.randint(1, 4))}}


def reached(game: Game[Any], most: int) -> tuple[set[str], bool]:
    """What some play of one player brings, of any throws: points, a turn with points, the end; and whether all was
    tried.
    """
    start = game.start(1)
    found: set[str] = set()
    seen, left, rng = {start}, [start], random.Random(1)
    while left and len(seen) < most and len(found) < 3:
        state = left.pop(rng.randrange(len(left)))
        for entry in game.legal(state):
            throws = combinations_with_replacement(FACES, entry["count"]) if entry["do"] == "throw" else ()
            for action in [{**entry, "dice": list(dice)} for dice in throws] or [entry]:
                after, events = game.apply(state, action)
                points = [each["points"] for each in events if each["event"] == "turn"]
                found |= {NO_TURN, NOTHING_COUNTS} if max(points, default=0) > 0 else set()
                found |= {NOTHING_COUNTS} if after.points > 0 else set()
                found |= {NO_END} if after.over else set()
                after = after._replace(turns=0, ended=(0, 0))
                if after not in seen and not after.over and after.points < 15:
                    seen.add(after)
                    left.append(after)
    return found, not left


@pytest.mark.whole
@pytest.mark.parametrize("family", ["race", "counter"])
def test_what_is_refused_cannot_be_reached_by_any_throws_and_the_rest_can(family: str) -> None:
    refused = missed = 0
    for number in range(100):
        rules = small_rules(family, random.Random(number))
        try:
            kind = kind_of(definition_of(tables(family, rules), "ours"))
            kind.rules_with({}).check()
        except WrongShape:
            continue
        why = why_nobody_wins(kind())
        found, whole = reached(kind(), 60 if why else 600)
        assert why not in found, (number, rules)
        refused += why is not None
        missed += why is None and whole and len(found) < 3
    assert refused > 5
    assert missed <= 2, "what is known of such rules is nearly all"


def test_a_game_that_chance_does_not_end_is_no_fault() -> None:
    rules = {"combination": ONES, "dice": 1, "target": 1_000_000}
    assert not ends_by_chance(playable_game(toml_text(tables("race", rules)), "ours")())
    assert ends_by_chance(playable_game(toml_text(tables("race", {**rules, "target": 1000})), "ours")())


# --- house rules that do nothing -------------------------------------------------------------------------------------

RACE = {"combination": ONES, "target": 1000}
CHOICE = {"name": "length", "value": [{"name": "usual", "title": "u"}, {"name": "long", "title": "l"}]}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([{"name": "short", "rules": {"target": 1000}}], "line 12: the house rule short changes nothing"),
        ([{"name": "short", "rules": {}}], "line 12: the house rule short changes nothing"),
        ([{"name": "minimum", "low": 0, "high": 0}], "line 12: the house rule minimum changes nothing"),
        ([{**CHOICE, "value": CHOICE["value"][:1]}], "line 12: the house rule length changes nothing"),
        ([CHOICE], "line 20: the choices usual and long of the house rule length make the same rules"),
        (
            [{"name": "short", "rules": {"target": 500}}, {"name": "target"}],
            "line 17: the house rules short and target both set target; only one of them may",
        ),
        (
            [{"name": "target"}, {"name": "short", "rules": {"target": 500}}],
            "line 15: the house rules target and short both set target",
        ),
        (
            [{"name": "short", "rules": {"target": 500}}, {"name": "long", "rules": {"minimum": 5, "target": 500}}],
            "line 17: the house rules short and long both set target",
        ),
    ],
)
def test_a_house_rule_that_changes_nothing_or_is_undone_is_refused_by_name(
    options: list[dict[str, Any]], said: str
) -> None:
    assert f"ours.toml, {said}" in str(refusal("race", RACE, *options))


# --- many house rules ------------------------------------------------------------------------------------------------

MANY: dict[str, Any] = {
    "minimum": 300,
    "opening": 500,
    "end": "one-more-turn",
    "hot_dice": "must",
    "take_over": True,
    "nothing_scores": 500,
    "wiped_by": [1, 1, 1],
    "penalty": [3, 700],
    "bank_with_at_most": 4,
    "target": 5000,
    "dice": 5,
}


@pytest.mark.parametrize("count", [8, 12])
def test_yes_or_no_rules_need_no_product(count: int) -> None:
    flags = [{"name": f"with-{name}", "rules": {name: value}} for name, value in list(MANY.items())[:count]]
    kind = playable_game(toml_text(tables("race", RACE, *flags)), "ours")
    tried = [frozenset(each) for each in variants(kind.options)]
    names = [option.name for option in kind.options]
    assert len(tried) == len(set(tried)) <= MOST_VARIANTS
    assert {frozenset(each) for each in combinations(names, 3)} <= set(tried)
    assert len(tried) == 2**count or count > 8
    two = {"name": "sure", "rules": {"bank_with_at_most": 0, "hot_dice": "must"}}
    assert refusal("race", RACE, *flags[: 8 if count == 8 else 11], two).reason == NO_TURN


def test_choices_of_many_values_are_tried_two_by_two() -> None:
    points = {"target": 500, "minimum": 10, "opening": 20, "nothing_scores": 30}
    options = [
        {"name": name, "title": name, "value": [{"name": "usual", "title": "u"}, *more]}
        for name, least in points.items()
        for more in [[{"name": f"v{n}", "title": "v", "rules": {name: least + n}} for n in range(1, 6)]]
    ]
    kind = playable_game(toml_text(tables("race", RACE, *options)), "ours")
    tried = {frozenset(each.items()) for each in variants(kind.options)}
    for one, other in combinations(kind.options, 2):
        for chosen in product(values_of(one)[1:], values_of(other)[1:]):
            assert frozenset(zip((one.name, other.name), chosen, strict=True)) in tried
