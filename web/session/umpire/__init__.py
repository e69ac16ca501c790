"""The umpire: what the hands did, in the rules' words. Pure: no clock, no camera, no store, no photo.

`conclude(table, seen, event)` takes a table, what is remembered of the rests so far and what happened; it gives a
`Conclusion`: what is proposed, what else it could have been, what is asked. Nothing is done here.
"""

from web.session.umpire.concluding import Conclusion, Refused, conclude
from web.session.umpire.remembering import brought_up
from web.session.umpire.seeing import (
    Action,
    Blind,
    Cleared,
    Die,
    Event,
    LookAgain,
    Moving,
    Seen,
    Settled,
    Spot,
    Told,
    event_of,
)

__all__ = [
    "Action",
    "Blind",
    "Cleared",
    "Conclusion",
    "Die",
    "Event",
    "LookAgain",
    "Moving",
    "Refused",
    "Seen",
    "Settled",
    "Spot",
    "Told",
    "brought_up",
    "conclude",
    "event_of",
]
