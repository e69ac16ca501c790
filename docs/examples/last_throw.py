"""A page that draws the last throw: python last_throw.py http://192.168.1.20:8000 TABLE [TOKEN], then open its address.

The token stays in this program: the page does not have it.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from listener import events

PAGE = """<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>The last throw</title>
<body style="font: 4rem system-ui; text-align: center"><p style="font-size: 10rem">{dice}</p><p>{name}</p>"""
last = {"dice": "", "name": ""}


def follow(server: str, table: str, token: str = "") -> None:
    for event in events(server, table, token, after=0):
        if event["event"] == "throw-confirmed":
            last.update(dice="".join("⚀⚁⚂⚃⚄⚅"[value - 1] for value in event["dice"]))
            last.update(name=event["name"].replace("<", "&lt;"))


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.format(**last).encode())

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    threading.Thread(target=follow, args=sys.argv[1:4], daemon=True).start()
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as page:
        print(f"http://127.0.0.1:{page.server_port}/", flush=True)
        page.serve_forever()
