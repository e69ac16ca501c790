"""Videos of turns with their events as labels: dice are thrown, come to rest, are lifted, pushed aside and thrown
again.

`rollcall render --video` is `datasets.video.command`; `datasets.video.filming.film` makes a video of any script.
"""
