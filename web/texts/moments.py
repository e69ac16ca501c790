"""Moments as people read them: the store has UTC, people have local time.

Pages show a moment in this computer's time zone; `web/static/pages/moments.js` then shows it in the phone's. Files,
which no script can change, have this computer's time with its offset from UTC.
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
    """A stored moment in local time to the second, for files: 2026-11-23T20:30:00-05:00."""
    return local(moment).isoformat(timespec="seconds")


def local_date(moment: str) -> str:
    """The local day of a stored moment as ISO 8601, for titles and file names."""
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
    # After a clock was set back the page must not say "in 3 hours"; and seconds do not matter.
    return str(format_timedelta(-max(passed, timedelta(minutes=1)), add_direction=True, locale=current()))
