"""Videos of turns: dice are thrown, come to rest, are lifted, pushed aside and thrown again, with the events as labels.

`rollcall render --video` is `datasets.video.command`; `datasets.video.filming.film` makes a video of any script.
"""
