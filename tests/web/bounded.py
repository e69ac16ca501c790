"""`rollcall serve` as `tests.web.unprepared` starts it, with bounds that a handful of phones reach.

`BOUNDS` in the environment: JSON of what is to be otherwise, `{"web.limits.quotas.FIRST_S": 1}`; besides, `"held"`:
bounds of the ledger, and `"reading_s"`: how many seconds a photo takes longer.
"""

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import web
from tests.web.unprepared import run
from web.limits import ledger
from web.photos.photo_reader import PhotoReader

VARIABLE = "BOUNDS"
WEB = Path(web.__file__).parent


def bounds(**named: Any) -> dict[str, str]:
    """The environment of a server with these: `quotas__FIRST_S=1` is of `web.limits.quotas`."""
    told: dict[str, Any] = {}
    for name, value in named.items():
        module, _, bound = name.rpartition("__")
        told[f"{_module(module)}.{bound}" if module else name] = value
    return {VARIABLE: json.dumps(told)}


def _module(name: str) -> str:
    """The one module of `web` of this name, with its packages."""
    (path,) = WEB.rglob(f"{name}.py")
    return ".".join(("web", *path.relative_to(WEB).with_suffix("").parts))


def _apply(told: dict[str, Any]) -> None:
    slower = told.pop("reading_s", 0)
    ledger.BOUNDS.update({what: ledger.Bound(*most) for what, most in told.pop("held", {}).items()})
    for name, value in told.items():
        module, _, bound = name.rpartition(".")
        found = importlib.import_module(module)
        assert hasattr(found, bound), name
        setattr(found, bound, value)
    read = PhotoReader._read_photo

    def slowly(self: PhotoReader, *arguments: Any) -> Any:
        time.sleep(slower)
        return read(self, *arguments)

    if slower:
        PhotoReader._read_photo = slowly  # type: ignore[method-assign]


if __name__ == "__main__":
    _apply(json.loads(os.environ.get(VARIABLE, "{}")))
    sys.exit(run())
