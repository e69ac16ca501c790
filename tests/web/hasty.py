"""`rollcall serve` as `tests.web.unprepared` starts it, and with less patience: what another program has locked, and a
camera that gives no picture, is waited for less than half as long. For tests of what comes after the waiting.
"""

import sys

import vision.camera
from tests.web.unprepared import run
from web.store import sqlite
from web.store.maintenance import store_files

LOCKED_S = 2.0

if __name__ == "__main__":
    sqlite.BUSY_TIMEOUT_MS, store_files.WAITS_S = round(LOCKED_S * 1000), LOCKED_S
    vision.camera._PATIENCE = 2.0
    sys.exit(run())
