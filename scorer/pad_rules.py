"""The rules of a score pad for players: all that a pad knows of what is played."""

from __future__ import annotations

from scorer.actions import MOST_BY_HAND
from scorer.definitions.game_file import PadRules
from scorer.end_sentences import team_rules, total_rules, won_rounds_rules
from scorer.texts import ShortRules, T, Text, counted_text


def rules_for_players(title: str, rules: PadRules) -> ShortRules:
    return ShortRules.in_sections(title, _goal(rules), _round_rules(rules), _points(rules))


def _goal(rules: PadRules) -> list[Text]:
    goal = []
    if rules.rounds:
        goal.append(
            counted_text("The game has {count} round.", "The game has {count} rounds.", rules.rounds)
            if not rules.target
            else counted_text(
                "The game has {count} round at most.", "The game has {count} rounds at most.", rules.rounds
            )
        )
    if not (rules.rounds or rules.target):
        goal.append(T("You end the game when you like, after any round."))
    if rules.counts == "rounds":
        return goal + won_rounds_rules(rules.target, rules.rounds)
    return goal + total_rules(rules.target, "finish-round", rules.low_wins)


def _round_rules(rules: PadRules) -> list[Text]:
    sentences = [
        T("In each round the players write their points one after the other.")
        if rules.in_turn
        else T("In each round every player writes points, in any order.")
    ]
    if rules.dice:
        sentences.append(
            counted_text(
                "Or {count} die is photographed, and what it shows is written.",
                "Or {count} dice are photographed, and their sum is written.",
                rules.dice,
            )
        )
    if rules.counts == "rounds":
        sentences.append(
            T("The lowest of a round wins it; a tie is won by nobody.")
            if rules.low_wins
            else T("The highest of a round wins it; a tie is won by nobody.")
        )
    return sentences + team_rules(rules.teams)


def _points(rules: PadRules) -> list[Text]:
    return [
        T("Points of one round: {low} to {high}.", low=-MOST_BY_HAND, high=MOST_BY_HAND),
        T("The rules of what is played are yours: the pad checks nothing else, and it has no odds."),
    ]
