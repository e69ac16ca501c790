"""Links that carry a game: each file comes out as it went in, and what is no link costs little and says why."""

import base64
import random
import time
import tracemalloc
import zlib

import pytest

from scorer.definitions.definition import MOST_BYTES, DefinitionError
from scorer.definitions.game_link import MOST_AROUND, MOST_DATA, file_in_link, link_in, link_of
from scorer.games import from_file, keys, text_of
from scorer.registry import own_key

FILES = [key for key in keys() if from_file(key)]
OURS = text_of("farkle")


def packed(data: bytes, name: str = "ours") -> str:
    return f"g={name}.{base64.urlsafe_b64encode(data).decode().rstrip('=')}.1"


def reason_of(pasted: str) -> str:
    with pytest.raises(DefinitionError) as refusal:
        file_in_link(pasted)
    assert str(refusal.value).isprintable()
    return refusal.value.reason


@pytest.mark.parametrize("key", FILES)
def test_each_file_that_comes_along_fits_in_a_link_and_stays_the_same_game(key: str) -> None:
    link = link_of(text_of(key), key)
    assert link is not None
    name, text = file_in_link(f"https://example.org/#{link}")
    assert own_key(text, name) == own_key(text_of(key), key)


@pytest.mark.parametrize("around", ["{}", "#{}", "http://10.0.0.1:8000/#{}", "Look:\nhttp://a/#{} (our game)", "{}."])
def test_a_link_is_found_in_what_people_paste(around: str) -> None:
    link = link_of(OURS, "our-farkle")
    assert link is not None
    assert file_in_link(around.format(link)) == ("our-farkle", OURS)
    assert link_in(around.format(link)) == link


def test_a_file_too_large_for_a_message_has_no_link() -> None:
    rng = random.Random(1)
    noise = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=2 * MOST_DATA))
    assert link_of(noise, "ours") is None


def test_a_link_of_which_anything_is_missing_or_changed_is_refused() -> None:
    link = link_of(OURS, "our-farkle")
    assert link is not None
    for length in range(len("g=o"), len(link)):
        assert reason_of(link[:length]) == "link-cut-off", length
    rng = random.Random(2)
    first = link.index(".") + 1
    for _ in range(300):
        at = rng.randrange(first, len(link) - 4)  # the last letter has bits that carry nothing
        other = rng.choice([each for each in "abcXYZ019-_" if each != link[at]])
        assert reason_of(link[:at] + other + link[at + 1 :]) in ("link-cut-off", "definition-no-text")


@pytest.mark.parametrize(
    ("pasted", "reason"),
    [
        ("", "link-none"),
        ("https://example.org/", "link-none"),
        ("http://10.0.0.1:8000/g/0123456789ab", "link-none"),
        ("g=", "link-cut-off"),
        ("g=Our Game.abc.1", "link-cut-off"),
        ("g=../../x.abc.1", "link-cut-off"),
        (f"g={'a' * 41}.abc.1", "link-cut-off"),
        ("g=ours.a.1", "link-cut-off"),  # base64 of no whole byte
        ("g=ours.!!!!.1", "link-cut-off"),
        (packed(b"no zlib"), "link-cut-off"),
        (packed(zlib.compress(b"\xff\xfe")), "definition-no-text"),
        (f"g=ours.{'A' * (MOST_DATA + 1)}.1", "link-too-long"),
        ("g=" + "a-" * MOST_AROUND, "link-too-long"),
        ("g=" + "a-" * (MOST_AROUND // 2 - 1), "link-cut-off"),
        (" g=" * (MOST_AROUND // 3 - 1), "link-cut-off"),
    ],
)
def test_what_is_no_link_is_refused_at_once(pasted: str, reason: str) -> None:
    began = time.thread_time()
    assert reason_of(pasted) == reason
    assert time.thread_time() - began < 0.05


def test_a_bomb_is_not_unpacked_beyond_a_file() -> None:
    """3 kB that would become 3 MB."""
    bomb = packed(zlib.compress(b"a" * 2_900_000, 9))
    assert len(bomb) < MOST_DATA
    tracemalloc.start()
    try:
        assert reason_of(bomb) == "definition-too-big"
        assert tracemalloc.get_traced_memory()[1] < 4 * MOST_BYTES
    finally:
        tracemalloc.stop()
