"""Applications as a laptop serves them, with games in a folder, or in a database that servers share."""

from pathlib import Path
from typing import Any

from flask import Flask

from web import app
from web.hosts.checking_process import CheckingProcess
from web.hosts.laptop import welcome
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.this_machine import ThisMachine
from web.hosts.threads import ThreadTask
from web.services import ServerSettings, services
from web.tasks.background import Later


def create_app(
    data: Path,
    database: str | None = None,
    reads: bool = False,
    copies: Path | None = None,
    later: Later = ThreadTask,
    machine: ThisMachine | None = None,
    reader: Any = None,
    camera: Any = None,
    **settings: Any,
) -> Flask:
    """`web.app.create_app` with these `ServerSettings`. `database`: the address of a PostgreSQL one, None: the
    games are in `data`.

    `reads`: whether this process reads photos too. `copies`: a folder for daily copies. `machine`: the computer, if its
    own browser was opened.
    """
    if database is None:
        shared, storage = None, app.folder_storage(data, later, Hub(), copies)
    else:
        from web.hosts.cluster.shared_server import SharedServer  # needs the extra `cluster`

        shared = SharedServer(database, data, Hub())
        storage = shared.storage
    seeing, chosen = app.Seeing(reader, camera), ServerSettings(**settings)
    made = app.create_app(data, later, chosen, storage, seeing, CheckingProcess(later))
    if shared is not None:
        shared.follow(services(made))
        if reads:
            services(made).programs.insert(0, _worker_of(shared, made))
    welcome.install(made, machine)
    return made


def _worker_of(shared: Any, made: Flask) -> Any:
    """Reads the photos of all servers in this process."""
    from web.hosts.cluster.photo_worker import PhotoWorker

    return PhotoWorker(shared.storage.queue, shared.storage.lone, services(made).photos.reader)
