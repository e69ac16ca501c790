"""docs/rules.md, "score-pad": the score pad against a naive second implementation, and each of its sentences."""

import json
import random
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable
from scorer.pad import LONGEST_NOTE, MOST_ROUNDS
from tests.scorer.playing import Action, events, play, refusal_of, throw
from tests.scorer.reference.pads import Forbidden, ReferencePad, Rules

KEYS = ("score-pad", "cargo")
HEAD = 'family = "pad"\ntitle = "Ours"\nsummary = "Ours."\n[rules]\n'
# A pad that no game of ours is: with dice.
FILES = {
    "cargo": HEAD
    + """rounds = 5\ndice = 2\n[[option]]\nname = "rounds"\nlow = 1
[[option]]\nname = "each_round"\ntitle = "by rounds"\nrules = { counts = "rounds" }"""
}
RECORDS = 300  # docs/benchmarks.md has 10,000
ACTIONS = 60


def table_of(key: str, players: int = 1, **options: Any) -> scorer.Table:
    return scorer.Table(scorer.game(key, file=FILES.get(key), **options), ["Ada", "Bob", "Cid", "Dan"][:players])


def wrote(player: int, points: Any) -> Action:
    return {"do": "write", "player": player, "points": points}


def change(player: int, number: int, points: Any) -> Action:
    return {"do": "adjust", "what": "cell", "player": player, "round": number, "points": points}


def note(number: int, text: Any) -> Action:
    return {"do": "adjust", "what": "note", "round": number, "text": text}


CLOSE: Action = {"do": "close-round"}
FINISH: Action = {"do": "finish"}


# --- against the second implementation -------------------------------------------------------------------------------


def random_settings(key: str, rng: random.Random) -> dict[str, Any]:
    if key == "score-pad":
        return {
            "rounds": rng.choice([0, 0, 1, 4]),
            "target": rng.choice([0, 0, 2, 60]),
            "low_wins": rng.random() < 0.3,
            "wins": rng.choice(["total", "rounds"]),
            "teams": rng.choice(["none", "none", "two", "three"]),
        }
    return {"cargo": {"rounds": rng.randint(1, 6), "each_round": rng.random() < 0.5}}[key]


def rules_of(key: str, settings: dict[str, Any]) -> Rules:
    """The rules in the words of docs/rules.md, not in those of the file."""
    if key == "score-pad":
        teams = {"none": 0, "two": 2, "three": 3}[settings["teams"]]
        by_rounds = settings["wins"] == "rounds"
        return Rules(settings["rounds"], settings["target"], settings["low_wins"], by_rounds, teams=teams)
    return Rules(settings["rounds"], by_rounds=settings["each_round"], in_turn=True, dice=2)


def random_action(reference: ReferencePad, rng: random.Random) -> Action:
    """Mostly what may be done; also what may not."""
    player = rng.choice(reference.to_act() or [0]) if rng.random() < 0.9 else rng.randrange(reference.count)
    low, high = max(-9, reference.rules.low), min(30, reference.rules.high)
    points = rng.randint(low - 1, high) if rng.random() < 0.95 else reference.rules.high + 1
    number = rng.randint(1, len(reference.table) - (reference.over and not reference.table[-1]) or 1)
    made = [
        *[wrote(player, points)] * 12,
        *[CLOSE] * 2,
        FINISH,
        change(player, number, rng.choice([None, rng.randint(low, high)])),
        {"do": "adjust", "what": "total", "player": player, "points": rng.randint(-5, 60)},
        {"do": "adjust", "what": "turn-skipped", "player": player},
        note(number, rng.choice(["", " dealt twice "])),
    ]
    if reference.rules.dice:
        made += [{"do": "throw", "dice": [rng.randint(1, 6) for _ in range(reference.rules.dice)]}] * 6
    return rng.choice(made)


def compare(key: str, seed: int) -> int:
    """Plays a random record with both; returns how many actions were done."""
    rng = random.Random(f"{key} {seed}")
    settings = random_settings(key, rng)
    count = rng.randint(1, 5)
    game = scorer.game(key, file=FILES.get(key), **settings)
    table = scorer.Table(game, [f"player {number}" for number in range(count)])
    reference = ReferencePad(rules_of(key, settings), count)
    for _ in range(ACTIONS):
        action = random_action(reference, rng)
        try:
            if action["do"] == "adjust" or reference.rules.low <= action.get("points", 0) <= reference.rules.high:
                reference.do(action)
            else:
                raise Forbidden
        except Forbidden:
            assert action not in table.legal, (key, seed, action)
            continue
        table.do(action)
        standing = table.standing()
        assert standing["over"] == reference.over, (key, seed, table.actions)
        assert standing["to_act"] == reference.to_act(), (key, seed, table.actions)
        for number, player in enumerate(standing["players"]):
            assert player["score"] == reference.score(number), (key, seed, table.actions)
            done = [row.get(number) for row in reference.table]
            assert [*player["rounds"], player["now"]] == done, (key, seed, table.actions)
        assert [player["place"] for player in standing["players"]] == reference.places(), (key, seed, table.actions)
        if reference.over and rng.random() < 0.5:
            break
    assert scorer.Table.from_record(json.loads(json.dumps(table.record()))).standing() == table.standing()
    return table.version


