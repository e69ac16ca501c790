"""Counters of two players whose rounds are won by turns that are banked: exact (`banked_rounds.py`)."""

from __future__ import annotations

from typing import Any

from scorer.advice.counter.banked_rounds import BankedTurns
from scorer.advice.hand.two_players import HandRoundsOfTwo


class BankedRoundsOfTwo(HandRoundsOfTwo):
    @staticmethod
    def turns_of(game: Any) -> BankedTurns:
        return BankedTurns(game)

    @classmethod
    def seconds(cls, game: Any) -> float:
        return 1.0


SOLUTION = BankedRoundsOfTwo
