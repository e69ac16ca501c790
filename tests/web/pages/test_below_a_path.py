"""Pages and scripts write no address from the root of a server: below a proxy's path it would lead out of it."""

import re
from pathlib import Path

from tests.web.apps import create_app
from web.services import services

WEB = Path(__file__).resolve().parents[3] / "web"
IN_PAGES = re.compile(r""" (?:href|src|action|formaction)=["']?/""")
# These scripts run on the serving computer, or where no program is above us, alone.
APART = {"pages/offline.js", "pages/app.js"}
ALLOWED = re.compile(r"(?:\bat\(|\bback: )\s*$")  # `settings` puts the path before where it leads back


def test_pages_ask_for_their_addresses() -> None:
    pages = [*WEB.rglob("templates/*.html")]
    assert len(pages) > 30
    found = [page.name for page in pages if IN_PAGES.search(page.read_text(encoding="utf-8"))]
    assert found == []


def test_scripts_ask_for_their_addresses(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    services(app).close()
    first = {str(rule).split("/")[1].split(".")[0] for rule in app.url_map.iter_rules()} - {""}
    assert {"tables", "api", "help", "settings"} <= first
    address = re.compile(rf"""(?:["'`]/(?:{"|".join(sorted(first))})\b|(?:href|action)="/)""")
    scripts = [
        path for path in (WEB / "static").rglob("*.js") if path.relative_to(WEB / "static").as_posix() not in APART
    ]
    assert len(scripts) > 60
    found = []
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        for match in address.finditer(text):
            if not ALLOWED.search(text[: match.start()]):
                found.append((path.name, text[match.start() : match.end() + 20]))
    assert found == []
