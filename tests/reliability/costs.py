"""One hostile device that asks for what costs a server most: games and records that take long to check.

Run as a program beside the server, as `floods.py` is.
"""

import argparse
import http.client
import itertools
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.definitions.definition import read_tables
from tests.web.served import connection_to
from web.texts.language_table import TABLE

MOST_SECONDS = 120
DEVICE = "hostile-device-0123456789"
LANGUAGES = tuple(TABLE)


def costly_game(seed: int, wrong: bool = True, ways: int = 12, throws: int = 20) -> str:
    """A file of some 15 kB that breaks no bound and takes seconds to check. `wrong`: its last example does not hold.

    Each way has a scoring table of its own, and its example throws twelve dice again and again.
    """
    rng = random.Random(seed)
    points = [50 * (1 + (seed * ways + way) % 1600) for way in range(ways)]
    lines = [
        'family = "ten-thousand"',
        f'title = "Costly {seed}"',
        'summary = "Costly."',
        "[rules]",
        "dice = 12",
        f"target = {10_000 + seed}",
        f"combination = {_table(points[0])}",
        "[[option]]",
        'name = "way"',
        'title = "Way"',
    ]
    for way, each in enumerate(points):
        lines += ["[[option.value]]", f'name = "w{way}"', f'title = "W {way}"']
        lines.append(f"rules = {{ combination = {_table(each)} }}")
    for way, each in enumerate(points):
        turn = [dice for _ in range(throws) for dice in [_throw(rng)] * 2]
        worth = throws * 12 * each + (50 if wrong and way == ways - 1 else 0)
        lines += ["[[example]]", f"turn = {turn}".replace(" ", ""), f"worth = {worth}"]
        lines.append(f'options = {{ way = "w{way}" }}')
    return _in_short_lines("\n".join(lines))


def _table(points: int) -> str:
    """Every split of a throw is worth the same, so that the worth of an example is known."""
    groups = (f"{{ groups = [1, 1{', 1' * more}], points = {(2 + more) * points} }}" for more in range(2))
    return f"[{{ alike = 1, points = {points} }}, {', '.join(groups)}]"


def _throw(rng: random.Random) -> list[int]:
    counts = [2] * 6
    for _ in range(2):
        more, less = rng.sample(range(6), 2)
        if counts[less] > 1:
            counts[more], counts[less] = counts[more] + 1, counts[less] - 1
    return [face for face, count in enumerate(counts, start=1) for _ in range(count)]


def _in_short_lines(text: str) -> str:
    return text.replace("],[", "],\n[")


def _record_form(record: bytes) -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="record"; filename="game.json"\r\n\r\n'
    return head + record + b"\r\n--x--\r\n"


RECORD_TYPE = "multipart/form-data; boundary=x"
# The largest that are read: one that holds the parser, and one of a game that breaks the rules at its end.
THROWS = [{"do": "throw", "dice": [2, 2, 3, 3, 4, 6]}] * 19_999
LONG = {"format": 1, "game": "farkle", "players": ["Ada", "Bob"], "actions": [*THROWS, {"do": "bank"}]}
RECORDS = [_record_form(b"[" + b"[]," * 660_000 + b"[]]"), _record_form(json.dumps(LONG).encode())]


class CostlyDevice:
    """Some connections of one address that ask for costly things, each as soon as the last is answered."""

    def __init__(self, port: int, https: bool, source: str) -> None:
        self._port, self._https, self._source = port, https, source
        self.answers: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self._until = 0.0

    def run(self, connections: int, seconds: float) -> dict[str, int]:
        self._until = time.monotonic() + seconds
        threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(connections)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, self._until - time.monotonic()) + 1)
        return dict(self.answers)

    def _ask(self) -> None:
        connection = connection_to(self._port, self._https, 200, self._source)
        for method, path, body in self._requests():
            if time.monotonic() > self._until:
                return
            headers = {"Cookie": f"device={DEVICE}", "Content-Type": "application/json", "Accept": "application/json"}
            if path == "/import":
                headers["Content-Type"] = RECORD_TYPE
            headers["Accept-Language"] = LANGUAGES[next(self._numbers) % 3]
            try:
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                response.read()
                self.answers[f"{path} {response.status}"] += 1
            except (OSError, http.client.HTTPException):
                self.answers["broken"] += 1
                connection.close()
                time.sleep(0.05)

    def _requests(self) -> Iterator[tuple[str, str, bytes | None]]:
        while True:
            seed = next(self._numbers)
            for each, wrong in ((seed, True), (seed % 8, False)):
                game = {"name": f"costly {each}", "toml": costly_game(each, wrong)}
                yield "POST", "/own-games", json.dumps(game).encode()
            tables = read_tables(costly_game(seed, wrong=False), "costly.toml")
            yield "POST", "/games/try", json.dumps({"definition": tables, "before": "farkle"}).encode()
            yield "POST", "/import", RECORDS[seed % 2]
            yield "GET", "/", None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="a device that asks a server on this machine for costly things")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, default=24)
    parser.add_argument("--source", default="127.0.0.2")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--https", action="store_true")
    args = parser.parse_args(arguments)
    device = CostlyDevice(args.port, args.https, args.source)
    print(json.dumps(device.run(args.connections, min(args.seconds, MOST_SECONDS))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
