"""The laptop's server offers the site of a phone alone."""

from pathlib import Path

import pytest

from web.app import create_app
from web.hosts.laptop import phone_site
from web.hosts.phone.policy import CONTENT_SECURITY_POLICY
from web.services import services
from web.tasks.background import Never


def test_the_site_in_the_data_folder_is_served_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / phone_site.FOLDER
    folder.mkdir()
    for name in ("index.html", "app.tar.gz", "worker.js"):
        (folder / name).write_bytes(name.encode())
    app = create_app(tmp_path, Never)
    phone_site.install(app, tmp_path)
    client = app.test_client()
    page = client.get("/phone/", buffered=True)
    assert (page.status_code, page.data, page.mimetype) == (200, b"index.html", "text/html")
    assert page.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    packed = client.get("/phone/app.tar.gz", buffered=True)
    assert (packed.data, packed.headers.get("Content-Encoding")) == (b"app.tar.gz", None)
    assert client.get("/phone/worker.js", buffered=True).mimetype == "text/javascript"
    assert client.get("/phone/../rollcall.db").status_code == 404
    services(app).close()


def test_without_a_site_there_is_no_such_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_site, "BUILT", tmp_path / "not-built")
    app = create_app(tmp_path, Never)
    phone_site.install(app, tmp_path)
    assert app.test_client().get("/phone/").status_code == 404
    services(app).close()
