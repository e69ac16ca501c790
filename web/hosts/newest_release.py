"""Asks, only when a person does, whether there is a newer release of Rollcall. Nothing is downloaded."""

import json
import re
from dataclasses import dataclass
from typing import Any

from web.hosts.game_files.fetching import NotFetchedError, fetch, target_of
from web.pages.host_names import LOOPBACK

MOST_BYTES = 1_000_000
WITHIN_S = 10.0
VERSION = re.compile(r"v?(\d{1,6}(?:\.\d{1,6}){1,3})", re.ASCII)
PAGE = re.compile(r"https://[!-~]{1,290}")


class NotKnownError(Exception):
    """The newest release could not be found out: its text is one sentence that says why."""


@dataclass(frozen=True)
class Release:
    """`version`: such as "0.5.0". `page`: where a person finds it; None if that was not told."""

    version: str
    page: str | None = None

    def is_newer(self, than: str) -> bool:
        return _numbers(self.version) > _numbers(than)


def newest_release(address: str) -> Release:
    """The newest release by what stands at this address: the JSON of a forge's interface, one release (`tag_name`,
    `html_url`) or a list of them, or a text of which the first line is the version.

    The address is one of https, or of this machine. Raises NotKnownError.
    """
    try:
        target = target_of(address)
        if not target.secure and target.host not in LOOPBACK:
            raise NotKnownError(f"{address[:100]}: the address of releases begins with https://")
        text = fetch(address, MOST_BYTES, WITHIN_S).decode("utf-8-sig").strip()
    except NotFetchedError as error:
        raise NotKnownError(str(error)) from None
    except UnicodeDecodeError:
        raise NotKnownError(f"{address}: no release stands there: it is no text") from None
    found = _releases(text)
    if not found:
        raise NotKnownError(
            f"{address}: no release stands there: a version such as 0.5.0, or a forge's JSON, is wanted"
        )
    return max(found, key=lambda each: _numbers(each.version))


def _releases(text: str) -> list[Release]:
    if not text.startswith(("{", "[")):
        named = VERSION.fullmatch(text.partition("\n")[0].strip())
        return [] if named is None else [Release(named[1])]
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return []
    each_of = answer if isinstance(answer, list) else [answer]
    return [release for each in each_of if isinstance(each, dict) and (release := _release(each)) is not None]


def _release(entry: dict[str, Any]) -> Release | None:
    """A published release of a forge; None for drafts, for tries before a release, and for what is none."""
    tag, page = entry.get("tag_name"), entry.get("html_url")
    named = VERSION.fullmatch(tag) if isinstance(tag, str) else None
    if named is None or entry.get("draft") or entry.get("prerelease"):
        return None
    return Release(named[1], page if isinstance(page, str) and PAGE.fullmatch(page) else None)


def _numbers(version: str) -> list[int]:
    numbers = [int(each) for each in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()  # 1.0 is 1.0.0
    return numbers
