"""The umpire: what the hands did, in the rules' words. Pure: no clock, no camera, no store, no photo.

`conclude(table, memory, observation)` returns a `Conclusion`: what is proposed, what else it could have been, what is
asked. The table stays as it is.
"""

from web.table.umpire.concluding import Conclusion as Conclusion
from web.table.umpire.concluding import UmpireReason as UmpireReason
from web.table.umpire.concluding import conclude as conclude
from web.table.umpire.concluding import look_again as look_again
from web.table.umpire.observations import Action as Action
from web.table.umpire.observations import Blind as Blind
from web.table.umpire.observations import Cleared as Cleared
from web.table.umpire.observations import DiceAtRest as DiceAtRest
from web.table.umpire.observations import Moving as Moving
from web.table.umpire.observations import Observation as Observation
from web.table.umpire.observations import RestingDie as RestingDie
from web.table.umpire.observations import Spot as Spot
from web.table.umpire.observations import TableChanged as TableChanged
from web.table.umpire.observations import UmpireMemory as UmpireMemory
from web.table.umpire.remembering import update_memory as update_memory
