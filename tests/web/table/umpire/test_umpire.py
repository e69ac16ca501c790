"""The umpire on single turns: what is proposed, asked and refused, and what players of such tables complain of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import scorer
from tests.scorer.playing import aside, keep, table_of, throw
from web.table.umpire import (
    Blind,
    Cleared,
    Conclusion,
    DiceAtRest,
    Moving,
    Observation,
    RestingDie,
    TableChanged,
    UmpireMemory,
    conclude,
    look_again,
)

SIDE = 40


def die_at(value: int, x: float, y: float = 0, stayed: bool = False, sure: bool = True) -> RestingDie:
    """A die in the place x, y of a coarse grid."""
    return RestingDie(value, (100 * x, 100 * y, 100 * x + SIDE, 100 * y + SIDE), sure, stayed)


def row(*values: int, y: float = 0, stayed: bool = False) -> tuple[RestingDie, ...]:
    return tuple(die_at(value, place, y, stayed) for place, value in enumerate(values))


class Umpire:
    """A table that is watched. `conclusion` gives the last one."""

    def __init__(self, table: scorer.Table) -> None:
        self.table, self.memory = table, UmpireMemory()

    def tell(self, *events: Observation) -> Conclusion:
        for event in events:
            self.conclusion = conclude(self.table, self.memory, event)
            self.memory = self.conclusion.memory
        return self.conclusion

    def rest(self, *dice: RestingDie, sure: bool = True) -> Conclusion:
        """Something moves, then these dice lie still."""
        return self.tell(Moving(), DiceAtRest(dice, sure))

    def confirm(self) -> Conclusion:
        for action in self.conclusion.actions:
            self.table.do(action)
        return self.tell(TableChanged())


def umpire(key: str, players: int = 2, **options: Any) -> Umpire:
    return Umpire(table_of(key, players, **options))


def after_throw(key: str, *values: int, **options: Any) -> Umpire:
    """The first throw lies in a row, confirmed."""
    watched = umpire(key, **options)
    assert watched.rest(*row(*values)).sure
    watched.confirm()
    return watched


# --- what hands do ------------------------------------------------------------------------------------------------


def test_where_the_player_chooses_the_dice_another_number_than_before_is_confirmed_by_a_person() -> None:
    watched = umpire("hog")
    conclusion = watched.rest(*row(2, 3, 6))
    assert (conclusion.state, conclusion.sure, conclusion.actions) == ("throw", False, (throw(2, 3, 6),))
    watched.confirm()
    assert watched.rest(*row(4, y=2)).sure, "of the next player, who has chosen one"


def test_after_the_table_was_cleared_a_die_may_fall_where_its_like_lay() -> None:
    """Only where the table was not seen empty it may be the die that lay there."""
    again = (die_at(1, 0), *row(2, 2, 3, 4, 5, y=3))
    watched = after_throw("sequence", 1, 1, 6, 6, 3, 4)
    assert watched.tell(Moving(), Cleared()).state == "clear"
    conclusion = watched.rest(*again)
    assert (conclusion.sure, conclusion.actions) == (True, (throw(1, 2, 2, 3, 4, 5),))
    watched = after_throw("sequence", 1, 1, 6, 6, 3, 4)
    conclusion = watched.rest(*again)
    assert (conclusion.sure, conclusion.actions) == (False, (throw(1, 2, 2, 3, 4, 5),))


def test_kept_dice_taken_off_the_table_are_known_by_what_is_missing() -> None:
    watched = after_throw("yahtzee", 4, 4, 2, 3, 6)
    watched.rest(*row(4, 4, 2, 3, 6, stayed=True)[2:])
    conclusion = watched.rest(*row(1, 4, 5, y=3))
    assert (conclusion.sure, conclusion.actions) == (True, (keep(4, 4), throw(1, 4, 5)))
    watched.confirm()
    conclusion = watched.rest(die_at(4, 1, 3, stayed=True), *row(2, 5, y=5))
    assert (conclusion.sure, conclusion.actions) == (False, (keep(4, 4, 4), throw(2, 5)))
    watched = after_throw("yahtzee", 4, 4, 2, 3, 6)
    assert watched.rest(*row(1, 1, 1, 5, 5, y=3)).alternatives == (), "the one way is offered once"


def test_both_readings_of_a_lifted_pair_are_offered_the_likelier_first() -> None:
    watched = after_throw("ones-and-fives", 1, 1, 5, 5, 2, 3)
    assert watched.rest(*row(1, 1, stayed=True)).actions == (aside(1, 1),)
    watched = after_throw("farkle", 1, 1, 5, 5, 5, 1)
    conclusion = watched.rest(*row(1, 1, stayed=True), die_at(1, 5, stayed=True))
    assert (conclusion.actions, conclusion.alternatives) == ((aside(1, 1, 1),), ((aside(5, 5, 5),),))


def test_what_no_rule_allows_is_told_with_its_dice() -> None:
    watched = after_throw("ones-and-fives", 4, 1, 6, 6, 3, 2)
    conclusion = watched.rest(die_at(4, 0, stayed=True), *row(2, 3, 4, 5, 6, y=3))
    assert (conclusion.sure, conclusion.actions) == (False, ())
    assert str(conclusion.refused) == "4 alone cannot be set aside."
    watched = after_throw("ones-and-fives", 1, 1, 6, 6, 3, 4)
    beside = die_at(1, 0, stayed=True)
    assert watched.rest(beside, *row(2, 3, 4, y=3)).refused.reason == "too-few-dice", "1 alone can be"
    watched = after_throw("ones-and-fives", 1, 1, 6, 6, 3, 4)
    watched.rest(beside, *row(1, 2, 3, 3, 4, y=3))
    watched.confirm()
    conclusion = watched.rest(beside, die_at(2, 1, 3, stayed=True), *row(2, 3, 4, 5, y=5))
    assert str(conclusion.refused) == "2 alone cannot be set aside.", "1 was set aside before"


def test_a_throw_that_nobody_confirms_is_not_lost_when_the_hands_go_on() -> None:
    watched = umpire("ones-and-fives")
    watched.rest(*row(1, 1, 6, 6, 3, 4))
    conclusion = watched.rest(*row(1, 1, stayed=True), *row(2, 3, 4, 5, y=3))
    assert conclusion.actions == (throw(1, 1, 6, 6, 3, 4), aside(1, 1), throw(2, 3, 4, 5))
    watched.confirm()
    assert watched.tell(TableChanged()).state == "resting"
    assert not watched.memory.waiting


def test_banking_is_asked_and_never_done_by_itself() -> None:
    watched = after_throw("farkle", 1, 1, 1, 2, 3, 3, opening=0)
    conclusion = watched.tell(Moving(), Cleared())
    assert (conclusion.sure, conclusion.question.reason) == (False, "banked")
    assert conclusion.actions == (aside(1, 1, 1), {"do": "bank"})
    conclusion = watched.rest(*row(2, 3, 4, 6, 6, 1, y=4))
    assert (conclusion.sure, conclusion.question.reason) == (False, "banked")
    assert conclusion.actions[-2:] == ({"do": "bank"}, throw(2, 3, 4, 6, 6, 1))


# --- what it asks -------------------------------------------------------------------------------------------------


def test_an_unsure_die_waits_for_a_person_and_is_named() -> None:
    doubted = die_at(5, 5, sure=False)
    conclusion = umpire("sequence").rest(*row(1, 2, 3, 4, 4), doubted, sure=False)
    assert (conclusion.sure, conclusion.doubtful) == (False, (doubted,))


@pytest.mark.parametrize(
    ("dice", "reason"), [((1, 2, 3, 4, 5), "too-few-dice"), ((1, 2, 3, 4, 5, 6, 6), "too-many-dice")]
)
def test_too_few_or_too_many_dice_wait_for_a_person(dice: tuple[int, ...], reason: str) -> None:
    conclusion = umpire("sequence").rest(*row(*dice))
    assert (conclusion.refused.reason, len(conclusion.doubtful)) == (reason, len(dice))


def test_a_better_look_at_the_same_dice_answers_the_doubt() -> None:
    watched = umpire("sequence")
    watched.rest(*row(1, 2, 3, 4, 4), die_at(5, 5, sure=False), sure=False)
    conclusion = watched.tell(DiceAtRest(row(1, 2, 3, 4, 4, 6, stayed=True)))
    assert (conclusion.sure, conclusion.actions) == (True, (throw(1, 2, 3, 4, 4, 6),))


@pytest.mark.parametrize("key", ["sequence", "farkle", "six-dice"])
def test_a_whole_view_answers_what_a_hand_over_some_dice_made_asked(key: str) -> None:
    watched = umpire(key)
    whole = row(1, 2, 3, 4, 4, 6)
    assert watched.rest(*whole[:5]).refused is not None
    assert watched.rest(*whole[2:4]).refused is not None, "the hand has moved on, and paused again"
    conclusion = watched.rest(*whole)
    assert (conclusion.sure, conclusion.question, conclusion.refused) == (True, None, None)
    assert conclusion.actions == (throw(1, 2, 3, 4, 4, 6),)


def test_a_whole_view_of_dice_thrown_beside_kept_ones_answers_it_too() -> None:
    watched = after_throw("yahtzee", 4, 4, 2, 3, 6)
    there = row(4, 4, stayed=True)
    watched.rest(*there)
    new = row(1, 4, 5, y=3)
    assert watched.rest(*there, *new[:2]).refused is not None
    conclusion = watched.rest(*there, *(replace(die, stayed=True) for die in new[:2]), new[2])
    assert (conclusion.sure, conclusion.actions) == (True, (keep(4, 4), throw(1, 4, 5)))


def test_the_throw_after_one_that_was_asked_about_and_seen_whole_is_not_lost() -> None:
    watched = umpire("ones-and-fives")
    whole = row(1, 1, 6, 6, 3, 4)
    watched.rest(*whole[:4])
    watched.rest(*whole)
    conclusion = watched.rest(*row(1, 1, stayed=True), *row(2, 3, 4, 5, y=3))
    assert conclusion.actions == (throw(1, 1, 6, 6, 3, 4), aside(1, 1), throw(2, 3, 4, 5))


def test_dice_that_a_hand_covered_were_not_taken_off_first() -> None:
    watched = after_throw("farkle", 1, 5, 2, 3, 4, 6, opening=0)
    whole = tuple(replace(die, stayed=True) for die in row(1, 5, 2, 3, 4, 6))
    watched.rest(*whole[1:])
    assert watched.rest(*whole).state == "resting"
    watched.tell(Moving(), Cleared())
    conclusion = watched.rest(*row(2, 3, 4, 4, 6, y=4))
    assert not conclusion.sure, "the 1 or the 5 may have been set aside"


def test_a_throw_elsewhere_does_not_answer_what_was_asked() -> None:
    """The dice before may have been a throw, one of them off the table."""
    watched = umpire("sequence")
    watched.rest(*row(1, 2, 3, 4, 4))
    conclusion = watched.rest(*row(1, 2, 3, 4, 4, 6, y=3))
    assert conclusion.question.reason == "unanswered"
    watched = umpire("sequence")
    watched.rest(*row(1, 2, 3, 4, 4))
    watched.tell(Moving(), Cleared())
    assert not watched.rest(*row(1, 2, 3, 4, 4, 6, y=3)).sure


def test_dice_that_lay_there_before_the_watching_are_asked_about() -> None:
    conclusion = umpire("sequence").tell(DiceAtRest(row(1, 2, 3, 4, 4, 6)))
    assert (conclusion.sure, conclusion.question.reason) == (False, "first-look")


def test_an_undone_throw_is_not_done_again_by_itself() -> None:
    watched = after_throw("sequence", 1, 2, 3, 4, 4, 6)
    watched.table.undo()
    conclusion = watched.tell(TableChanged())
    assert (conclusion.sure, conclusion.actions) == (False, (throw(1, 2, 3, 4, 4, 6),))


def test_a_hidden_die_of_a_told_throw_is_no_new_throw_when_it_is_seen() -> None:
    watched = after_throw("ones-and-fives", 1, 1, 2, 3, 4, 6)
    beside, new = row(1, 1, stayed=True), row(2, 3, 4, y=3)
    assert watched.rest(*beside, *new).refused is not None
    watched.table.do(aside(1, 1))
    watched.table.do(throw(2, 3, 4, 1))
    assert watched.tell(TableChanged()).state == "resting"
    assert not watched.tell(DiceAtRest((*beside, *new, die_at(1, 7, 3)))).sure


def test_a_die_set_aside_is_not_taken_for_a_hidden_die_that_was_told() -> None:
    watched = after_throw("ones-and-fives", 1, 6, 2, 3, 4, 6)
    watched.rest(die_at(1, 0, stayed=True), *row(1, 2, 2, 3, y=3))
    watched.table.do(aside(1))
    watched.table.do(throw(1, 4, 2, 2, 3))
    watched.tell(TableChanged())
    assert sorted(spot.value for spot in watched.memory.spots) == [1, 1, 2, 2, 3, 4]


def test_a_set_aside_is_asked_about_where_dice_like_it_lay_beside_and_were_lifted_too() -> None:
    watched = after_throw("ones-and-fives", 1, 5, 5, 2, 3, 4)
    beside = (die_at(5, 1, stayed=True), die_at(5, 2, stayed=True))
    watched.rest(*beside)
    watched.rest(*beside, *row(1, 5, 4, 6, y=3))
    watched.confirm()
    stays = (die_at(5, 1, 3, stayed=True), die_at(4, 2, 3, stayed=True), die_at(6, 3, 3, stayed=True))
    watched.rest(*stays)
    watched.tell(Moving(), Cleared())
    assert not watched.rest(*row(1, 2, y=6)).sure


def test_a_new_name_in_a_turn_changes_nothing_of_what_lies_there() -> None:
    watched = after_throw("forbidden-numbers", 1, 2)
    watched.table.do({"do": "adjust", "what": "player-renamed", "player": 0, "name": "Eva"})
    assert watched.tell(TableChanged()).state == "resting"


# --- what must not happen -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("info", scorer.games(), ids=lambda info: info.key)
def test_clearing_the_table_skips_no_turn(info: scorer.Info) -> None:
    watched = umpire(info.key)
    watched.rest(*row(*[1, 2, 2, 3, 6, 4][: watched.table.standing()["turn"]["expects"]]))
    watched.confirm()
    before = watched.table.record()
    conclusion = watched.tell(Moving(), Cleared(), Moving(), Cleared())
    assert not conclusion.sure
    assert all(action["do"] in ("set-aside", "bank") for action in conclusion.actions)
    assert watched.table.record() == before


def test_looking_again_ends_every_state() -> None:
    watched = umpire("ones-and-fives")
    watched.rest(*row(1, 2, 3), die_at(4, 7, sure=False), sure=False)
    assert watched.rest(*row(6, 6)).refused is not None
    watched.conclusion = look_again(watched.table)
    assert watched.conclusion == Conclusion("looking", UmpireMemory())
    watched.memory = watched.conclusion.memory
    assert watched.rest(*row(1, 2, 3, 4, 6, 6)).sure


def test_a_shaken_camera_is_no_hand_and_no_throw() -> None:
    watched = umpire("ones-and-fives")
    watched.rest(*row(1, 1, 6, 6, 3, 4, y=7))
    watched.confirm()
    assert watched.tell(Blind("moved")).state == "blind"
    shifted = tuple(
        replace(die, box=tuple(side + by for side, by in zip(die.box, (55, -45) * 2, strict=True)))
        for die in row(1, 1, 6, 6, 3, 4, y=7, stayed=True)
    )
    conclusion = watched.tell(DiceAtRest(shifted))  # type: ignore[arg-type]
    assert (conclusion.state, conclusion.actions) == ("resting", ())
    assert all(spot.lying and not spot.moved for spot in watched.memory.spots)


def taking_over() -> Umpire:
    """Ada has banked three ones; three dice are left, all as they lie."""
    text = """family = "ten-thousand"
title = "Ours"
summary = "Ours."
[rules]
take_over = true
[[rules.combination]]
dice = [1]
points = 100
"""
    umpire = Umpire(scorer.Table(scorer.game_of_file(text, "ours")(), ["Ada", "Bob"]))
    umpire.tell(Cleared())
    umpire.rest(*row(1, 1, 1, 2, 3, 4))
    umpire.confirm()
    umpire.table.do(aside(1, 1, 1))
    umpire.table.do({"do": "bank"})
    umpire.tell(TableChanged())
    return umpire


def test_who_throws_the_dice_that_were_left_takes_them_over() -> None:
    umpire = taking_over()
    told = umpire.rest(*row(1, 1, 1, stayed=True), die_at(1, 5, 5), die_at(6, 6, 5), die_at(6, 7, 5))
    assert (told.actions, told.state) == (({"do": "take-over"}, throw(1, 6, 6)), "throw")
    umpire.confirm()
    assert umpire.table.turn["points"] == 300


def test_who_throws_all_dice_takes_nothing_over() -> None:
    umpire = taking_over()
    umpire.tell(Moving(), Cleared())
    assert umpire.rest(*row(1, 5, 5, 2, 3, 4, y=4)).actions == (throw(1, 5, 5, 2, 3, 4),)
