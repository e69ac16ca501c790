"""The games and photos in a PostgreSQL database that several servers share."""

from collections.abc import Sequence
from pathlib import Path

from web.app import Storage
from web.hosts.cluster.follower import Follower, Listeners
from web.hosts.cluster.jobs import SharedQueue, SharedReadings
from web.hosts.cluster.photo_worker import PhotoWorker
from web.hosts.cluster.shared_limits import SharedGuesses, SharedLimits
from web.hosts.cluster.shared_pictures import SharedPictures
from web.hosts.cluster.shared_store import SharedStore, SharedTokens
from web.hosts.cluster.signals import Signals
from web.photos.photo_reader import PhotoReader
from web.runner import Sessions
from web.services import Closable
from web.store.server_tokens import ServerToken, tokens_of


def shared_storage(database: str, data: Path, hub: Listeners, reads: bool = False) -> Storage:
    """The storage in the database of this address; photos that tables keep are in `data`.

    Separate readers read the photos (`photo_worker`), and with `reads` this process too. Raises `DatabaseError`.
    """
    store = SharedStore(database)
    sessions = Sessions(store, hub)
    pictures, queue, limits = SharedPictures(store, data), SharedQueue(store), SharedLimits(store)
    lone, tokens = SharedReadings(store), SharedTokens(store)

    def follow(photo_reader: PhotoReader) -> Sequence[Closable]:
        worker = PhotoWorker(queue, lone, photo_reader) if reads else None
        signals = Signals(store.url)
        follower = Follower(store, signals, sessions, hub, pictures, photo_reader, queue, lone, limits, worker)
        return [follower] if worker is None else [worker, follower]

    def owner_tokens() -> Sequence[ServerToken]:
        return [*tokens.read(), *tokens_of(data)]  # older ones are each server's own

    return Storage(
        store=store,
        hub=hub,
        sessions=sessions,
        photo_files=pictures,
        guesses=SharedGuesses(store),
        limits=limits,
        owner_tokens=owner_tokens,
        queue=queue,
        lone=lone,
        follow=follow,
        watches=False,  # a phone's requests come to several servers
    )
