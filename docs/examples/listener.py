"""Says what happens at a table: python listener.py http://192.168.1.20:8000 TABLE [TOKEN]

TABLE is the table's key, or with a token its id. It goes on where it was after an interruption.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any


def events(server: str, table: str, token: str = "", after: int | None = None) -> Iterator[dict[str, Any]]:
    """Yields each event of a table, and connects again when the line breaks. `after`: a number to go on from."""
    while True:
        headers = {"Accept": "text/event-stream"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        request = urllib.request.Request(f"{server}/api/v1/tables/{table}/events", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as lines:
                print("listening", file=sys.stderr, flush=True)
                for line in lines:
                    if line.startswith(b"data: {"):
                        event = json.loads(line[len(b"data: ") :])
                        after = event.get("number") or after
                        yield event
        except urllib.error.HTTPError as error:
            raise SystemExit(json.load(error)["detail"]) from None
        except OSError:
            pass  # the server or the Wi-Fi is away
        time.sleep(1)


def main() -> None:
    for event in events(*sys.argv[1:4], after=0):
        dice = " ".join(map(str, event.get("dice", [])))
        print(event["event"], event.get("name") or "", dice, event.get("points", ""), flush=True)
        if event["event"] == "game-over":
            return


if __name__ == "__main__":
    main()
