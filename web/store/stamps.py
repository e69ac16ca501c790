"""Times as the store writes them: UTC, ISO 8601, to the second. They are only shown, never compared for order."""

import time
from datetime import datetime, timezone

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def stamp(seconds: float) -> str:
    """`seconds`: since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime(FORMAT)


def now() -> str:
    return datetime.fromtimestamp(time.time(), timezone.utc).strftime(FORMAT)
