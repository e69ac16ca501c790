"""`rollcall serve` as `tests.web.unprepared` starts it, that tells at its end what its ledger held and what was spent.

`ACCOUNTS` in the environment: the file that it writes, as JSON. `most`: of each account at any time; `left`: what is
held at the end; `spent`: seconds by address; `processor_s`: of the whole process.
"""

import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.web.unprepared import run
from web.limits.ledger import Ledger

VARIABLE = "ACCOUNTS"


def _account(file: Path) -> None:
    most: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    ledgers: set[Ledger] = set()
    draw, spend = Ledger.draw, Ledger.spend

    def noting_draw(self: Ledger, *drawn: Any) -> Any:
        gone = draw(self, *drawn)
        ledgers.add(self)
        for what, account in self.accounts.items():
            most[what] = max(most[what], account.size)
        return gone

    def noting_spend(self: Ledger, address: str, group: str, seconds: float, now: float) -> None:
        spend(self, address, group, seconds, now)
        spent[address] += seconds

    Ledger.draw, Ledger.spend = noting_draw, noting_spend  # type: ignore[method-assign]
    began = time.process_time()
    status = run()
    left = {what: account.size for ledger in ledgers for what, account in ledger.accounts.items()}
    told = {"most": most, "left": left, "spent": spent, "processor_s": time.process_time() - began}
    file.write_text(json.dumps(told), encoding="utf-8")
    sys.exit(status)


if __name__ == "__main__":
    _account(Path(os.environ[VARIABLE]))
