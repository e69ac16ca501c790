"""Forms that no browser sends: each is told what is wrong with it."""

import pytest
from flask.testing import FlaskClient

PARTS = [
    b"Content-Disposition: form-data",
    b"Content-Disposition: form-data; name=",
    b'Content-Disposition: form-data; filename="record.json"',
    b"Content-Disposition: attachment",
]
NAMED = b'Content-Disposition: form-data; name="game"\r\n\r\nfarkle'


def form_of(*parts: bytes) -> bytes:
    return b"".join(b"--B\r\n" + part + b"\r\n" for part in parts) + b"--B--\r\n"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("path", ["/tables", "/import", "/settings", "/join"])
def test_a_field_without_a_name_is_refused(client: FlaskClient, path: str, part: bytes) -> None:
    body = form_of(NAMED, part + b"\r\n\r\nx")
    kind = "multipart/form-data; boundary=B"
    answer = client.post(path, data=body, content_type=kind, headers={"Accept": "application/json"})
    if part.endswith(b"name="):  # which werkzeug takes for an empty name
        assert answer.status_code < 500
        return
    assert (answer.status_code, answer.json["reason"]) == (400, "bad-request")
    assert "no name" in answer.json["detail"]
    page = client.post(path, data=body, content_type=kind, headers={"Accept": "text/html", "Accept-Language": "cs"})
    assert page.status_code == 400
    assert '<html lang="cs">' in page.get_data(as_text=True)
