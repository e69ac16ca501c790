"""A program that is told what happens at a table, and checks that Rollcall tells it.

    python webhook.py whsec_... 8123

Then connect http://THIS-COMPUTER:8123/ in the table's menu, "Connect a program"; the secret is shown there. Needs only
Python.
"""

import base64
import hmac
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

LATE_S = 300  # an older message may be one that somebody overheard
seen = 0  # the number of the last event; after a failure, some may be sent again


def is_from_rollcall(secret: str, headers: dict[str, str], body: bytes) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "0")
    signature = hmac.digest(key, f"{message}.{at}.".encode() + body, "sha256")
    expected = "v1," + base64.b64encode(signature).decode()
    shown = headers.get("webhook-signature", "")
    return hmac.compare_digest(shown, expected) and abs(time.time() - int(at)) < LATE_S


class Told(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        global seen
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_from_rollcall(sys.argv[1], {name.lower(): value for name, value in self.headers.items()}, body):
            self.send_error(401)
            return
        self.send_response(204)
        self.end_headers()
        for event in json.loads(body)["events"]:
            if event["number"] > seen:
                seen = event["number"]
                print(event["event"], event["name"] or "", event.get("dice", ""), flush=True)

    def log_message(self, *_: object) -> None:
        """Prints nothing but the events."""


HTTPServer(("", int(sys.argv[2])), Told).serve_forever()
