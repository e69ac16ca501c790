"""The umpire: what the hands did, in the rules' words. Pure: no clock, no camera, no store, no photo.

`conclude(table, seen, event)` takes a table, what is remembered of the rests so far and what happened; it gives a
`Conclusion`: what is proposed, what else it could have been, what is asked. Nothing is done here.
"""

from web.session.umpire.concluding import Conclusion, UmpireReason, conclude
from web.session.umpire.observations import (
    Action,
    Blind,
    Cleared,
    DiceAtRest,
    LookAgain,
    Moving,
    Observation,
    RestingDie,
    Spot,
    TableChanged,
    UmpireMemory,
    parse_observation,
)
from web.session.umpire.remembering import update_memory

__all__ = [
    "Action",
    "Blind",
    "Cleared",
    "Conclusion",
    "DiceAtRest",
    "LookAgain",
    "Moving",
    "Observation",
    "RestingDie",
    "Spot",
    "TableChanged",
    "UmpireMemory",
    "UmpireReason",
    "conclude",
    "parse_observation",
    "update_memory",
]
