"""Kości in three columns."""

from scorer.advice.sheet_odds import odds

__all__ = ["odds"]
