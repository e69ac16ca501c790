"""`rollcall serve` as tests of other things start it: the detector is loaded when the first photo comes, not before.

That is most of what a start costs.
"""

import sys

import rollcall
from web.photos.photo_reader import PhotoReader


def run() -> int:
    PhotoReader.warm_up = lambda self: None  # type: ignore[method-assign]
    return rollcall.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
