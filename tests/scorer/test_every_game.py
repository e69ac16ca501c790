"""What holds for every game, under random play that hypothesis drives."""

import json
import random
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scorer
from scorer.pad import PadGame
from tests.scorer.playing import Action

KEYS = [info.key for info in scorer.all_games()]

# House rules that are tried besides the defaults.
HOUSE_RULES: dict[str, list[dict[str, Any]]] = {
    "ones-and-fives": [{"target": 2000, "minimum": 0, "bank_with_at_most": 6}, {"target": 1500, "finish_round": True}],
    "six-dice": [
        {"target": 2000, "confirm": "any", "pairs_may_repeat": True},
        {"target": 1500, "confirm": "never", "finish_round": True, "minimum": 0},
    ],
    "drapky": [{"exact_two_plus_three": True}],
    "kosci-single": [{"zero_only_if_nothing_fits": True}],
    "kosci-triple": [{"zero_only_if_nothing_fits": True}],
    "kosci": [{"first_general_is_joker": True}],
    "sequence": [{"target": 40, "three_ones_wipe": True}],
    "forbidden-numbers": [{"rounds": 3}],
    "skunk": [{"rounds": 2, "first_throw_counts": False}],
    "knaster": [{"line_points": {"r1": 1, "d2": 50}}],
    "farkle": [{"target": 2000, "minimum": 300, "opening": 0}, {"target": 2000, "hot_dice": "multiply"}],
    "diez-mil": [{"target": 1000, "opening": 0}, {"or_more": True}],
    "zilch": [{"target": 2000, "minimum": 0}],
    "score-pad": [
        {"rounds": 4, "low_wins": True},
        {"target": 3, "wins": "rounds", "teams": "two"},
        {"target": 900, "teams": "two"},
    ],
    "ship-captain-crew": [{"each_round": True}],
    "midnight": [{"ends": "three-won"}, {"ends": "five-rounds"}],
    "threes": [{"moon": True}],
    "shut-the-box": [
        {"ends": "five-rounds", "tiles": "ten"},
        {"tiles": "twelve", "one_die": "choice", "two_at_most": True},
    ],
}

# Their rules have no table of dice and points.
WITHOUT_A_TABLE = {
    key for key in KEYS if isinstance(scorer.game(key), PadGame) or key in ("centennial", "round-the-clock")
}

every_game = pytest.mark.parametrize("key", KEYS)
randomly = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@st.composite
def tables(draw: st.DrawFn, key: str) -> scorer.Table:
    options = draw(st.sampled_from([{}, *HOUSE_RULES.get(key, [])]))
    game = scorer.game(key, **options)
    count = draw(st.integers(1, 4))
    return scorer.Table(game, [f"player {number}" for number in range(count)])


@st.composite
def tables_on_the_way(draw: st.DrawFn, key: str, most: int = 120) -> tuple[scorer.Table, random.Random]:
    """A table some way into its game, and the randomness to go on with."""
    table = draw(tables(key))
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, most))):
        if table.over:
            break
        table.do(any_action(table, rng))
    return table, rng


def any_action(table: scorer.Table, rng: random.Random) -> Action:
    """A random legal action; seldom a pass where something else is possible, so that games end."""
    entries = list(table.legal)
    if len(entries) > 1 and rng.random() < 0.9:
        entries = [entry for entry in entries if entry["do"] != "pass"]
    return made_whole(rng.choice(entries), rng)


def made_whole(entry: Action, rng: random.Random) -> Action:
    """An entry of `legal` as an action: a throw gets dice, a keep some of those that it may choose from, and what is
    written by hand gets points.
    """
    if "low" in entry:
        low, high = (
            (entry["low"], entry["high"]) if rng.random() < 0.1 else (max(-9, entry["low"]), min(60, entry["high"]))
        )
        return {**entry, "points": rng.randint(low, high)}
    if entry["do"] == "throw":
        return {"do": "throw", "dice": [rng.randint(1, 6) for _ in range(entry["count"])]}
    if entry["do"] == "keep":
        return {"do": "keep", "dice": rng.sample(entry["from"], rng.randrange(len(entry["from"])))}
    return entry


def everything(table: scorer.Table) -> str:
    """All that a table says, as text that can be compared."""
    return json.dumps([table.standing(), table.record(), list(table.legal), table.version, table.over])


@every_game
@given(data=st.data())
@randomly
def test_do_then_undo_is_identity(key: str, data: st.DataObject) -> None:
    table, rng = data.draw(tables_on_the_way(key))
    before = everything(table)
    for _ in range(5):
        if not table.over:
            table.do(any_action(table, rng))
            after, action = everything(table), table.actions[-1]
            table.undo()
            assert everything(table) == before
            table.do(action)
            assert everything(table) == after
            before = after
    while table.version:
        table.undo()
    assert everything(table) == everything(scorer.Table(table.game, table.players))
    with pytest.raises(scorer.NothingToUndo):
        table.undo()


