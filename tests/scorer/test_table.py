"""scorer/table.py and scorer/records.py: players, records, corrections."""

import gc
import tracemalloc
from typing import Any

import pytest

import scorer
from tests.scorer.playing import BANK, PASS, aside, keep, play, scores, table_of, throw

KEY = "ones-and-fives"


def table_on_the_way() -> scorer.Table:
    """Ada banked 1000, Bob has set 5 aside and thrown a bust, Ada has thrown."""
    table = play(table_of(KEY, players=2), throw(1, 1, 1, 5, 2, 3), aside(1, 1, 1, 5), BANK)
    return play(table, throw(5, 2, 2, 3, 4, 6), aside(5), throw(2, 2, 3, 4, 6), throw(1, 5, 2, 2, 3, 4))


def test_version_counts_the_actions() -> None:
    table = table_on_the_way()
    assert table.version == len(table.actions) == len(table.record()["actions"]) == 7


def test_a_table_says_where_it_stands_without_a_standing() -> None:
    table = table_on_the_way()
    assert (table.scores, table.winners, table.to_act) == ([1050, 0], [], [0])
    table.do({"do": "adjust", "what": "game", "over": True})
    assert (table.winners, table.to_act) == ([0], [])
    assert table.undo() == {"do": "adjust", "what": "game", "over": True}


def test_a_copy_goes_its_own_way() -> None:
    table = table_on_the_way()
    before = table.standing(), table.record()
    ahead = table.copy()
    play(ahead, aside(1), {"do": "adjust", "what": "total", "player": 1, "points": 500})
    assert (table.standing(), table.record()) == before
    while ahead.version:
        ahead.undo()
    assert (table.standing(), table.record()) == before


def test_what_needs_dice_is_told_from_what_can_be_done() -> None:
    table = play(table_of("yahtzee"), throw(1, 1, 2, 3, 6))
    assert [entry["do"] for entry in table.legal.needing_dice] == ["keep"]
    assert all(entry in table.legal for entry in table.legal.ready)
    assert len(table.legal.ready) + 1 == len(table.legal)


def test_a_correction_replays_what_came_after_it() -> None:
    table = table_on_the_way()
    table.correct(1, throw(1, 1, 1, 5, 6, 6))
    assert table.actions[0] == throw(1, 1, 1, 5, 6, 6)
    assert (scores(table), table.version) == ([1050, 0], 7)


def test_a_correction_replays_nothing_that_came_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_on_the_way()
    played: list[Any] = []
    apply = table.game.apply
    monkeypatch.setattr(table.game, "apply", lambda state, action: played.append(action) or apply(state, action))
    last = table.actions[-1]
    table.correct(table.version, last)
    assert played == [last]
    assert table.standing() == table_on_the_way().standing()


def test_a_correction_says_which_later_action_no_longer_holds() -> None:
    table = table_on_the_way()
    before = table.standing(), table.record()
    with pytest.raises(scorer.IllegalAction) as refusal:
        table.correct(1, throw(1, 1, 2, 5, 2, 3))
    assert (refusal.value.index, refusal.value.reason) == (2, "dice-not-there")
    assert (table.standing(), table.record()) == before


def test_a_correction_may_drop_the_tail() -> None:
    table = table_on_the_way()
    assert table.correct(1, throw(1, 1, 2, 5, 2, 3), drop_tail=True) == 6
    assert table.actions == [throw(1, 1, 2, 5, 2, 3)]
    assert table.correct(1, throw(1, 1, 1, 5, 2, 3), drop_tail=True) == 0
    table.undo()
    assert table.version == 0


@pytest.mark.parametrize("index", [0, 8, -1, True, "1"])
def test_there_is_no_such_action_to_correct(index: Any) -> None:
    with pytest.raises(scorer.NothingToUndo):
        table_on_the_way().correct(index, throw(1, 1, 1, 5, 2, 3))


def test_an_illegal_action_of_a_record_has_its_number() -> None:
    record = table_on_the_way().record()
    record["actions"][6] = {"do": "bank"}
    with pytest.raises(scorer.IllegalAction) as refusal:
        scorer.Table.from_record(record)
    assert refusal.value.index == 7


def test_a_record_without_options_has_the_defaults() -> None:
    record = {"format": 1, "game": KEY, "players": ["Ada"], "actions": []}
    assert scorer.Table.from_record(record).standing()["options"]["target"] == 10_000


RECORD = {"format": 1, "game": KEY, "options": {}, "players": ["Ada"], "actions": []}


