"""The umpire: what the hands did, in the rules' words. Pure: no clock, no camera, no store, no photo.

`conclude(table, memory, observation)` returns a `Conclusion`: what is proposed, what else it could have been, what is
asked. The table stays as it is.
"""

from web.session.umpire.concluding import Conclusion as Conclusion
from web.session.umpire.concluding import UmpireReason as UmpireReason
from web.session.umpire.concluding import conclude as conclude
from web.session.umpire.observations import Action as Action
from web.session.umpire.observations import Blind as Blind
from web.session.umpire.observations import Cleared as Cleared
from web.session.umpire.observations import DiceAtRest as DiceAtRest
from web.session.umpire.observations import LookAgain as LookAgain
from web.session.umpire.observations import Moving as Moving
from web.session.umpire.observations import Observation as Observation
from web.session.umpire.observations import RestingDie as RestingDie
from web.session.umpire.observations import Spot as Spot
from web.session.umpire.observations import TableChanged as TableChanged
from web.session.umpire.observations import UmpireMemory as UmpireMemory
from web.session.umpire.observations import parse_observation as parse_observation
from web.session.umpire.remembering import update_memory as update_memory
