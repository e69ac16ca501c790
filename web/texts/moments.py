"""Moments as people read them: the store has UTC, people have the time of where they are.

Pages tell a moment in this computer's own zone, with its summer time as it was then; `web/static/pages/moments.js`
tells it anew in the phone's. Files, which no script can change, have this computer's time and how far it is from UTC.
"""

from datetime import datetime, timedelta, timezone

from babel.dates import format_date, format_timedelta
from markupsafe import Markup

from web.texts.languages import current

SOON_PAST = timedelta(days=7)


def local(moment: str) -> datetime:
    """A stored moment (ISO 8601) by this computer's clock, with the offset from UTC that it had then."""
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone()


def local_stamp(moment: str) -> str:
    """The same as ISO 8601 to the second, for files: 2026-11-23T20:30:00-05:00."""
    return local(moment).isoformat(timespec="seconds")


def local_date(moment: str) -> str:
    """Its day as ISO 8601, for titles and names of files."""
    return local(moment).date().isoformat()


def day(moment: str) -> Markup:
    """The day of a stored moment, in the language of the request."""
    written = format_date(local(moment).date(), "medium", locale=current())
    return Markup('<time datetime="{}">{}</time>').format(moment, written)


def ago(moment: str) -> str:
    """How long ago a stored moment was, in the language of the request; after a week its day."""
    passed = datetime.now(timezone.utc) - local(moment)
    if passed > SOON_PAST:
        return day(moment)
    # A clock that was set back must not say "in 3 hours", and nobody counts seconds.
    return str(format_timedelta(-max(passed, timedelta(minutes=1)), add_direction=True, locale=current()))
