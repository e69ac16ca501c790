"""One page that says why Rollcall did not start, for who started it by an icon and has no terminal to read.

It needs nothing but Python: a missing package may be what is wrong. The browser gets it from this process, since some
browsers read no file outside their own folders.
"""

import contextlib
import html
import time
import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer

from web.hosts.threads import ThreadTask

WITHIN_S = 60.0  # a browser that starts slowly asks by then
LOOKS_EVERY_S = 0.1
PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ font: 1.25rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem;
overflow-wrap: anywhere; color-scheme: light dark }}</style>
<h1>{title}</h1>
<p>{hint}</p>
<p lang="en"><code>{reason}</code></p>
</html>
"""


def show(reason: str) -> None:
    """Opens the page in this computer's browser, and returns when it was sent; without a browser at once."""
    sent = False
    opened: bool | None = None  # None: not yet, since some browsers return only when they are closed
    body = _page(reason).encode()

    class Handler(BaseHTTPRequestHandler):
        timeout = WITHIN_S

        def do_GET(self) -> None:
            nonlocal sent
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body) if self.path == "/" else 0))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            if self.path == "/":
                self.wfile.write(body)
                sent = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    with contextlib.suppress(OSError), HTTPServer(("127.0.0.1", 0), Handler) as server:
        url, server.timeout = f"http://127.0.0.1:{server.server_address[1]}/", LOOKS_EVERY_S

        def open_page() -> None:
            nonlocal opened
            opened = webbrowser.open(url)

        ThreadTask("browser", open_page).wake()
        until = time.monotonic() + WITHIN_S
        while not sent and opened is not False and time.monotonic() < until:
            server.handle_request()


def _page(reason: str) -> str:
    language, say = _language()
    texts = {
        "title": say("Rollcall could not start"),
        "hint": say("This is what it would have said in a terminal. Put it right, then start Rollcall again."),
    }
    return PAGE.format(language=language, reason=html.escape(reason), **texts)


def _language() -> tuple[str, Callable[[str], str]]:
    """The language of this computer, and what says a text in it; English where the packages for that are missing."""
    try:
        from web.texts.languages import system_language, translations
    except ImportError:
        return "en", str
    language = system_language()
    return language, translations(language).gettext