@pytest.mark.parametrize(
    ("change", "kind", "sentence"),
    [
        ({"format": 2}, scorer.RecordError, "the game record has format 2; format 1 is known here"),
        ({"format": None}, scorer.RecordError, "the game record has format nothing; format 1 is known here"),
        ({"game": 5}, scorer.RecordError, "game of a game record must be a JSON text, got a number"),
        ({"options": []}, scorer.RecordError, "options of a game record must be a JSON object, got a list"),
        ({"players": {}}, scorer.RecordError, "players of a game record must be a JSON list, got an object"),
        ({"actions": None}, scorer.RecordError, "actions of a game record must be a JSON list, got null"),
        ({"game": "chess"}, scorer.OptionError, "there is no game “chess”; there are: "),
        ({"options": {"colour": 1}}, scorer.OptionError, "there is no option colour in this game; there are: target"),
        ({"players": []}, scorer.PlayerError, "this game is for 1 to 12 players, got 0"),
        ({"players": [1]}, scorer.PlayerError, "players must be a list of names"),
        ({"actions": [7]}, scorer.IllegalAction, "an action must be a JSON object, got a number"),
    ],
)
def test_what_is_no_record(change: dict[str, Any], kind: type[scorer.Refusal], sentence: str) -> None:
    with pytest.raises(kind) as refusal:
        scorer.Table.from_record({**RECORD, **change})
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize("record", [None, [], "record", 5])
def test_a_record_is_an_object(record: Any) -> None:
    with pytest.raises(scorer.RecordError, match="a game record is a JSON object"):
        scorer.Table.from_record(record)


@pytest.mark.parametrize("key", ["format", "game", "players", "actions"])
def test_what_a_record_needs(key: str) -> None:
    record = {name: value for name, value in RECORD.items() if name != key}
    with pytest.raises(scorer.RecordError, match=f"the game record lacks {key}"):
        scorer.Table.from_record(record)


def test_names_are_trimmed() -> None:
    assert scorer.Table(scorer.game(KEY), [" Ada "]).players == ("Ada",)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ([], "player-count"),
        (["a", "b", "c", "d", "e"], "player-count"),
        (["Ada", " "], "name-empty"),
        (["Ada", "B\nob"], "name-unprintable"),
        (["\ud800"], "name-unprintable"),
        (["Ada", "Ada "], "name-twice"),
        (["x" * 41], "name-too-long"),
        ("Ada", "names-not-text"),
        ([None], "names-not-text"),
    ],
)
def test_what_names_must_be(names: Any, reason: str) -> None:
    with pytest.raises(scorer.PlayerError) as refusal:
        scorer.Table(scorer.game("kosci"), names)
    assert refusal.value.reason == reason


def test_a_name_may_have_40_characters() -> None:
    assert scorer.Table(scorer.game("kosci"), ["Ž" * 40]).version == 0


def test_values_that_are_large_or_deep_are_refused_like_others() -> None:
    deep: Any = 1
    for _ in range(700):
        deep = [deep]
    for value in (deep, "x" * 100_000, 10**4000, {"a": deep}, [deep] * 1000):
        for table in (table_of(KEY), play(table_of("kosci"), throw(1, 2, 3, 4, 6)), table_of("knaster")):
            for name, verb in table.game.actions.items():
                for field in verb.fields:
                    action = {"do": name, **dict.fromkeys(verb.fields, 1), field: value}
                    with pytest.raises(scorer.IllegalAction) as illegal:
                        table.do(action)
                    assert len(str(illegal.value)) < 400
        with pytest.raises(scorer.OptionError) as refusal:
            scorer.game(KEY, target=value)
        assert len(str(refusal.value)) < 400
        with pytest.raises(scorer.Refusal):
            scorer.Table.from_record({**RECORD, "format": value})


def test_an_option_may_have_any_name_and_is_refused_like_others() -> None:
    for name in ("self", "key", "options", "\x1b[31m", "x" * 10_000):
        with pytest.raises(scorer.OptionError) as refusal:
            scorer.Table.from_record({**RECORD, "options": {name: 1}})
        assert refusal.value.reason == "unknown-option"
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 400


def test_names_from_outside_are_cut_and_escaped() -> None:
    table = play(table_of(KEY), throw(1, 5, 2, 3, 3, 6))
    for action in (
        {"do": "throw\x07"},
        {"do": "bank", "\x1b]0;title\x07": 1},
        {"do": "bank", "x" * 10_000: 1},
        {"do": "set-aside", "dice": [1] * 10_000},
    ):
        with pytest.raises(scorer.IllegalAction) as refusal:
            table.do(action)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 400


def test_a_record_has_an_end() -> None:
    turns = [throw(1, 1, 1, 5, 5, 5), aside(1, 1, 1, 5, 5, 5)]
    with pytest.raises(scorer.RecordError, match=r"the game record has 20002 actions; at most 20000 are taken"):
        scorer.Table.from_record({**RECORD, "actions": turns * 10_001})


def test_a_long_turn_takes_memory_in_proportion() -> None:
    """Each state is kept, and the later ones share what the turn has gathered with the earlier ones."""
    sizes = []
    for rounds in (200, 400):
        gc.collect()  # tuples that lie ready from before would not be counted
        tracemalloc.start()
        table = play(table_of(KEY), *[throw(1, 1, 1, 5, 5, 5), aside(1, 1, 1, 5, 5, 5)] * rounds)
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert len(table.standing()["turn"]["set_aside"]) == rounds
    assert sizes[1] < 2.5 * sizes[0]


def test_throws_that_were_saved_take_memory_in_proportion() -> None:
    sizes = []
    for rounds in (200, 400):
        table = play(table_of("drapky", players=1), *[PASS] * rounds, throw(1, 2, 3, 4, 6, 6))
        tracemalloc.start()
        play(table, *[keep(1, 2, 3, 4, 6), throw(5)] * (3 * rounds - 1))
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert sizes[1] < 2.5 * sizes[0]
