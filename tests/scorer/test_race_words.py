"""The words of races and counters, docs/rules.md: a sentence of the rules each, seats, corrections, and refusals."""

from fractions import Fraction
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_race, is_solvable, odds
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from tests.scorer.definitions.test_races import race
from tests.scorer.playing import BANK, Action, aside, events, legal, places, play, refusal_of, scores, throw, turn

TAKE_OVER: Action = {"do": "take-over"}
BUST = throw(2, 2, 3, 3, 4, 6)


def settle(player: int, points: int, what: str = "turn") -> Action:
    return {"do": "adjust", "what": what, "player": player, "points": points}


def skip(player: int) -> Action:
    return {"do": "adjust", "what": "turn-skipped", "player": player}


def remove(player: int) -> Action:
    return {"do": "adjust", "what": "player-removed", "player": player}


def table_of(game: Any, players: int = 2) -> scorer.Table:
    return scorer.Table(game, ["Ada", "Bob", "Cid", "Dan"][:players])


def counter(rules: str) -> Any:
    text = f'family = "counter"\ntitle = "Ours"\nsummary = "Ours."\n[rules]\n{rules}'
    return game_from_text(text, "ours")()


# --- how a race ends --------------------------------------------------------------------------------------------------


def test_the_extra_round_goes_on_when_its_players_leave_or_are_skipped() -> None:
    table = table_of(race('end = "round-then-one-more-turn"\ntarget = 1000'), 4)
    play(table, settle(0, 1000), settle(1, 0), settle(2, 0), settle(3, 0), remove(1), skip(2))
    assert table.to_act == [3]
    assert play(table, settle(3, 0)).over
    table = table_of(race('end = "one-more-turn"\ntarget = 1000'), 3)
    play(table, settle(0, 1000), remove(0))
    assert (table.to_act, table.standing()["last_round"]) == ([1], None)


# --- what dice do -----------------------------------------------------------------------------------------------------
WINS = "[[rules.combination]]\nalike = 6\npoints = 3000\nwins = true"


def test_dice_that_win_end_the_game_whatever_the_totals_are() -> None:
    table = table_of(race(f'end = "one-more-turn"\ntarget = 5000\n{WINS}'))
    play(table, settle(0, 9000), throw(6, 6, 6, 6, 6, 6))
    assert (table.over, scores(table), places(table), table.winners) == (True, [9000, 5000], [2, 1], [1])
    play(table, {"do": "adjust", "what": "game", "over": False})
    assert places(table) == [1, 2]


def test_points_to_be_confirmed_and_doubles_stop_a_bank() -> None:
    lines = "[[rules.combination]]\ngroups = [2, 2]\npoints = 350\nconfirm = 100"
    table = play(table_of(race(lines)), throw(1, 1, 2, 2, 3, 4), aside(1, 1, 2, 2))
    assert events(table) == ["confirm-points"]
    assert refusal_of(table, BANK) == "bank-needs-confirming"
    table = play(table_of(counter('dice = 2\nturn = "bank"\ntarget = 100\nalike_again = true')), throw(4, 4))
    assert refusal_of(table, BANK) == "alike-again"


# --- taking over ------------------------------------------------------------------------------------------------------


def test_the_next_player_takes_over_dice_and_points_or_leaves_them() -> None:
    table = table_of(race("take_over = true"), 3)
    assert refusal_of(table, TAKE_OVER) == "nothing-to-take-over"
    play(table, throw(1, 1, 1, 2, 3, 4), aside(1, 1, 1), BANK)
    offer = {"do": "take-over", "points": 1000, "dice_left": 3, "beside": [1, 1, 1]}
    assert list(table.legal) == [{"do": "throw", "count": 6}, offer]
    play(table, offer)
    assert (turn(table)["points"], turn(table)["expects"], turn(table)["beside"]) == (1000, 3, [1, 1, 1])
    assert refusal_of(table, BANK) == "nothing-to-bank"
    play(table, throw(5, 2, 3), aside(5), BANK)
    assert scores(table) == [1000, 1050, 0]
    assert legal(table, "take-over") == [{"do": "take-over", "points": 1050, "dice_left": 2, "beside": [1, 1, 1, 5]}]
    play(table, BUST)
    assert legal(table, "take-over") == [], "it was left, and nothing is there after a bust"


def test_an_offer_stands_for_who_plays_next_and_follows_what_is_corrected() -> None:
    table = play(table_of(race("take_over = true"), 3), throw(1, 1, 2, 3, 4, 6), aside(1, 1), BANK, skip(1))
    assert (table.to_act, legal(table, "take-over")[0]["points"]) == ([2], 200)
    play(table, settle(0, 350, "last-turn"))
    assert legal(table, "take-over")[0]["points"] == 350
    play(table, TAKE_OVER, throw(5, 2, 3, 4), aside(5), BANK)
    assert scores(table) == [350, 0, 400]
    proposed = table.proposed(2, aside(1))  # then Cid would have taken over five dice
    assert proposed.table.scores[2] == 400, "the turn keeps its worth"
    assert [each.because.reason for each in proposed.settled if each.because] == ["wrong-count"]


