"""Applications whose games are in a folder, or in a database that servers share."""

from pathlib import Path
from typing import Any

from flask import Flask

from web import app
from web.common.background import Later
from web.hosts.laptop.live import Hub
from web.hosts.threads import ThreadTask


def create_app(
    data: Path,
    *args: Any,
    database: str | None = None,
    reads: bool = False,
    copies: Path | None = None,
    later: Later = ThreadTask,
    **settings: Any,
) -> Flask:
    """`web.app.create_app`. `database`: the address of a PostgreSQL database, None: the games are in `data`.

    `reads`: whether this process reads photos too. `copies`: a folder for daily copies.
    """
    if database is None:
        storage = app.folder_storage(data, later, Hub(), copies)
    else:
        from web.hosts.cluster.storage import shared_storage  # needs the extra `cluster`

        storage = shared_storage(database, data, Hub(), reads)
    return app.create_app(data, later, *args, storage=storage, **settings)
