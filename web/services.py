"""The services behind the pages of one application."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flask import Flask

from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.clubs.nights import FILE, NIGHT_GAME, Nights
from web.limits.guesses import Guesses
from web.limits.visitor_limits import Limits
from web.own_games import kept_games
from web.own_games.checker import Checker
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.stand_trials import StandTrials
from web.photos.watched_tables import WatchedTables
from web.problems.problem import Problem
from web.programs.webhooks.outgoing import AllowedNetworks
from web.runner.deletion_timer import DeletionTimer
from web.runner.runner import PhoneHub, Runner
from web.statistics.luck import LuckAnalyzer
from web.store.server_tokens import ServerToken, matching_token
from web.store.store import Store
from web.tasks.background import Later


class Closable(Protocol):
    def close(self) -> None: ...


@dataclass(frozen=True)
class ServerSettings:
    """What whoever starts a server chooses.

    `hosts`: further names that the server answers to. `base_url`: the address in QR codes; None: the one that a phone
    came by. `other_urls`: what phones may try if it does not open. `games`: offered to everybody. `webhooks_to`: where
    programs may be told what happens. `secure`: it is served over https; `own_certificate`: with a certificate of our
    own, of which phones warn. `nights_need_token`: who starts a club's night brings a token of the machine's owner.
    """

    hosts: Iterable[str] = ()
    base_url: str | None = None
    other_urls: Sequence[str] = ()
    games: Sequence[kept_games.OwnGame] = ()
    webhooks_to: AllowedNetworks = field(default_factory=lambda: AllowedNetworks(private=False))
    secure: bool = False
    own_certificate: bool = True
    nights_need_token: bool = False


@dataclass
class PhotoServices:
    files: PhotoFiles
    reader: PhotoReader
    watched: WatchedTables
    trials: StandTrials


@dataclass
class Services:
    store: Store
    runner: Runner
    nights: Nights
    hub: PhoneHub
    photos: PhotoServices
    solutions: Solutions
    advisor: Advisor
    luck: LuckAnalyzer
    guesses: Guesses
    limits: Limits
    host_tokens: Callable[[], Sequence[ServerToken]]  # of the machine's owner
    checker: Checker
    deletions: DeletionTimer
    settings: ServerSettings
    later: Later  # how work beside requests is done
    # What else is closed at the end: programs, as `web.programs.installed` says, and what a host added.
    programs: list[Closable] = field(default_factory=list)

    def find_host_token(self, token: str) -> ServerToken | None:
        return matching_token(self.host_tokens(), token)

    def own_game(self, digest: str) -> kept_games.OwnGame:
        """The game of this digest that people made. Raises `Problem` if there is none."""
        here = next((each for each in self.settings.games if each.digest == digest), None)
        found = here or kept_games.find(self.store, digest)
        if found is None:
            raise Problem("own-game-unknown", 404)
        return found

    def own_file(self, key: str) -> str | None:
        """The file of the game of this key if people made it, or of a club's night. Raises `Problem` if it is not known
        here."""
        if key == NIGHT_GAME:
            return FILE
        _, is_own, digest = key.partition(".")
        return self.own_game(digest).file if is_own else None

    def end_waits(self) -> None:
        """Gives up what requests wait for: the server ends."""
        self.checker.close()
        self.runner.logs.end()

    def close(self) -> None:
        first: list[Closable] = [self.luck, self.checker, self.deletions]
        seeing: list[Closable] = [self.photos.trials, self.photos.watched, self.photos.reader]
        for each in (*first, *self.programs, *seeing, self.solutions, self.store):
            each.close()


def services(app: Flask) -> Services:
    found: Services = app.extensions["rollcall"]
    return found
