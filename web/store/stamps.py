"""Times as the store writes them: UTC, ISO 8601, to the second. They are only shown, never compared for order."""

import time
from datetime import datetime, timezone


def stamp(seconds: float) -> str:
    """`seconds`: since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    return stamp(time.time())
