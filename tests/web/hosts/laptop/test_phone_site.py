"""The laptop's server offers the site of a phone alone."""

import gzip
import lzma
from pathlib import Path

import pytest

from tests.web.phones import start
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


def test_packed_files_go_to_pages_of_this_server_unpacked(tmp_path: Path) -> None:
    folder = tmp_path / phone_site.FOLDER
    (folder / "eye").mkdir(parents=True)
    (folder / "index.html").touch()
    (folder / f"{phone_site.EYE}.gz").write_bytes(gzip.compress(b"script"))
    (folder / "eye/detector.onnx.xz").write_bytes(lzma.compress(b"network" * 100_000))
    (tmp_path / "secret.xz").write_bytes(lzma.compress(b"secret"))
    app = create_app(tmp_path, Never)
    phone_site.install(app, tmp_path)
    client = app.test_client()
    script = client.get(f"/phone/{phone_site.EYE}", buffered=True)
    assert (gzip.decompress(script.data), script.headers["Content-Encoding"]) == (b"script", "gzip")
    assert script.mimetype == "text/javascript"
    network = client.get("/phone/eye/detector.onnx", buffered=True)
    assert network.data == b"network" * 100_000
    again = client.get("/phone/eye/detector.onnx", headers={"If-None-Match": network.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for name in ("..%2fsecret", "eye/..%2f..%2fsecret", "%2e%2e/secret", "eye/no.onnx"):
        assert client.get(f"/phone/{name}").status_code == 404
    page = client.get(start(client)).get_data(as_text=True)
    assert f'"eye":"/phone/{phone_site.EYE}"' in page
    services(app).close()


def test_without_a_site_there_is_no_such_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_site, "BUILT", tmp_path / "not-built")
    app = create_app(tmp_path, Never)
    phone_site.install(app, tmp_path)
    client = app.test_client()
    assert client.get("/phone/").status_code == 404
    assert '"eye"' not in client.get(start(client)).get_data(as_text=True)
    services(app).close()
