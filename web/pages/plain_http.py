"""Plain http at a server with a certificate: one page says what the phone will warn of, and leads to https.

Which browser a phone has decides how the warning looks. Of a certificate that phones trust nothing is said.
"""

from urllib.parse import quote, urlencode

from flask import Flask, current_app, redirect, render_template, request
from werkzeug.wrappers import Response

from web.common.problems import Problem
from web.pages.errors import wants_json

# What may be asked for over plain http too: nothing of any table.
OPEN = {"static.file", "pages.settings", "pages.manifest"}
# The browsers whose warnings look different, by a key; and what stands in their User-Agent, the first that fits.
BROWSERS = {
    "chrome": "Chrome",
    "samsung": "Samsung Internet",
    "firefox": "Firefox",
    "safari": "Safari (iPhone, iPad)",
}
SIGNS = (
    ("SamsungBrowser", "samsung"),
    ("Firefox", "firefox"),
    ("FxiOS", "firefox"),
    ("Chrome", "chrome"),
    ("CriOS", "chrome"),
    ("Edg", "chrome"),
    ("Safari", "safari"),
)


def browser_of(agent: str) -> str:
    """The browser with this User-Agent: a key of BROWSERS."""
    return next((browser for sign, browser in SIGNS if sign in agent), "chrome")


def _shown_browser() -> str:
    """The browser of this request, or another one that a person chose to be shown."""
    chosen = request.args.get("browser", "")
    return chosen if chosen in BROWSERS else browser_of(request.headers.get("User-Agent", ""))


def install(app: Flask) -> None:
    """Answers whatever comes over plain http to a server with a certificate. Install it before tables are looked at."""
    app.jinja_env.globals.update(browsers=BROWSERS, browser=_shown_browser)

    @app.before_request
    def lead_to_https() -> str | Response | None:
        if not current_app.config["SECURE"] or request.is_secure or request.endpoint in OPEN:
            return None
        if request.method not in ("GET", "HEAD") or wants_json():
            raise Problem("https-wanted", 403, host=request.host)
        others = [(name, value) for name, value in request.args.items(multi=True) if name != "browser"]
        address = f"https://{request.host}{quote(request.path)}" + (f"?{urlencode(others)}" if others else "")
        if not current_app.config["OWN_CERTIFICATE"]:
            return redirect(address)
        for_camera = request.endpoint == "pages.camera_setup"
        return render_template("plain-http.html", address=address, others=others, for_camera=for_camera)
