"""The site of a phone alone, below `/phone/`: a phone that opened it plays without this computer from then on."""

from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, send_from_directory

from web.hosts.phone.policy import CONTENT_SECURITY_POLICY

BUILT = Path(__file__).resolve().parents[3] / "out" / "site"  # by `make site`, in a checkout
FOLDER = "phone"  # in the data folder: the unpacked `rollcall-phone-VERSION.zip`
CONFIG = "PHONE_SITE"
TYPES = {
    ".gz": "application/gzip",
    ".xz": "application/x-xz",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
}

blueprint = Blueprint("phone_site", __name__, url_prefix="/phone")


def install(app: Flask, data: Path) -> None:
    """Adds the site to an application that has not answered yet, if it is in the data folder or was built here."""
    found = next((each for each in (data / FOLDER, BUILT) if (each / "index.html").is_file()), None)
    if found is not None:
        app.config[CONFIG] = found
        app.register_blueprint(blueprint)


@blueprint.get("/", defaults={"name": "index.html"})
@blueprint.get("/<path:name>")
def file(name: str) -> Response:
    # The service worker keeps the files, and asks for them when their version is another one.
    response = send_from_directory(current_app.config[CONFIG], name, mimetype=TYPES.get(Path(name).suffix), max_age=0)
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response
