"""The certificate for https on the home network."""

import os
from pathlib import Path

from web.certificates import own_certificate


def test_it_is_made_once_and_anew_for_another_address(tmp_path: Path) -> None:
    cert, key = own_certificate(tmp_path, ["192.168.1.5"])
    first = cert.read_bytes()
    assert own_certificate(tmp_path, ["192.168.1.5"]) == (cert, key)
    assert cert.read_bytes() == first
    own_certificate(tmp_path, ["192.168.1.6"])
    assert cert.read_bytes() != first
    if os.name == "posix":
        assert key.stat().st_mode & 0o077 == 0, "nobody else may read the key"


def test_a_damaged_one_is_made_anew(tmp_path: Path) -> None:
    cert, _ = own_certificate(tmp_path, ["localhost"])
    cert.write_text("nonsense")
    own_certificate(tmp_path, ["localhost"])
    assert cert.read_text().startswith("-----BEGIN CERTIFICATE")