@every_game
@given(data=st.data())
@randomly
def test_a_record_survives_json_and_replays_to_the_same_standing(key: str, data: st.DataObject) -> None:
    table, _ = data.draw(tables_on_the_way(key))
    record = json.loads(json.dumps(table.record()))
    assert record == table.record()
    replayed = scorer.Table.from_record(record)
    assert everything(replayed) == everything(table)


@every_game
@given(data=st.data())
@randomly
def test_every_legal_action_is_accepted(key: str, data: st.DataObject) -> None:
    table, rng = data.draw(tables_on_the_way(key))
    entries = list(table.legal)
    assert len(table.legal) == len(entries) == len({json.dumps(entry) for entry in entries})
    assert bool(entries) != table.over
    before = everything(table)
    for entry in entries:
        assert entry in table.legal
        action = made_whole(entry, rng)
        assert action in table.legal
        table.do(action)
        assert (
            not ({"points", "bonus", "dice_left", "low", "high"} - table.game.fields[action["do"]])
            & table.actions[-1].keys()
        )
        table.undo()
    assert everything(table) == before


@every_game
@given(data=st.data())
@randomly
def test_totals_equal_the_sum_of_what_the_sheet_shows(key: str, data: st.DataObject) -> None:
    table, _ = data.draw(tables_on_the_way(key))
    standing = table.standing()
    for number, player in enumerate(standing["players"]):
        running = standing["turn"]["points"] if standing["turn"]["player"] == number else 0
        assert player["score"] == shown_sum(table.game, player, standing, running)


def shown_sum(game: Any, player: dict[str, Any], standing: dict[str, Any], running: int) -> int:
    total = getattr(game.rules, "lives", 0)
    if "pad" in standing:  # a team has one total
        team = [each for each in standing["players"] if each is player or each.get("team", -1) == player.get("team")]
        if standing["pad"]["wins"] == "rounds":
            number = standing["players"].index(player)
            return sum(number in winners for winners in standing["pad"]["won"])
        total += sum(points or 0 for each in team for points in (*each["rounds"], each["now"]))
    if "turns" in player:
        total += sum(player["turns"]) + (running if game.key == "forbidden-numbers" else 0) + (player.get("kept") or 0)
    if "figures" in player:
        total += sum(player["figures"].values())
    for column in player.get("columns", []):
        upper = sum(column["cells"].get(category, 0) for category in standing["sheet"]["upper"])
        apart = standing["sheet"].get("difference", ())
        lower = sum(column["cells"].get(key, 0) for key in standing["sheet"]["lower"] if key not in apart[:2])
        differing = [column["cells"].get(key) for key in apart]
        difference = 0 if not apart or None in differing else (differing[0] - differing[1]) * differing[2]
        assert (column["upper_sum"], column["lower_sum"]) == (upper, lower)
        factor = standing["sheet"].get("factors", [1])[column["column"] - 1]
        steps = [(least * factor, points) for least, points in game.rules.upper_bonus]
        reached = [points for least, points in steps if upper >= least]
        assert column["upper_bonus"] == (reached[-1] * factor if reached else 0)
        assert column["upper_threshold"] == next(
            (least for least, _ in steps if upper < least), steps[-1][0] if steps else 0
        )
        assert column["total"] == upper + lower + column["upper_bonus"] + column["extra"] + difference
        assert column.get("difference", 0) == difference
        for category, boxes in column.get("boxes", {}).items():
            written = [points for points in boxes if points is not None]
            assert column["cells"].get(category) == (sum(written) if written else None)
        total += column["total"]
    if "by_total" in player:
        total = player["by_total"] + sum(sum(column["tiers"].values()) for column in player["columns"])
    if "grid" in player:
        circles = sum(cell["circled"] for row in player["grid"] for cell in row if cell)
        assert circles == player["circles"]
        total += circles + sum(line["points"] for line in player["lines"].values() if line["scored"])
    return total