@pytest.mark.whole
@pytest.mark.parametrize("key", KEYS)
def test_random_records_agree_with_the_second_implementation(key: str) -> None:
    assert sum(compare(key, seed) for seed in range(RECORDS)) > 10 * RECORDS


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_ten_thousand_random_records_agree(key: str) -> None:
    for seed in range(RECORDS, 10_000):
        compare(key, seed)


# --- each sentence ---------------------------------------------------------------------------------------------------


def test_refusals() -> None:
    table = table_of("score-pad", 3)
    assert refusal_of(table, CLOSE) == "nothing-to-close"
    play(table, wrote(2, 7))
    assert refusal_of(table, wrote(2, 8)) == "already-written"
    assert refusal_of(table, throw(1)) == "unknown-action"
    assert refusal_of(table_of("cargo", 2), throw(6, 4, 1)) == "wrong-count"


def test_it_ends_when_people_say_so_between_two_rounds() -> None:
    table = table_of("score-pad", 2)
    assert refusal_of(table, FINISH) == "finish-between-rounds"
    play(table, wrote(0, 3), wrote(1, 4), wrote(0, 1))
    assert refusal_of(table, FINISH) == "finish-between-rounds"
    play(table, CLOSE, FINISH)
    assert (table.over, table.winners, events(table)) == (True, [0, 1], ["game-over"])
    assert refusal_of(table_of("score-pad", 1, rounds=2), FINISH) == "finish-between-rounds"


def test_whoever_joins_or_leaves_out_a_round_has_nothing_there() -> None:
    table = play(table_of("score-pad", 2), wrote(0, 5), {"do": "adjust", "what": "player-added", "name": "Cid"})
    play(table, {"do": "adjust", "what": "turn-skipped", "player": 1}, wrote(2, 8))
    assert [player["rounds"] for player in table.standing()["players"]] == [[5], [None], [None]]
    assert table.standing()["players"][2]["now"] == 8


def test_after_two_hundred_rounds_it_is_over() -> None:
    table = table_of("score-pad", 1)
    for number in range(MOST_ROUNDS):
        assert not table.over
        play(table, wrote(0, number))
    assert table.over
    assert refusal_of(table, {"do": "adjust", "what": "game", "over": False}) == "cannot-go-on"


def test_a_pad_has_no_odds_and_says_so() -> None:
    for key in KEYS:
        game = scorer.game(key, file=FILES.get(key))
        assert not has_odds(game)
        assert not is_solvable(game)
        assert "it has no odds" in game.short_rules().text()


# --- notes, and hostile values ----------------------------------------------------------------------------------------


def test_a_round_has_one_short_note_of_printable_text() -> None:
    table = play(table_of("score-pad", 2), wrote(0, 5), note(1, "  Bob dealt twice 😀 "), CLOSE, note(2, "x"))
    assert table.standing()["pad"]["notes"] == ["Bob dealt twice 😀", "x"]
    play(table, note(1, ""))
    assert table.standing()["pad"]["notes"] == ["", "x"]
    for text in ("a\x07", "a\nb", "\x1b[2J", "\ud800", "\x9b"):
        assert refusal_of(table, note(1, text)) == "note-unprintable"
    assert refusal_of(table, note(1, " " * LONGEST_NOTE + "a")) == "note-too-long"
    assert refusal_of(table, note(1, 7)) == "note-not-text"
    for number in (0, 3, 10**9, "1", None, True):
        assert refusal_of(table, note(number, "x")) == "not-in-range"


@pytest.mark.parametrize("points", [100_001, -100_001, 10**30, 1.0, "7", None, True, [1], {"a": 1}, float("nan")])
def test_points_out_of_bounds_are_refused(points: Any) -> None:
    table = table_of("score-pad", 2)
    assert refusal_of(table, wrote(0, points)) == "not-in-range"
    if points is not None:
        assert refusal_of(table, change(0, 1, points)) == "not-in-range"


@pytest.mark.parametrize("player", [-1, 2, "0", None, True, 10**20])
def test_unknown_players_are_refused(player: Any) -> None:
    assert refusal_of(table_of("score-pad", 2), wrote(player, 1)) == "not-in-range"


def test_ten_thousand_notes_are_a_record_that_replays() -> None:
    table = play(table_of("score-pad", 1), wrote(0, 1))
    for number in range(10_000):
        table.do(note(1 + number % 2, f"{number}"))
    again = scorer.Table.from_record(table.record())
    assert again.standing() == table.standing()
    assert len(json.dumps(table.standing())) < 2000


def test_a_note_and_the_points_of_another_player_do_not_concern_what_is_written() -> None:
    concerns = scorer.game("score-pad").concerns
    assert not concerns(wrote(0, 1), wrote(1, 2))
    assert not concerns(wrote(0, 1), note(1, "x"))
    assert concerns(wrote(0, 1), wrote(0, 2))
    assert concerns(wrote(0, 1), CLOSE)
    assert concerns(note(1, "x"), note(1, "y"))
    assert not concerns(note(1, "x"), note(2, "y"))
