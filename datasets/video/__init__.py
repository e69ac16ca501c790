"""Videos of turns with their events as labels: dice are thrown, come to rest, are lifted, pushed aside and thrown
again.

`rollcall workshop render --video` is `datasets.video.command`; `datasets.video.filming.film` films any script.
"""