@every_game
@given(data=st.data())
@randomly
def test_places_and_winners(key: str, data: st.DataObject) -> None:
    table, _ = data.draw(tables_on_the_way(key))
    standing = table.standing()
    rules = table.game.rules
    sign = -1 if getattr(rules, "low_wins", False) and getattr(rules, "counts", "totals") != "rounds" else 1
    lives = getattr(rules, "lives", 0)
    if lives:
        out = [player["knocked_out"] or 1000 for player in standing["players"]]
        assert [at < 1000 for at in out] == [player["score"] <= 0 for player in standing["players"]]
    elif getattr(rules, "end", "") == "last-left":  # the longer somebody stayed in, the better
        out = [player["knocked_out"] or 1000 for player in standing["players"]]
        for player, at in zip(standing["players"], out, strict=True):
            assert (player["score"] >= rules.target) == (at < 1000)
    else:
        out = [0 for _ in standing["players"]]
    winner = getattr(table.state, "winner", None)  # who won at once
    merits = [
        (number == winner, at, len(player.get("figures", ())), sign * player["score"])
        for number, (at, player) in enumerate(zip(out, standing["players"], strict=True))
    ]
    for player, merit in zip(standing["players"], merits, strict=True):
        assert player["place"] == 1 + sum(other > merit for other in merits)
    best = [number for number, player in enumerate(standing["players"]) if player["place"] == 1]
    assert standing["winners"] == (best if standing["over"] else [])
    assert bool(standing["to_act"]) != standing["over"]


@every_game
@pytest.mark.parametrize("players", [1, 3])
def test_the_game_ends(key: str, players: int) -> None:
    for seed, options in enumerate([{}, *HOUSE_RULES.get(key, [])]):
        rng = random.Random(seed)
        table = scorer.Table(scorer.game(key, **options), ["Ada", "Bob", "Cid"][:players])
        while not table.over:
            assert table.version < 50_000
            table.do(greedy_action(table, rng))
        assert table.standing()["events"][-1]["event"] == "game-over"
        assert list(table.legal) == []


def greedy_action(table: scorer.Table, rng: random.Random) -> Action:
    """Banks when it may, takes the most points, and else plays on."""
    entries = list(table.legal)
    scoring = [entry for entry in entries if entry.get("points")]
    if scoring:
        return max(scoring, key=lambda entry: int(entry["points"]))
    entry = rng.choice([entry for entry in entries if entry["do"] != "pass"] or entries)
    if entry["do"] == "throw" and table.game.key == "drapky":
        # Rare figures would make the game long: some throws are lucky.
        lucky = rng.choice([(6, 1, 1, 1, 1, 1), (1, 2, 3, 4, 5, 6), (rng.randint(1, 6),) * 6])
        return {"do": "throw", "dice": list(lucky[: entry["count"]])} if rng.random() < 0.3 else made_whole(entry, rng)
    return made_whole(entry, rng)


@every_game
def test_what_a_table_gives_can_be_changed_without_harm(key: str) -> None:
    rng = random.Random(1)
    table = scorer.Table(scorer.game(key), ["Ada", "Bob"])
    for _ in range(30):
        if table.over:
            break
        action = any_action(table, rng)
        table.do(action)
        before = everything(table)
        spoil(action)
        spoil(table.standing())
        spoil(table.record())
        spoil(list(table.legal))
        assert everything(table) == before


def spoil(document: Any) -> None:
    """Changes every list and object within a document."""
    inner = list(document.values()) if isinstance(document, dict) else list(document)
    for each in inner:
        if isinstance(each, (dict, list)):
            spoil(each)
    document.clear()


@every_game
def test_first_throws_of_a_turn(key: str) -> None:
    """`rollcall score` answers for every first throw what a table would."""
    game = scorer.game(key)
    if not game.dice:
        with pytest.raises(scorer.IllegalAction, match="there is no action “throw”"):
            scorer.score_throw(game, [1])
        return
    rng = random.Random(2)
    for _ in range(50):
        dice = [rng.randint(1, 6) for _ in range(game.dice)]
        document = scorer.score_throw(game, dice)
        assert json.loads(json.dumps(document)) == document
        assert document["dice"] == dice
        if key == "forbidden-numbers":
            assert len(document["events"]) == 15
            continue
        table = scorer.Table(game, ["Ada"])
        table.do({"do": "throw", "dice": dice})
        assert document["legal"] == (list(table.legal) if table.standing()["turn"]["throw"] else [])
    with pytest.raises(scorer.IllegalAction, match=rf"{game.dice} (die|dice)\b"):
        scorer.score_throw(game, [1] * 13)


@every_game
def test_rules_for_players(key: str) -> None:
    """Goal, turn and a scoring table; every text formats, under every house rule."""
    for options in ({}, *HOUSE_RULES.get(key, [])):
        rules = scorer.game(key, **options).short_rules()
        assert [str(section.title) for section in rules][:2] == ["Goal", "Turn"]
        assert any(section.rows for section in rules) or key in WITHOUT_A_TABLE
        assert not re.search(r"\{\w+\}", rules.text())
        assert json.dumps(rules.to_json())
