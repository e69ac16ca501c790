"""The eye of a phone alone: script in a worker of the browser looks (`shell/eye`), Python judges.

With all of `vision.judging`: a start does without.
"""

from vision.judging.dice_memory import DiceMemory
from vision.reading import Reading
from web.hosts.phone.phone_photos import PhonePhotos
from web.photos.browser_eye import Ask, BrowserEye, BrowserPhoto, BrowserReader
from web.problems.problem import Problem
from web.table.photo_state import PhotoDetails


class PhoneEye:
    """The browser's eye, as `PhotoReader.read` wants it: one photo after the other."""

    def __init__(self, ask: Ask, files: PhonePhotos) -> None:
        self._files = files
        self._eye = BrowserEye(ask)
        self._reader = BrowserReader(self._eye)

    async def photo(self, details: PhotoDetails) -> BrowserPhoto:
        """The decoded photo; its pictures are among the files then. Raises PhotoError, and Problem("no-reading") if its
        file is gone."""
        data = self._files.original(details.id)
        if data is None:
            raise Problem("no-reading", 409)
        photo = await self._eye.decode(data, smaller=self._files.tries > 1)
        shown, small = await self._eye.pictures(photo)
        self._files.put_shown(details.id, shown)
        if small is not None:
            self._files.put_small(details.id, small)
        return photo

    async def look(self, photo: BrowserPhoto, details: PhotoDetails, known: DiceMemory | None) -> Reading:
        return await self._reader.read(photo, details.expects or None, details.beside, known)

    async def forget(self) -> None:
        await self._eye.clear()