# --- counters ---------------------------------------------------------------------------------------------------------


BOSTON = 'dice = 2\ncounts = "rounds"\nrounds = 2'


HOW_MANY = 'worth = [{ points = "n(wanted)", says = "how many" }]'


def test_a_turn_ends_when_it_wins_the_round() -> None:
    rules = f'{HOW_MANY}\nturn = "while-it-counts"\nwanted = [1, 2]\nround_target = 3'
    table = play(table_of(counter(f'dice = 2\ncounts = "rounds"\nrounds = 2\n{rules}'), 2), throw(1, 1), throw(1, 5))
    assert (scores(table), table.to_act) == ([1, 0], [0])
    play(table, throw(2, 5), throw(5, 5), throw(2, 2), {"do": "adjust", "what": "player-added", "name": "Eva"})
    play(table, remove(0), throw(2, 4))
    assert (table.over, scores(table)) == (True, [1, 1, 0]), "who joins waits for the next round"


def test_rounds_go_on_when_players_come_and_go() -> None:
    table = play(table_of(counter(BOSTON), 3), throw(4, 4), throw(4, 4), remove(2))
    assert table.standing()["tied"] == [0, 1], "the two who threw are equal"
    play(table, remove(0))
    assert (scores(table), table.to_act) == ([0, 1, 0], [1]), "the last of a tie wins the round"
    play(table, {"do": "adjust", "what": "player-added", "name": "Eva"}, throw(1, 1))
    assert (scores(table), table.over) == ([0, 2, 0, 0], True), "who joins waits for the next round"
    table = play(table_of(counter(BOSTON), 2), skip(0), throw(1, 1))
    assert table.to_act == [0], "a turn that was skipped is still to be played"
    assert refusal_of(table, skip(0)) == "nobody-else"


def test_a_round_is_settled_by_hand_and_corrected() -> None:
    table = play(table_of(counter(BOSTON), 2), settle(0, 7), throw(3, 3))
    assert scores(table) == [1, 0]
    assert refusal_of(table, settle(1, 9, "last-turn")) == "unknown-adjustment"
    corrected = table.proposed(2, throw(6, 6)).table
    assert scores(corrected) == [0, 1]
    table = play(table_of(counter(BOSTON), 3), throw(1, 1), throw(6, 6), throw(2, 2), throw(3, 3))
    with pytest.raises(scorer.IllegalAction, match="whose turn it was"):
        table.proposed(3, throw(6, 6))  # Bob and Cid would throw again, and not Ada


# --- files and stored tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (HOW_MANY, "wanted"),
        ("alike_again = true", 'turn = "bank"'),
        ('counts = "rounds"\nend = "finish-round"', "rounds"),
        ("round_target = 21", "counts"),
        ("limit = 9", "turn"),
        ('turn = "bank"\nleave = [2]', 'turn = "one-throw"'),
        ("leave = [2]\nchoose_dice = true", "choose_dice cannot be so together with leave"),
        ('counts = "rounds"\nround_target = 21\nlow_wins = true', "low_wins"),
        ('end = "exact"', "target"),
        ('end = "exact"\nworth = [{ points = "n(1) * 2" , says = "two" }]\ntarget = 7', "a multiple of 2"),
        ("wiped_by = [1, 1, 1]", "more dice"),
    ],
)
def test_a_counter_whose_words_contradict_each_other_is_refused(rules: str, said: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        counter(f"dice = 2\nrounds = 3\n{rules}")
    assert said.removeprefix("rules.") in str(refused.value)


WORDS = ["take_over = true", "wiped_by = [1, 1, 1]"]


@pytest.mark.parametrize("rules", WORDS)
def test_games_with_the_words_have_best_play_and_odds_of_the_next_throw(rules: str) -> None:
    game = race(rules)
    assert (is_solvable(game), has_odds(game)) == (True, True)
    chances = odds(game, table_of(game).state, 0, {"do": "throw", "count": 6})
    assert chances["bust"] + chances["score"] == 1


def test_odds_count_what_a_throw_takes_away_and_the_dice_that_are_taken_over() -> None:
    game = race("wiped_by = [1]\ntake_over = true")
    table = play(table_of(game), throw(5, 5, 5, 2, 3, 4), aside(5, 5, 5), BANK)
    lost = Fraction(sum(1 in (a, b, c) or not game.choices(tuple(sorted((a, b, c)))) for a, b, c in DICE), 6**3)
    assert odds(game, table.state, 1, TAKE_OVER)["bust"] == lost
    assert not is_race(race('end = "round-then-one-more-turn"'), 2)


DICE = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
