"""A light that flashes red at a bust: python flash.py http://192.168.1.20:8000 TABLE http://LIGHT [TOKEN]

The light speaks WLED's JSON; any other one needs another `flash`.
"""

import json
import sys
import time
import urllib.request

from listener import events


def show(light: str, **state: object) -> None:
    body = json.dumps(state).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(f"{light}/json/state", body, headers), timeout=5).close()


def flash(light: str) -> None:
    for _ in range(3):
        show(light, on=True, bri=255, seg=[{"col": [[255, 0, 0]]}])
        time.sleep(0.2)
        show(light, on=False)
        time.sleep(0.2)


def main() -> None:
    server, table, light, *token = sys.argv[1:]
    for event in events(server, table, *token):
        if event["event"] == "bust":
            flash(light)
            print("bust:", event["name"], event["points"], flush=True)


if __name__ == "__main__":
    main()
