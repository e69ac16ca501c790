"""Watches frames and reports events: dice move, come to rest, are cleared away; or nothing can be seen, and why.

A scene (`watched_scene.py`) observes the frames, a pure state machine (`states.py`) concludes from that. The networks
read frames only after something changed. Dice are at rest when nothing moves apart from the camera, and several
frames show them at the same places relative to each other, with the same values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.reading import Die, check_throw
from vision.watch.states import BLIND, End, Observation, WatchEvent, Watching, WatchState, step

if TYPE_CHECKING:
    from vision.judging.dice_memory import DiceMemory
    from vision.photo import Photo
    from vision.reader import Reader
    from vision.region import Region

__all__ = ["BLIND", "EVERY", "Watch", "WatchEvent", "WatchState"]

EVERY = 1 / 15  # seconds from one frame that is looked at to the next


class Watch:
    """Watches the frames of one camera or video: call `see` for each of them, then `end`. `dice` (how many there are
    at most), `known` (the dice memory) and `region` (the part that counts) may be set at any time."""

    def __init__(
        self, reader: Reader, dice: int | None = None, region: Region | None = None, known: DiceMemory | None = None
    ) -> None:
        """Raises ValueError if no throw has `dice` dice."""
        from vision.watch.watched_scene import Scene  # with OpenCV

        check_throw(dice, ())
        self.dice, self.known = dice, known
        self._region, self._scene, self._state = region, Scene(reader, region), Watching()

    @property
    def state(self) -> WatchState:
        return self._state.phase

    @property
    def hand(self) -> bool:
        """Whether a hand moves, or moved last: something that reaches in over the edge of the picture or region and
        was not there at the last rest. Always False at rest."""
        return self._state.hand.shown and self.state is WatchState.MOVING

    @property
    def region(self) -> Region | None:
        return self._region

    @region.setter
    def region(self, region: Region | None) -> None:
        self._region = region
        self._begin_anew()

    @property
    def resting(self) -> tuple[Die, ...]:
        """The dice of the last rest."""
        return self._state.dice

    def read_again(self) -> None:
        """Reads and reports the next frames, whatever moves and whatever was reported before. Ends any state."""
        self._state = self._state.read_again()

    def see(self, photo: Photo, at: float) -> list[WatchEvent]:
        """The events of this frame of `at` seconds. Frames come in order of time; if their time or size jumps, the
        watch begins anew. Raises ValueError if the region does not fit this picture, ModelError if a network's file
        is unusable."""
        before = self._state.at
        if before is not None:
            if at < before or not self._scene.fits(photo):
                self._begin_anew()
            elif at - before < 0.9 * EVERY:
                return []
        return self._follow(self._scene.observe(photo, at))

    def end(self) -> list[WatchEvent]:
        """The events of the last frames, if a video has ended while dice lay still."""
        return self._follow(End())

    def _begin_anew(self) -> None:
        self._state = self._state.begin_anew()
        self._scene.begin_anew(self._region)

    def _follow(self, seen: Observation | None) -> list[WatchEvent]:
        """What follows from this observation, and from all that the scene is asked for then."""
        events: list[WatchEvent] = []
        while seen is not None:
            self._state, reported, request = step(self._state, seen)
            events += reported
            self._scene.dice, self._scene.known = self.dice, self.known
            seen = None if request is None else self._scene.answer(request, self._state)
        return events
