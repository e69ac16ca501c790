"""Applications as a laptop serves them, with games in a folder, or in a database that servers share."""

from pathlib import Path
from typing import Any

from flask import Flask

from web import app
from web.common.background import Later
from web.hosts.checking_process import CheckingProcess
from web.hosts.laptop import welcome
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.this_machine import ThisMachine
from web.hosts.threads import ThreadTask


def create_app(
    data: Path,
    *args: Any,
    database: str | None = None,
    reads: bool = False,
    copies: Path | None = None,
    later: Later = ThreadTask,
    machine: ThisMachine | None = None,
    **settings: Any,
) -> Flask:
    """`web.app.create_app`. `database`: the address of a PostgreSQL database, None: the games are in `data`.

    `reads`: whether this process reads photos too. `copies`: a folder for daily copies. `machine`: the computer, if its
    own browser was opened.
    """
    if database is None:
        storage = app.folder_storage(data, later, Hub(), copies)
    else:
        from web.hosts.cluster.follower import shared_storage  # needs the extra `cluster`

        storage = shared_storage(database, data, Hub(), reads)
    made = app.create_app(data, later, *args, storage=storage, checks=CheckingProcess(later), **settings)
    welcome.install(made, machine)
    return made
